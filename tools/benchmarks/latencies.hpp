#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::bench {

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

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
  /// The median of that of ten parts, one after another: a stall of the machine spoils one of them.
  double usual_percentile_us(double share) const;

 private:
  std::vector<std::uint32_t> samples_;  ///< ns
};

/// The one in the middle, of an even number the upper one; 0 of none.
double median_of(std::vector<double> values);

}  // namespace parley::bench
