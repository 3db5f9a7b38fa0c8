#include "pace.hpp"

#include <doctest/doctest.h>

using namespace parley;
using namespace std::chrono_literals;

TEST_CASE(
    "W-5 intent pace: after a lesson nobody is taught for three times as long, before the first one not") {
  intent::Pace pace;
  const Clock::Time start = Clock::Time() + 1h;
  CHECK(pace.rest_until() <= start);
  pace.began(start);
  pace.ended(start + 400ms);
  CHECK(pace.rest_until() == start + 1600ms);
  pace.began(start + 1600ms);
  pace.ended(start + 1700ms);
  CHECK(pace.rest_until() == start + 2s);
}
