#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// A turn of a skill in a child process, beside the same turn in this one.
void isolation(const Options& options, Report& report);

}  // namespace parley::bench
