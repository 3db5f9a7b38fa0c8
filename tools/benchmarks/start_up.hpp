#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Starts processes of this very program that bring up an assistant with all stages and reference skills, and
/// reports how long that took and what memory they had then.
void start_up(const Options& options, Report& report);

/// What such a process does: says on stdout when it is ready and how it is, and ends in good order.
void start_only();

}  // namespace parley::bench
