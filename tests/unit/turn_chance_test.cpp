#include "skill/turn_chance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using parley::TurnChance;

namespace {

std::vector<std::size_t> draws(TurnChance& chance) {
  std::vector<std::size_t> drawn;
  for (int i = 0; i < 20; ++i) drawn.push_back(chance.draw(1000));
  return drawn;
}

const std::string kTurn = "0123456789abcdef0123456789abcdef";

}  // namespace

TEST_CASE("turn chance: what is drawn in a turn follows from its id alone") {
  TurnChance one;
  TurnChance other;
  other.draw(7);
  one.begin(kTurn);
  other.begin(kTurn);
  const auto drawn = draws(one);
  CHECK(drawn == draws(other));
  // On every machine: a log of one is replayed on another.
  CHECK(std::vector<std::size_t>(drawn.begin(), drawn.begin() + 3) ==
        std::vector<std::size_t>{268, 436, 605});
  one.begin("fedcba9876543210fedcba9876543210");
  CHECK(drawn != draws(one));
}

TEST_CASE("turn chance: an id that a client counts up does not bring the same again") {
  TurnChance chance;
  chance.begin("7");
  const auto first = draws(chance);
  chance.begin("7");
  CHECK(first != draws(chance));
  TurnChance other;
  CHECK(draws(other) != draws(chance));
}

TEST_CASE("turn chance: every number comes about as often as the others") {
  TurnChance chance;
  chance.begin(kTurn);
  std::array<int, 6> times{};
  for (int i = 0; i < 6000; ++i) ++times.at(chance.draw(6));
  CHECK(*std::min_element(times.begin(), times.end()) > 850);
  CHECK(*std::max_element(times.begin(), times.end()) < 1150);
  CHECK(chance.draw(1) == 0);
}
