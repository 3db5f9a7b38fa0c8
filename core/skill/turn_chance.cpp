#include "skill/turn_chance.hpp"

#include <random>

namespace parley {
namespace {

constexpr std::size_t kShortestSeed = 16;

/// FNV-1a, which is the same on every machine.
std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

TurnChance::TurnChance() : state_(std::random_device{}()) {}

void TurnChance::begin(std::string_view utterance_id) noexcept {
  if (utterance_id.size() >= kShortestSeed) state_ = hash_of(utterance_id);
}

/// SplitMix64.
std::uint64_t TurnChance::next() noexcept {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

std::size_t TurnChance::draw(std::size_t count) noexcept {
  // Draws below the remainder would make the first numbers more likely.
  const std::uint64_t remainder = (0 - static_cast<std::uint64_t>(count)) % count;
  std::uint64_t drawn = next();
  while (drawn < remainder) drawn = next();
  return static_cast<std::size_t>(drawn % count);
}

}  // namespace parley
