#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace parley::testing {

/// Numbers that follow from a seed alone, on every machine and in every order of programs.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  /// What is thrown about one thing, whenever that comes up.
  Dice(std::uint64_t seed, std::string_view about) : state_(seed) {
    for (const char c : about) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }

  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15ULL;  // splitmix64
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  }
  int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
  bool chance(int percent) { return below(100) < percent; }
  std::chrono::milliseconds between(int least, int most) {
    return std::chrono::milliseconds(least + below(most - least + 1));
  }

 private:
  std::uint64_t state_;
};

}  // namespace parley::testing
