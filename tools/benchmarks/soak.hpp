#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Clients that say all sorts of things over WebSocket and HTTP, in sessions old and new, while a remote
/// skill comes, answers, and goes, now and then in the middle of a turn. Reports what was left of memory and
/// descriptors. @throws std::runtime_error when a turn is lost or a descriptor stays open
void soak(const Options& options, Report& report);

}  // namespace parley::bench
