#pragma once

#include <parley/stage.hpp>
#include <string>
#include <vector>

#include "offer.hpp"

namespace parley::intent_llm {

/// What the reply of a model comes to. Nothing of it counts that the offer does not bear out: a model may be
/// wrong, and so may be what it was told.
struct Choice {
  Choice() = default;
  std::vector<Match> parts;      ///< In order; empty: nothing is taken.
  std::vector<Slots> own_slots;  ///< Of each part, what the model itself gave.
  std::string refused;           ///< Why nothing is taken although the model chose; empty: it chose nothing.
  std::string skill_id, intent_name;  ///< Of the one that was refused, where it is known.
};

/// Reads the `message` of a reply. Every call must name a function of the offer, quote words of the
/// utterance, and give for slots what the user said in `earlier` or now, or one of the listed values. One
/// call that does not makes all of it nothing.
/// @param earlier    what the user said before, the last first
/// @param wall       what a clock on the user's wall shows
Choice choice_of(const Json& message, const Offer& offer, const std::vector<std::string>& earlier,
                 std::chrono::local_seconds wall);

}  // namespace parley::intent_llm
