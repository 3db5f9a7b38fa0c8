#include "silences.hpp"

#include <doctest/doctest.h>

using namespace parley;
using namespace parley::fallback;
using namespace std::chrono_literals;

namespace {

const std::vector<Member> kPool{Member("a.test", 1), Member("b.test", 2), Member("c.test", 3)};

std::vector<std::string> order(const Silences& silences, Clock::Time now) {
  auto pool = kPool;
  silences.sort(pool, now);
  std::vector<std::string> ids;
  for (const auto& member : pool) ids.push_back(member.skill_id);
  return ids;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("silences: so many in a row put a skill last, for so long") {
  Silences silences(2, 5min);
  const Clock::Time now{};
  silences.silent("a.test", now);
  CHECK(order(silences, now) == Names{"a.test", "b.test", "c.test"});
  silences.silent("a.test", now);
  CHECK(order(silences, now) == Names{"b.test", "c.test", "a.test"});
  CHECK(order(silences, now + 5min - 1ms) == Names{"b.test", "c.test", "a.test"});
  CHECK(order(silences, now + 5min) == Names{"a.test", "b.test", "c.test"});
}

TEST_CASE("silences: those who are last keep their order among each other") {
  Silences silences(1, 5min);
  silences.silent("b.test", {});
  silences.silent("a.test", {});
  CHECK(order(silences, {}) == Names{"c.test", "a.test", "b.test"});
}

TEST_CASE("silences: after its time a skill gets one chance; an answer clears it altogether") {
  Silences silences(3, 1min);
  for (int i = 0; i < 3; ++i) silences.silent("a.test", {});
  const Clock::Time later = Clock::Time{} + 1h;
  CHECK_FALSE(silences.is_last("a.test", later));
  silences.silent("a.test", later);
  CHECK(silences.is_last("a.test", later));
  silences.forgive("a.test");
  CHECK_FALSE(silences.is_last("a.test", later));
  silences.silent("a.test", later);
  CHECK_FALSE(silences.is_last("a.test", later));
}

TEST_CASE("silences: the first in a row is news, until the skill has answered") {
  Silences silences;
  CHECK(silences.silent("a.test", {}));
  CHECK_FALSE(silences.silent("a.test", {}));
  CHECK(silences.silent("b.test", {}));
  silences.forgive("a.test");
  CHECK(silences.silent("a.test", {}));
}

TEST_CASE("silences: where nobody asks for it, nothing is held against anyone") {
  Silences silences;
  for (int i = 0; i < 100; ++i) silences.silent("a.test", {});
  CHECK(order(silences, {}) == Names{"a.test", "b.test", "c.test"});
}
