#pragma once

#include <parley/stage.hpp>

#include "match/matcher.hpp"

namespace parley::intent {

/// The match that a candidate is.
Match claim_of(const Candidate& winner, const Said& said);

}  // namespace parley::intent
