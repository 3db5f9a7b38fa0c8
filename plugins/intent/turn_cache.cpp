#include "turn_cache.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <parley/language.hpp>
#include <parley/moments.hpp>
#include <parley/values.hpp>
#include <span>
#include <tuple>

#include "match/padding.hpp"
#include "match/tier.hpp"
#include "session_policy.hpp"

namespace parley::intent {
namespace {

/// Tells whether words of an utterance say what a slot's type wants; of a slot without a type, when something
/// is to be. Many candidates have the same words in a slot, and to read them takes long: each is read once.
class TypedValues {
 public:
  TypedValues(const Said& said, std::chrono::local_seconds now) : said_(said), now_(now) {}

  bool has(const Candidate& candidate, const Bound& bound) {
    const auto* const pattern = std::get_if<TemplateIntent>(&candidate.intent->pattern);
    const auto declared = pattern->slot_types.find(bound.slot);
    const SlotType type =
        declared == pattern->slot_types.end() ? SlotType::kNone : slot_type(declared->second);
    const auto [known, is_new] = read_.try_emplace({type, bound.begin, bound.end}, false);
    if (is_new) known->second = read(type, bound);
    return known->second;
  }

 private:
  bool read(SlotType type, const Bound& bound) const {
    const auto words = std::span(said_.words).subspan(bound.begin, bound.end - bound.begin);
    const std::string_view text = surface(said_.text, words);
    if (type == SlotType::kNone) return find_moment(text, said_.lang, now_).has_value();
    return read_value(type, text, said_.lang, now_).has_value();
  }

  const Said& said_;
  std::chrono::local_seconds now_;
  std::map<std::tuple<SlotType, std::size_t, std::size_t>, bool> read_;
};

/// Looked at only where it matters: most templates have words enough of their own.
void note_typed_values(Reading& reading, const Clock& clock) {
  // What day it is makes no difference to whether one was said.
  const std::chrono::local_seconds now(
      std::chrono::floor<std::chrono::seconds>(clock.wall()).time_since_epoch());
  TypedValues typed(reading.said, now);
  for (Candidate& candidate : reading.candidates) {
    if (!needs_consent(candidate) && (candidate.unlisted_words == 0 || !candidate.is_template())) continue;
    candidate.has_typed_value = std::any_of(candidate.bound.begin(), candidate.bound.end(),
                                            [&](const Bound& bound) { return typed.has(candidate, bound); });
  }
}

}  // namespace

TurnReadings::TurnReadings(const MatchRequest& request, std::uint64_t revision)
    : utterance_id_(request.message().context().utterance_id),
      utterances_(request.utterances()),
      lang_(request.lang()),
      session_(request.session_ptr()),
      revision_(revision) {}

bool TurnReadings::serves(const MatchRequest& request, std::uint64_t revision) const {
  return revision_ == revision && session_ == request.session_ptr() &&
         utterance_id_ == request.message().context().utterance_id && lang_ == request.lang() &&
         utterances_ == request.utterances();
}

const Reading& TurnReadings::read(std::size_t number, IntentIndex& index, const Registry& registry,
                                  const Clock& clock, const LocaleResources& common) {
  while (readings_.size() <= number) {
    Reading& reading = readings_.emplace_back(utterances_[readings_.size()], lang_);
    const SessionPolicy policy(registry, *session_, unix_seconds(clock.wall()));
    reading.candidates = index.find(reading.said, policy);
    if (LanguageIndex* const known = index.language_of(primary_language(lang_)))
      reading.remark = read_through(*known, common, policy, reading.said, reading.candidates);
    note_typed_values(reading, clock);
  }
  return readings_[number];
}

void TurnReadings::add_resemblances(std::size_t number, IntentIndex& index, const Registry& registry,
                                    const Clock& clock) {
  Reading& reading = readings_[number];
  LanguageIndex* const known = index.language_of(primary_language(lang_));
  if (reading.has_resemblances || known == nullptr) return;
  reading.has_resemblances = true;
  const SessionPolicy policy(registry, *session_, unix_seconds(clock.wall()));
  for (Candidate& candidate : find_resemblances(*known, reading.said, policy)) {
    reading.candidates.push_back(std::move(candidate));
  }
}

TurnReadings& TurnCache::of(const MatchRequest& request, std::uint64_t revision) {
  for (const auto& turn : turns_) {
    if (turn && turn->serves(request, revision)) return *turn;
  }
  auto& place = turns_.at(next_);
  next_ = (next_ + 1) % turns_.size();
  place = std::make_unique<TurnReadings>(request, revision);
  return *place;
}

}  // namespace parley::intent
