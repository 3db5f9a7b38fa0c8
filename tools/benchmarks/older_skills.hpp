#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// What skills of before the OVOS specifications cost that are connected and have nothing to say to a turn.
void older_skills(const Options& options, Report& report);

}  // namespace parley::bench
