#include "latencies.hpp"

#include <doctest/doctest.h>

using namespace parley::bench;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST_CASE("latencies: without samples every percentile is 0") {
  CHECK(Latencies().percentile_us(0.5) == 0.0);
}

TEST_CASE("latencies: a percentile is the smallest sample that so many do not exceed") {
  Latencies latencies;
  for (int i = 100; i >= 1; --i) latencies.add(microseconds(i));
  CHECK(latencies.percentile_us(0.5) == 50.0);
  CHECK(latencies.percentile_us(0.99) == 99.0);
  CHECK(latencies.percentile_us(0.991) == 100.0);
  CHECK(latencies.percentile_us(0) == 1.0);
  CHECK(latencies.percentile_us(1) == 100.0);
  CHECK(latencies.count() == 100);
}

TEST_CASE("latencies: what is out of range counts as the nearest there is") {
  Latencies latencies;
  latencies.add(nanoseconds(-5));
  CHECK(latencies.percentile_us(1) == 0.0);
  latencies.add(std::chrono::hours(1));
  CHECK(latencies.percentile_us(1) == doctest::Approx(4'294'967.295));
}
