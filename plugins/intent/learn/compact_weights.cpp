#include "learn/compact_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace parley::intent {
namespace {

constexpr float kSlight = 0.02F;  // a weight that decides nothing
constexpr float kUnit = 1.0F / 1024;
constexpr std::size_t kOfOneBucket = 4;  // rows, about

std::uint32_t upper_half(std::uint64_t key) noexcept {
  return static_cast<std::uint32_t>(key >> 32U);
}

std::int16_t in_units(float weight) {
  constexpr float kMost = std::numeric_limits<std::int16_t>::max();
  return static_cast<std::int16_t>(std::clamp(std::round(weight / kUnit), -kMost, kMost));
}

}  // namespace

CompactWeights::CompactWeights(std::span<const std::uint64_t> keys, std::span<const float> weights,
                               std::size_t labels) {
  const auto counts = [](float weight) { return std::abs(weight) > kSlight; };
  std::vector<std::pair<std::uint32_t, std::span<const float>>> rows;
  std::size_t count = 0;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const auto own = weights.subspan(row * labels, labels);
    const auto telling = std::count_if(own.begin(), own.end(), counts);
    if (telling > 0) rows.emplace_back(upper_half(keys[row]), own);
    count += static_cast<std::size_t>(telling);
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  keys_.reserve(rows.size());
  ends_.reserve(rows.size());
  weights_.reserve(count);
  while ((kOfOneBucket << bits_) < rows.size()) ++bits_;
  buckets_.reserve((std::size_t{1} << bits_) + 1);
  for (const auto& [key, own] : rows) {
    while (buckets_.size() <= bucket_of(key)) buckets_.push_back(static_cast<std::uint32_t>(keys_.size()));
    keys_.push_back(key);
    for (std::size_t label = 0; label < labels; ++label) {
      if (counts(own[label]))
        weights_.push_back(Weight{static_cast<std::uint16_t>(label), in_units(own[label])});
    }
    ends_.push_back(static_cast<std::uint32_t>(weights_.size()));
  }
  buckets_.resize((std::size_t{1} << bits_) + 1, static_cast<std::uint32_t>(keys_.size()));
}

void CompactWeights::add(std::uint64_t key, float* sums) const {
  if (keys_.empty()) return;
  const std::uint32_t wanted = upper_half(key);
  const std::size_t bucket = bucket_of(wanted);
  for (std::size_t row = buckets_[bucket]; row < buckets_[bucket + 1]; ++row) {
    if (keys_[row] != wanted) continue;
    for (std::size_t i = row == 0 ? 0 : ends_[row - 1]; i < ends_[row]; ++i)
      sums[weights_[i].label] += kUnit * weights_[i].amount;
    return;
  }
}

void CompactWeights::pack(Packer& into) const {
  std::vector<std::uint16_t> labels;
  std::vector<std::int16_t> amounts;
  for (const Weight& weight : weights_) {
    labels.push_back(weight.label);
    amounts.push_back(weight.amount);
  }
  into.add(bits_);
  into.add(buckets_);
  into.add(keys_);
  into.add(ends_);
  into.add(labels);
  into.add(amounts);
}

std::optional<CompactWeights> CompactWeights::unpacked(Unpacker& from, std::size_t labels) {
  CompactWeights made;
  made.bits_ = from.number<unsigned>();
  made.buckets_ = from.numbers<std::uint32_t>();
  made.keys_ = from.numbers<std::uint32_t>();
  made.ends_ = from.numbers<std::uint32_t>();
  const auto which = from.numbers<std::uint16_t>();
  const auto amounts = from.numbers<std::int16_t>();
  if (!from.is_good()) return std::nullopt;
  const auto leads_to = [](const std::vector<std::uint32_t>& places, std::size_t end) {
    return std::is_sorted(places.begin(), places.end()) && (places.empty() ? 0 : places.back()) == end;
  };
  const bool has_buckets =
      made.keys_.empty() || (made.bits_ < 32 && made.buckets_.size() == (std::size_t{1} << made.bits_) + 1);
  if (!has_buckets || made.ends_.size() != made.keys_.size() || which.size() != amounts.size() ||
      !leads_to(made.buckets_, made.keys_.size()) || !leads_to(made.ends_, which.size()) ||
      std::any_of(which.begin(), which.end(), [labels](std::uint16_t label) { return label >= labels; }))
    return std::nullopt;
  made.weights_.reserve(which.size());
  for (std::size_t i = 0; i < which.size(); ++i) made.weights_.push_back(Weight{which[i], amounts[i]});
  return made;
}

}  // namespace parley::intent
