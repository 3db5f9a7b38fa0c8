#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Several `parley serve` on a `nats-server`, all on this machine: so figures are told by their ratio.
void cluster_bench(const Options& options, Report& report);

}  // namespace parley::bench
