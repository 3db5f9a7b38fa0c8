#include "turn_cache.hpp"

#include <parley/language.hpp>

#include "match/padding.hpp"
#include "session_policy.hpp"

namespace parley::intent {

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
