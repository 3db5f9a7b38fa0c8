#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// What somebody who watches in the console costs those who talk.
void watched(const Options& options, Report& report);

}  // namespace parley::bench
