#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace parley::intent {

/// Numbers keys from 0 on, in the order they come. A key is a hash_of(), so its bits are as good as random.
/// None is ever taken out; so it costs a third of what a map of nodes does, in time and in memory.
class KeyTable {
 public:
  /// What find() gives for a key that was never added.
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// @return the key's number: a new one, size(), where it had none
  std::uint32_t add(std::uint64_t key) {
    if (2 * keys_.size() >= places_.size()) grow();
    std::uint32_t& number = places_[place_of(key)];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(keys_.size());
      keys_.push_back(key);
    }
    return number;
  }
  std::uint32_t find(std::uint64_t key) const { return places_.empty() ? kNone : places_[place_of(key)]; }
  std::size_t size() const noexcept { return keys_.size(); }
  /// By number.
  const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }

 private:
  /// Where the key is, or would be.
  std::size_t place_of(std::uint64_t key) const {
    std::size_t place = key & (places_.size() - 1);
    while (places_[place] != kNone && keys_[places_[place]] != key)
      place = (place + 1) & (places_.size() - 1);
    return place;
  }
  void grow() {
    places_.assign(places_.empty() ? 64 : 2 * places_.size(), kNone);
    for (std::uint32_t number = 0; number < keys_.size(); ++number) places_[place_of(keys_[number])] = number;
  }

  std::vector<std::uint64_t> keys_;  ///< By number.
  std::vector<std::uint32_t>
      places_;  ///< A power of two of numbers, kNone where free; a key's is near its bits.
};

}  // namespace parley::intent
