#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// The tasks of the guide: ten for each of Options::intents are loaded, and searched.
void guide_bench(const Options& options, Report& report);

}  // namespace parley::bench
