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

TEST_CASE("latencies: a stall spoils a percentile, and not the usual one") {
  Latencies latencies;
  CHECK(latencies.usual_percentile_us(0.99) == 0.0);
  for (int i = 0; i < 2000; ++i) latencies.add(microseconds(i >= 300 && i < 400 ? 5000 : 100 + i % 10));
  CHECK(latencies.percentile_us(0.99) == 5000.0);
  CHECK(latencies.usual_percentile_us(0.99) == 109.0);
  CHECK(latencies.usual_percentile_us(0.5) == 104.0);
  Latencies few;
  few.add(microseconds(7));
  CHECK(few.usual_percentile_us(0.99) == 7.0);
}

TEST_CASE("median_of: the one in the middle") {
  CHECK(median_of({}) == 0.0);
  CHECK(median_of({3, 1, 2}) == 2.0);
  CHECK(median_of({4, 1, 3, 2}) == 3.0);
}
