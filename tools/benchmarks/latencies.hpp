#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::bench {

/// How long each of many things took. Keeps every sample (up to about four seconds each), so percentiles are
/// exact.
class Latencies {
 public:
  Latencies();
  void add(std::chrono::nanoseconds took);
  std::size_t count() const noexcept { return samples_.size(); }
  /// The smallest sample that at least `share` (0 to 1) of all samples do not exceed, in µs; 0 without
  /// samples.
  double percentile_us(double share) const;

 private:
  mutable std::vector<std::uint32_t> samples_;  ///< ns
};

}  // namespace parley::bench
