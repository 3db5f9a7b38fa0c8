#include "turn/trace_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace parley {
namespace {

/// In the order of the enumerators.
constexpr std::array<std::string_view, 21> kNames{
    "language", "pipeline", "skip",    "ask",      "candidate", "veto",      "claim",
    "answer",   "silent",   "note",    "decline",  "fault",     "guard",     "match",
    "start",    "speak",    "dropped", "complete", "error",     "unmatched", "handled"};
static_assert(kNames.size() == static_cast<std::size_t>(TraceKind::kHandled) + 1);
constexpr std::size_t kUsualSteps = 24;

}  // namespace

std::string_view to_string(TraceKind kind) noexcept {
  return kNames.at(static_cast<std::size_t>(kind));
}

std::optional<TraceKind> trace_kind(std::string_view name) noexcept {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<TraceKind>(found - kNames.begin());
}

TraceFact::TraceFact(std::string_view key, double number)
    : name(key),
      value(number == std::floor(number) ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number)) {}

TraceRecord::TraceRecord(const Clock& clock, std::string utterance_id, std::string session_id,
                         std::vector<std::string> utterances)
    : clock_(clock),
      began_(clock.now()),
      utterance_id_(std::move(utterance_id)),
      session_id_(std::move(session_id)),
      utterances_(std::move(utterances)) {
  steps_.reserve(kUsualSteps);
}

double TraceRecord::elapsed_us() const {
  return std::chrono::duration<double, std::micro>(clock_.now() - began_).count();
}

void TraceRecord::add(TraceKind kind, std::string_view subject, std::string text,
                      std::vector<TraceFact> facts) {
  if (tell_) return tell_(kind, subject, std::move(text), std::move(facts));
  const double at = elapsed_us();
  const std::lock_guard lock(mutex_);
  steps_.emplace_back(at, kind, subject, std::move(text), std::move(facts));
}

void TraceRecord::set_lang(std::string lang) {
  const std::lock_guard lock(mutex_);
  lang_ = std::move(lang);
}

Json TraceRecord::to_json(std::string_view outcome) const {
  const double duration = elapsed_us();
  const std::lock_guard lock(mutex_);
  Json steps = Json::array();
  for (const auto& step : steps_) {
    Json facts = Json::object();
    for (const auto& fact : step.facts) facts[fact.name] = fact.value;
    steps.push_back({{"at_us", step.at_us},
                     {"kind", to_string(step.kind)},
                     {"subject", step.subject},
                     {"text", step.text},
                     {"facts", std::move(facts)}});
  }
  return {{"utterance_id", utterance_id_}, {"session_id", session_id_},
          {"utterances", utterances_},     {"lang", lang_},
          {"duration_us", duration},       {"outcome", outcome},
          {"steps", std::move(steps)}};
}

void Trace::step(TraceKind kind, std::string_view subject, std::string text,
                 std::vector<TraceFact> facts) const {
  if (record_) record_->add(kind, subject, std::move(text), std::move(facts));
}

void Trace::note(std::string text, std::vector<TraceFact> facts) const {
  step(TraceKind::kNote, "", std::move(text), std::move(facts));
}

void Trace::candidate(std::string_view skill_id, std::string_view intent_name, double score,
                      std::string why) const {
  if (!record_) return;
  std::vector<TraceFact> facts{{"score", score}};
  record_->add(TraceKind::kCandidate, fmt::format("{}:{}", skill_id, intent_name), std::move(why),
               std::move(facts));
}

void Trace::veto(std::string_view skill_id, std::string_view intent_name, std::string why) const {
  if (record_)
    record_->add(TraceKind::kVeto, fmt::format("{}:{}", skill_id, intent_name), std::move(why), {});
}

}  // namespace parley
