#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Turns of each kind, one session and several; start-up time and resident memory.
void lifecycle(const Options& options, Report& report);

}  // namespace parley::bench
