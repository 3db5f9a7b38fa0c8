#pragma once

#include <parley/trace.hpp>

#include "match/tier.hpp"
#include "turn_cache.hpp"

namespace parley::intent {

/// Writes who took the utterance, with scores, and what kept whom from winning in this entry.
void explain(const Trace& trace, const Reading& reading, const Tier& tier);

}  // namespace parley::intent
