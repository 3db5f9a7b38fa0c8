#include "latencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace parley::bench {
namespace {

/// @returns µs
double percentile_of(std::span<const std::uint32_t> samples, double share) {
  if (samples.empty()) return 0;
  std::vector<std::uint32_t> sorted(samples.begin(), samples.end());
  const auto count = static_cast<double>(sorted.size());
  const double rank = std::clamp(std::ceil(share * count), 1.0, count);
  const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(sorted.begin(), nth, sorted.end());
  return *nth / 1000.0;
}

}  // namespace

Latencies::Latencies() {
  // Room for most runs from the start: moving a million samples would itself show in the figures.
  samples_.reserve(std::size_t{1} << 20U);
}

void Latencies::add(std::chrono::nanoseconds took) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  samples_.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(took.count(), 0, kMost)));
}

double Latencies::percentile_us(double share) const {
  return percentile_of(samples_, share);
}

double Latencies::usual_percentile_us(double share) const {
  constexpr std::size_t kParts = 10;
  std::vector<double> of_parts;
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t from = samples_.size() * part / kParts, to = samples_.size() * (part + 1) / kParts;
    if (from != to) of_parts.push_back(percentile_of(std::span(samples_).subspan(from, to - from), share));
  }
  return median_of(std::move(of_parts));
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace parley::bench
