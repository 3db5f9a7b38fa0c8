#pragma once

#include <cstdint>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "match/candidate.hpp"

namespace parley::intent {

/// How far a pipeline entry goes. Each level takes what the one before takes, and more:
///
/// - `high`: templates word for word, and a keyword match when it is the only one and the keywords cover the
///   greater part of what was said. A slot that has listed values must hold one of them.
/// - `medium`: of several keyword matches the one that covers most (T-0), if that is a fair part; then what
///   clearly resembles an intent's templates; then a template with a value nobody listed, when nobody else is
///   in question.
/// - `low`: any keyword match that covers a quarter; what resembles an intent's templates more than most; any
///   template, one with a value nobody listed unless another intent is resembled more, or its own hardly.
///
/// A template that is open slots for the most part is taken at no level where the classifier names another
/// intent.
enum class Level : std::uint8_t { kHigh, kMedium, kLow };

/// The bounds of one entry.
struct Tier {
  Tier(Level how_far, double share, double sure) : level(how_far), min_coverage(share), min_certainty(sure) {}
  Level level;
  double min_coverage;   ///< Of keyword matches: the share of the words that keywords cover, 0 to 1.
  double min_certainty;  ///< Of resemblances; see Learned::certainty(). Level high takes none.
};

/// Reads an entry's options: `level` ("high", "medium", "low"; by default what the entry's name ends in, else
/// low), `min_coverage` (a number from 0 to 1; by default 0.5, 0.3 and 0.25 for the three levels) and
/// `min_certainty` (a number from 0 to 1; by default 0.75 for medium and 0.5 for low).
/// @throws std::invalid_argument naming the entry and the option when a value is neither
Tier tier_of(std::string_view entry, const Json& options);

/// Whether a template takes the utterance with next to no words of its own, so that the classifier is asked
/// whether it agrees.
bool needs_consent(const Candidate& candidate);

/// Why this entry does not take a candidate that nothing vetoes; empty: it does.
/// @param candidates  all of the utterance's, as find_candidates() gives them
std::string_view refusal(const Candidate& candidate, const std::vector<Candidate>& candidates,
                         const Tier& tier);

/// The candidate the entry takes: the first one that is word for word, else the surest resemblance, else the
/// first template with a value nobody listed.
const Candidate* choose(const std::vector<Candidate>& candidates, const Tier& tier);

}  // namespace parley::intent
