// What is counted and measured, and how Prometheus gets it.
#include "runtime/counters.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "net/metrics.hpp"

using namespace parley;
using namespace std::chrono_literals;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("histograms: a time is in the first bucket that is long enough, and in all beyond it") {
  Counters counters;
  const Histogram took = counters.histogram("parley_test_seconds", {{"stage", "a\"b"}});
  took.observe(0ns);
  took.observe(1ms);  // an upper end belongs to its bucket
  took.observe(1ms + 1ns);
  took.observe(2h);
  took.observe(-1s);  // a clock that went back
  const std::string text = net::metrics_text(counters.all(), counters.spreads(), {});
  CHECK(has_line(text, "# TYPE parley_test_seconds histogram"));
  CHECK(has_line(text, "parley_test_seconds_bucket{stage=\"a\\\"b\",le=\"5e-05\"} 2"));
  CHECK(has_line(text, "parley_test_seconds_bucket{stage=\"a\\\"b\",le=\"0.001\"} 3"));
  CHECK(has_line(text, "parley_test_seconds_bucket{stage=\"a\\\"b\",le=\"0.0025\"} 4"));
  CHECK(has_line(text, "parley_test_seconds_bucket{stage=\"a\\\"b\",le=\"60\"} 4"));
  CHECK(has_line(text, "parley_test_seconds_bucket{stage=\"a\\\"b\",le=\"+Inf\"} 5"));
  CHECK(has_line(text, "parley_test_seconds_count{stage=\"a\\\"b\"} 5"));
  CHECK(counters.spreads().at(0).seconds == doctest::Approx(7200.002));
}

TEST_CASE("counters: sets of labels that would be too many are counted together") {
  Counters counters;
  for (std::size_t i = 0; i < Counters::kMostOfName + 100; ++i) {
    counters.counter("parley_test_total", {{"skill", std::to_string(i)}}).add();
    counters.histogram("parley_test_seconds", {{"skill", std::to_string(i)}}).observe(1ms);
  }
  counters.counter("parley_other_total").add();
  CHECK(counters.all().size() == Counters::kMostOfName + 2);
  CHECK(counters.spreads().size() == Counters::kMostOfName + 1);
  CHECK(counters.of("parley_test_total{skill=\"other\"}") == 100);
  counters.counter("parley_test_total", {{"skill", "7"}}).add();
  CHECK(counters.of("parley_test_total{skill=\"7\"}") == 2);
}
