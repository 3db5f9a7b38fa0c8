#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace parley {

/// What a skill draws at random. What it draws after a turn began follows from the id of the turn alone, so
/// that a replay of the turn draws the same. On the skill's strand.
class TurnChance {
 public:
  /// Before the first turn the numbers can't be predicted.
  TurnChance();

  /// A turn begins. An id of less than 16 bytes changes nothing: a client that counts its turns says it
  /// again.
  void begin(std::string_view utterance_id) noexcept;
  /// From 0 to `count` - 1, evenly distributed; `count` of 1 or more.
  std::size_t draw(std::size_t count) noexcept;

 private:
  std::uint64_t next() noexcept;

  std::uint64_t state_;
};

}  // namespace parley
