#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Turns that go through a pool of fallback skills of which only the last one is willing; and what a skill
/// that never answers costs.
void fallback(const Options& options, Report& report);

}  // namespace parley::bench
