#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

void evidence_bench(const Options& options, Report& report);

}  // namespace parley::bench
