#include <doctest/doctest.h>

#include <parley/speech.hpp>

using namespace parley;
using namespace std::chrono_literals;

namespace {

std::chrono::local_days day_of(int year, unsigned month, unsigned of_month) {
  return std::chrono::local_days(std::chrono::year(year) / std::chrono::month(month) /
                                 std::chrono::day(of_month));
}

}  // namespace

TEST_CASE("say_choice: joins as the language does") {
  CHECK(say_choice({"eggs"}, "en-US") == "eggs");
  CHECK(say_choice({"eggs", "pasta", "rice"}, "en-US") == "eggs, pasta, or rice");
  CHECK(say_choice({"Eier", "Nudeln"}, "de-DE") == "Eier oder Nudeln");
  CHECK(say_choice({"pâtes", "riz"}, "fr-FR") == "pâtes ou riz");
  CHECK(say_choice({"pasta", "arroz"}, "es-ES") == "pasta o arroz");
  CHECK(say_choice({"massa", "arroz"}, "pt-PT") == "massa ou arroz");
}

TEST_CASE("say_list: joins as the language does") {
  CHECK(say_list({}, "en-US").empty());
  CHECK(say_list({"eggs"}, "en-US") == "eggs");
  CHECK(say_list({"eggs", "pasta", "rice"}, "en-US") == "eggs, pasta, and rice");
  CHECK(say_list({"Nudeln", "Eier"}, "de-DE") == "Nudeln und Eier");
  CHECK(say_list({"queso", "huevos"}, "es-ES") == "queso y huevos");
  CHECK(say_list({"queso", "iguanas"}, "es-ES") == "queso e iguanas");
}

TEST_CASE("say_duration: from large to small, without what is not there") {
  CHECK(say_duration(600s, "en-US") == "10 minutes");
  CHECK(say_duration(1s, "en-US") == "1 second");
  CHECK(say_duration(5400s, "en-US") == "1 hour and 30 minutes");
  CHECK(say_duration(90'061s, "en-US") == "1 day, 1 hour, 1 minute, and 1 second");
  CHECK(say_duration(5400s, "de-DE") == "1 Stunde und 30 Minuten");
}

TEST_CASE("say_duration: to the minute from an hour on, if no more is wanted; less than a second is none") {
  CHECK(say_duration(3599s, "en-US", Precision::kMinutes) == "59 minutes and 59 seconds");
  CHECK(say_duration(3661s, "en-US", Precision::kMinutes) == "1 hour and 1 minute");
  CHECK(say_duration(1999ms, "en-US") == "1 second");
  CHECK(say_duration(999ms, "en-US") == "0 seconds");
  CHECK(say_duration(-1h, "en-US") == "0 seconds");
}

TEST_CASE("say_date: with as much of it as is wanted, the way the region does") {
  const auto saturday = day_of(2026, 11, 21);
  CHECK(say_date(saturday, "en-US") == "November 21");
  CHECK(say_date(saturday, "en-US", DateParts::kYear) == "November 21, 2026");
  CHECK(say_date(saturday, "en-US", DateParts::kWeekday) == "Saturday, November 21");
  CHECK(say_date(saturday, "en-US", DateParts::kEverything) == "Saturday, November 21, 2026");
  CHECK(say_date(saturday, "en-GB", DateParts::kEverything) == "Saturday, 21 November 2026");
  CHECK(say_date(saturday, "de-DE", DateParts::kEverything) == "Samstag, 21. November 2026");
  CHECK(say_date(day_of(1969, 7, 20), "en-US", DateParts::kYear) == "July 20, 1969");
}
