#pragma once

#include <chrono>
#include <string>

#include "benchmarks.hpp"
#include "latencies.hpp"

namespace parley::bench {

inline std::chrono::steady_clock::time_point after(std::chrono::steady_clock::time_point from,
                                                   double seconds) {
  return from + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(seconds));
}

/// Does the same thing again and again and times each.
template <class Work>
Series repeat(const std::string& name, const Options& options, Work work) {
  using Steady = std::chrono::steady_clock;
  Latencies latencies;
  const auto from = after(Steady::now(), options.warmup);
  const auto until = after(from, options.seconds);
  auto now = Steady::now();
  while (now < until || latencies.count() == 0) {
    work();
    const auto done = Steady::now();
    if (now >= from) latencies.add(done - now);
    now = done;
  }
  Series series(name, 1);
  series.p50_us = latencies.percentile_us(0.5);
  series.p99_us = latencies.percentile_us(0.99);
  series.per_s = static_cast<double>(latencies.count()) / std::chrono::duration<double>(now - from).count();
  return series;
}

}  // namespace parley::bench
