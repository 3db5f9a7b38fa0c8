#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learn/packed.hpp"

namespace parley::intent {

/// Rows of weights by key, in little room and for reading only: of a key its upper half, of a row the weights
/// that count, to a thousandth. One key in four billions is taken for another.
class CompactWeights {
 public:
  CompactWeights() = default;
  /// @param keys     hash_of()s, each once
  /// @param weights  by key, then by label; what decides nothing is left out
  /// @param labels   at most 65,536
  CompactWeights(std::span<const std::uint64_t> keys, std::span<const float> weights, std::size_t labels);

  /// Adds the row of `key`, if there is one.
  /// @param sums  by label
  void add(std::uint64_t key, float* sums) const;

  void pack(Packer& into) const;
  /// @return what was packed; nothing when that can't be weights of so many labels
  static std::optional<CompactWeights> unpacked(Unpacker& from, std::size_t labels);

 private:
  struct Weight {
    std::uint16_t label;
    std::int16_t amount;
  };

  std::size_t bucket_of(std::uint32_t key) const noexcept { return (std::uint64_t{key} << bits_) >> 32U; }

  unsigned bits_ = 0;                   ///< Of a key that say which bucket it is in.
  std::vector<std::uint32_t> buckets_;  ///< The row each begins with; one more behind the last.
  std::vector<std::uint32_t> keys_;     ///< By row, ascending.
  std::vector<std::uint32_t> ends_;     ///< By row: where its weights end, and the next one's begin.
  std::vector<Weight> weights_;
};

}  // namespace parley::intent
