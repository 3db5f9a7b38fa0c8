#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Questions that several skills answer, with and without early start; and what a slow one among them costs.
void common_query(const Options& options, Report& report);

}  // namespace parley::bench
