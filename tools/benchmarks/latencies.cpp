#include "latencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::bench {

Latencies::Latencies() {
  // Room for most runs from the start: moving a million samples would itself show in the figures.
  samples_.reserve(std::size_t{1} << 20U);
}

void Latencies::add(std::chrono::nanoseconds took) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  samples_.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(took.count(), 0, kMost)));
}

double Latencies::percentile_us(double share) const {
  if (samples_.empty()) return 0;
  const auto count = static_cast<double>(samples_.size());
  const double rank = std::clamp(std::ceil(share * count), 1.0, count);
  const auto nth = samples_.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(samples_.begin(), nth, samples_.end());
  return *nth / 1000.0;
}

}  // namespace parley::bench
