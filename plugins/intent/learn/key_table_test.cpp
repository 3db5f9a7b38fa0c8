#include "learn/key_table.hpp"

#include <doctest/doctest.h>

#include "learn/features.hpp"

using namespace parley::intent;

TEST_CASE("key table: keys are numbered in the order they come, and found again") {
  KeyTable table;
  CHECK(table.find(hash_of("nothing")) == KeyTable::kNone);
  for (std::uint32_t i = 0; i < 1000; ++i) CHECK(table.add(hash_of(1, i)) == i);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    CHECK(table.add(hash_of(1, i)) == i);
    CHECK(table.find(hash_of(1, i)) == i);
    CHECK(table.keys()[i] == hash_of(1, i));
  }
  CHECK(table.size() == 1000);
  CHECK(table.find(hash_of(2, 1)) == KeyTable::kNone);
}

TEST_CASE("key table: keys that would have the same place are told apart") {
  KeyTable table;
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(table.add(i << 32U) == i);
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(table.find(i << 32U) == i);
  CHECK(table.find(std::uint64_t{100} << 32U) == KeyTable::kNone);
}
