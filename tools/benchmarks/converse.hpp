#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// What a conversation costs: turns that 0, 1 and 8 active skills are asked about first, and 1,000 handlers
/// that wait for the user.
void converse_bench(const Options& options, Report& report);

}  // namespace parley::bench
