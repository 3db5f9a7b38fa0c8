#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// How well the intent stage understands the sets given as Options::data, and how fast it is with 10,000
/// templates.
void intents(const Options& options, Report& report);

}  // namespace parley::bench
