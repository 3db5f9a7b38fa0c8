#include "orchestrator/turn_metrics.hpp"

#include <string_view>

namespace parley {
namespace {

constexpr std::array kOutcomes{Outcome::kComplete, Outcome::kError, Outcome::kUnmatched, Outcome::kCancelled};

/// One of each outcome, with that label beside `labels`.
std::array<Counter, kOutcomes.size()> by_outcome(Counters& counters, const char* name,
                                                 const Counters::Labels& labels) {
  const auto one = [&](Outcome outcome) {
    Counters::Labels all{{"outcome", std::string(to_string(outcome))}};
    all.insert(all.end(), labels.begin(), labels.end());
    return counters.counter(name, std::move(all));
  };
  return {one(kOutcomes[0]), one(kOutcomes[1]), one(kOutcomes[2]), one(kOutcomes[3])};
}

}  // namespace

std::string_view to_string(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kComplete:
      return "complete";
    case Outcome::kError:
      return "error";
    case Outcome::kUnmatched:
      return "unmatched";
    case Outcome::kCancelled:
      return "cancelled";
  }
  return "error";
}

TurnMetrics::TurnMetrics(Counters& counters)
    : counters_(counters),
      outcomes_(by_outcome(counters, "parley_utterances_total", {})),
      turns_(counters.histogram("parley_turn_seconds")) {}

TurnMetrics::OfSkill& TurnMetrics::of(const std::string& skill_id) {
  const auto found = skills_.find(skill_id);
  if (found != skills_.end()) return found->second;
  const std::string name = skill_id.empty() ? "none" : skills_.size() < kMostSkills ? skill_id : "other";
  if (name == "other" && skill_id != name) return of(name);
  OfSkill fresh{by_outcome(counters_, "parley_turns_total", {{"skill", name}}),
                counters_.histogram("parley_handler_seconds", {{"skill", name}})};
  return skills_.emplace(skill_id, fresh).first->second;
}

void TurnMetrics::ended(Outcome outcome, const std::string& skill_id, Clock::Time::duration took) {
  const auto which = static_cast<std::size_t>(outcome);
  outcomes_[which].add();
  of(skill_id).outcomes[which].add();
  turns_.observe(took);
}

}  // namespace parley
