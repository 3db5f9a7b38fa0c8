#include "turn/trace_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace parley {
namespace {

/// In the order of the enumerators.
constexpr std::array<std::string_view, 21> kNames{
    "language", "pipeline", "skip",    "ask",      "candidate", "veto",      "claim",
    "answer",   "silent",   "note",    "decline",  "fault",     "guard",     "match",
    "start",    "speak",    "dropped", "complete", "error",     "unmatched", "handled"};
static_assert(kNames.size() == static_cast<std::size_t>(TraceKind::kHandled) + 1);
constexpr std::size_t kUsualSteps = 24;
constexpr std::size_t kUsualBytes = 1'500;

std::string text_of(double number) {
  return number == std::floor(number) ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
}

}  // namespace

std::string_view to_string(TraceKind kind) noexcept {
  return kNames.at(static_cast<std::size_t>(kind));
}

std::optional<TraceKind> trace_kind(std::string_view name) noexcept {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<TraceKind>(found - kNames.begin());
}

std::string TraceRecord::Subject::text() const {
  return intent.empty() ? std::string(name) : fmt::format("{}:{}", name, intent);
}

TraceRecord::TraceRecord(const Clock& clock, std::string utterance_id, std::string session_id,
                         std::vector<std::string> utterances)
    : clock_(clock),
      began_(clock.now()),
      utterance_id_(std::move(utterance_id)),
      session_id_(std::move(session_id)),
      utterances_(std::move(utterances)) {
  steps_.reserve(kUsualSteps);
  facts_.reserve(kUsualSteps);
  texts_.reserve(kUsualBytes);
}

double TraceRecord::elapsed_us() const {
  return std::chrono::duration<double, std::micro>(clock_.now() - began_).count();
}

void TraceRecord::add(TraceKind kind, const Subject& subject, std::string_view text, Facts facts) {
  if (tell_) return tell_(kind, subject.text(), text, facts);
  const double at = elapsed_us();
  const std::lock_guard lock(mutex_);
  texts_ += subject.name;
  if (!subject.intent.empty()) (texts_ += ':') += subject.intent;
  const std::size_t subject_end = texts_.size();
  texts_ += text;
  const std::size_t text_end = texts_.size();
  for (const TraceFact& fact : facts) {
    texts_ += fact.name;
    const std::size_t name_end = texts_.size();
    texts_ += fact.text;
    facts_.push_back({name_end, texts_.size(), fact.number});
  }
  steps_.push_back({at, kind, subject_end, text_end, facts_.size()});
}

void TraceRecord::set_lang(std::string lang) {
  const std::lock_guard lock(mutex_);
  lang_ = std::move(lang);
}

Json TraceRecord::to_json(std::string_view outcome) const {
  const double duration = elapsed_us();
  const std::lock_guard lock(mutex_);
  std::size_t begin = 0;
  const auto up_to = [&](std::size_t end) {
    const std::size_t from = std::exchange(begin, end);
    return std::string_view(texts_).substr(from, end - from);
  };
  Json steps = Json::array();
  auto fact = facts_.begin();
  for (const auto& step : steps_) {
    Json shown = {{"at_us", step.at_us}, {"kind", to_string(step.kind)}};
    shown["subject"] = up_to(step.subject_end);
    shown["text"] = up_to(step.text_end);
    Json& facts = shown["facts"] = Json::object();
    for (const auto end = facts_.begin() + static_cast<std::ptrdiff_t>(step.facts_end); fact != end; ++fact) {
      Json& value = facts[std::string(up_to(fact->name_end))];
      const std::string_view text = up_to(fact->text_end);
      value = fact->number ? text_of(*fact->number) : std::string(text);
    }
    steps.push_back(std::move(shown));
  }
  return {{"utterance_id", utterance_id_}, {"session_id", session_id_},
          {"utterances", utterances_},     {"lang", lang_},
          {"duration_us", duration},       {"outcome", outcome},
          {"steps", std::move(steps)}};
}

void Trace::step(TraceKind kind, std::string_view subject, std::string_view text, Facts facts) const {
  if (record_) record_->add(kind, subject, text, TraceRecord::Facts(facts.begin(), facts.size()));
}

void Trace::step(TraceKind kind, std::string_view subject, std::string_view text,
                 std::span<const TraceFact> facts) const {
  if (record_) record_->add(kind, subject, text, facts);
}

void Trace::note(std::string_view text, Facts facts) const {
  step(TraceKind::kNote, "", text, facts);
}

void Trace::candidate(std::string_view skill_id, std::string_view intent_name, double score,
                      std::string_view why) const {
  if (!record_) return;
  const TraceFact fact("score", score);
  record_->add(TraceKind::kCandidate, {skill_id, intent_name}, why, TraceRecord::Facts(&fact, 1));
}

void Trace::veto(std::string_view skill_id, std::string_view intent_name, std::string_view why) const {
  if (record_) record_->add(TraceKind::kVeto, {skill_id, intent_name}, why, {});
}

}  // namespace parley
