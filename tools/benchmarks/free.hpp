#pragma once

#include "benchmarks.hpp"

namespace parley::bench {

/// Free sentences (the files of Options::sentences, else those that come along) said to the skills that come
/// along: how many are answered right, declined, or answered wrongly, by skill and language, and which.
void free_bench(const Options& options, Report& report);

}  // namespace parley::bench
