#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// A skill that is loaded anew again and again while turns go on, its own among them.
void reload_bench(const Options& options, Report& report);

}  // namespace parley::bench
