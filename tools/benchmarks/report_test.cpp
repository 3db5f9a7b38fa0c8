#include "report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/temporary_folder.hpp"

using namespace parley::bench;

namespace {

Series example() {
  Series series("intent", 1);
  series.p50_us = 42.0404;
  series.p99_us = 250;
  series.per_s = 23456.78;
  return series;
}

}  // namespace

TEST_CASE("report: results are exactly name, sessions, p50_us, p99_us and per_s") {
  Report report(true);
  report.add(example());
  const auto json = report.to_json();
  REQUIRE(json.at("results").size() == 1);
  const auto& result = json.at("results").at(0);
  CHECK(result.size() == 5);
  CHECK(result.at("name") == "intent");
  CHECK(result.at("sessions") == 1);
  CHECK(result.at("p50_us").get<double>() == doctest::Approx(42.04));
  CHECK(result.at("p99_us").get<double>() == doctest::Approx(250));
  CHECK(result.at("per_s").get<double>() == doctest::Approx(23456.8));
  CHECK(json.at("figures").empty());
  CHECK(json.at("targets").empty());
}

TEST_CASE("report: a target is met from its own side, and the ratio says how far") {
  auto series = example();
  series.p50_target = Target::at_most(50, "a hop");
  series.p99_target = Target::at_most(200, "a sleeper");
  series.per_s_target = Target::at_least(20'000, "one thread");
  Report report(true);
  report.add(series);
  const auto targets = report.to_json().at("targets");
  REQUIRE(targets.size() == 3);
  CHECK(targets[0].at("of") == "p50_us");
  CHECK(targets[0].at("met") == true);
  CHECK(targets[1].at("met") == false);
  CHECK(targets[1].at("ratio").get<double>() == doctest::Approx(1.25));
  CHECK(targets[2].at("at_least") == 20'000.0);
  CHECK(targets[2].at("limited_by") == "one thread");
  CHECK(targets[2].at("met") == true);
  const std::string line = line_of(series);
  CHECK(line.find("p50 ≤ 50 µs met (0.84×)") != std::string::npos);
  CHECK(line.find("p99 ≤ 200 µs NOT MET (1.25×)") != std::string::npos);
  CHECK(line.find("≥ 20,000/s met (1.17×)") != std::string::npos);
}

TEST_CASE("report: a single figure stands by itself") {
  Figure figure("resident_at_ready", 44, "MiB");
  figure.target = Target::at_most(40, "files");
  Report report(true);
  report.add(figure);
  const auto json = report.to_json();
  CHECK(json.at("results").empty());
  REQUIRE(json.at("figures").size() == 1);
  CHECK(json.at("figures")[0].at("value") == 44.0);
  CHECK(json.at("targets")[0].at("met") == false);
  CHECK(line_of(figure).find("≤ 40 MiB NOT MET (1.10×)") != std::string::npos);
}

TEST_CASE("report: against an earlier run, every figure that was measured then has its ratio") {
  const parley::testing::TemporaryFolder folder;
  Report before(true);
  before.add(example());
  before.add(Figure("resident_at_ready", 40, "MiB"));
  const auto file = folder.write("before.json", before.to_json().dump());
  Report now(true, Earlier(file.string()));
  Series faster = example();
  faster.p50_us = 21.0202;
  now.add(faster);
  now.add(Series("new", 1));
  now.add(Figure("resident_at_ready", 50, "MiB"));
  const auto json = now.to_json();
  CHECK(json.at("results")[0].at("against").at("p50_us").get<double>() == doctest::Approx(0.5));
  CHECK(json.at("results")[0].at("against").at("per_s").get<double>() == doctest::Approx(1));
  CHECK_FALSE(json.at("results")[1].contains("against"));
  CHECK(json.at("figures")[0].at("against").at("value").get<double>() == doctest::Approx(1.25));
}

TEST_CASE("report: a file to compare with that is none is refused by name") {
  const parley::testing::TemporaryFolder folder;
  for (const char* text : {"", "[]", "{}", R"({"results": [], "figures": 7})",
                           R"({"results": [{"p50_us": 1}], "figures": []})"}) {
    const auto file = folder.write("before.json", text).string();
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(Earlier{file}, doctest::Contains("before.json"), std::runtime_error);
  }
  CHECK_THROWS_AS(Earlier{(folder.path() / "none.json").string()}, std::runtime_error);
}
