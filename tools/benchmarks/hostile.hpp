#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// What one client's turns cost while another one floods, and how long single hostile messages hold the loop.
void hostile(const Options& options, Report& report);

}  // namespace parley::bench
