#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Serves the assistant on a free port of the loopback and measures it with clients in this very process, on
/// a thread of their own.
void gateway(const Options& options, Report& report);

}  // namespace parley::bench
