#pragma once

#include "benchmarks.hpp"
#include "report.hpp"

namespace parley::bench {

/// Turns of a skill beside 10,000 of another, in a child, that crashes, hangs, eats memory and forks at
/// random.
void unruly_bench(const Options& options, Report& report);

}  // namespace parley::bench
