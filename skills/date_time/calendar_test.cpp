#include "calendar.hpp"

#include <doctest/doctest.h>

#include <string>

#include "knowledge.hpp"
#include "sun.hpp"
#include "support/temporary_folder.hpp"

using namespace std::chrono;
using namespace parley::date_time;

namespace {

/// Minutes after midnight UTC of the day; −1: never.
int minutes_of(SunEvent event, year_month_day date, Coordinates at) {
  const auto moment = sun_time(event, local_days(date), at);
  if (!moment) return -1;
  return static_cast<int>(round<minutes>(*moment - sys_days(date)).count());
}

}  // namespace

TEST_CASE("calendar: weeks are those of ISO 8601, and what is left of a year counts from tomorrow") {
  CHECK(week_of_year(local_days(2026y / 11 / 23)) == 48);
  CHECK(week_of_year(local_days(2026y / 1 / 1)) == 1);
  CHECK(week_of_year(local_days(2027y / 1 / 3)) == 53);
  CHECK(week_of_year(local_days(2024y / 12 / 30)) == 1);
  CHECK(days_left_in_year(local_days(2026y / 11 / 23)) == 38);
  CHECK(days_left_in_year(local_days(2026y / 12 / 31)) == 0);
  CHECK(days_in_month(local_days(2027y / 2 / 1)) == 28);
  CHECK(days_in_month(local_days(2028y / 2 / 29)) == 29);
  CHECK(days_in_month(local_days(2026y / 12 / 5)) == 31);
}

// After the Solar Calculator of the U.S. NOAA.
TEST_CASE("sun: rise and set to two minutes, and not at all in the polar night") {
  const Coordinates paris(48.8667, 2.3333);
  const Coordinates sydney(-33.8667, 151.2167);
  const Coordinates tromso(69.65, 18.95);
  CHECK(std::abs(minutes_of(SunEvent::kSet, 2026y / 11 / 23, paris) - (16 * 60 + 2)) <= 2);
  CHECK(std::abs(minutes_of(SunEvent::kRise, 2026y / 11 / 24, paris) - (7 * 60 + 13)) <= 2);
  CHECK(std::abs(minutes_of(SunEvent::kSet, 2026y / 6 / 21, sydney) - (6 * 60 + 54)) <= 2);
  CHECK(minutes_of(SunEvent::kRise, 2026y / 12 / 21, tromso) == -1);
  CHECK(minutes_of(SunEvent::kSet, 2026y / 6 / 21, tromso) == -1);
}

TEST_CASE("sun: where a zone's city is comes from the table of the zone data") {
  const parley::testing::TemporaryFolder folder;
  const auto table = folder.write("zone.tab",
                                  "# comment\nDE\t+5230+01322\tEurope/Berlin\tmost\n"
                                  "US\t+404251-0740023\tAmerica/New_York\nXX\t+1+2\tOdd/Zone\n");
  const auto berlin = coordinates_of("Europe/Berlin", table);
  REQUIRE(berlin);
  CHECK(berlin->lat == doctest::Approx(52.5));
  CHECK(berlin->lon == doctest::Approx(13.3667));
  const auto york = coordinates_of("America/New_York", table);
  REQUIRE(york);
  CHECK(york->lat == doctest::Approx(40.7142));
  CHECK(york->lon == doctest::Approx(-74.0064));
  CHECK_FALSE(coordinates_of("Odd/Zone", table));
  CHECK_FALSE(coordinates_of("Asia/Tokyo", table));
  CHECK_FALSE(coordinates_of("Asia/Tokyo", folder.path() / "none"));
}

TEST_CASE("speech: spans, months and time zones as the language has them") {
  Knowledge known{std::filesystem::path(PARLEY_DATE_TIME_DATA)};
  const auto& english = known.tongue("en-US").speech;
  CHECK(english.span(minutes(390)) == "6 hours, 30 minutes");
  CHECK(english.span(minutes(60)) == "1 hour");
  CHECK(english.span(minutes(0)) == "0 minutes");
  CHECK(english.weeks_and_days(38) == "5 weeks, 3 days");
  CHECK(english.weeks_and_days(14) == "2 weeks");
  CHECK(english.month(local_days(2027y / 2 / 1)) == "February 2027");
  const auto winter = sys_days(2026y / 1 / 1);
  CHECK(english.zone_name("Europe/Berlin", winter) == "Central European Standard Time");
  CHECK(english.zone_name("Europe/Berlin", sys_days(2026y / 7 / 1)) == "Central European Summer Time");
  CHECK(known.tongue("de-DE").speech.span(minutes(390)) == "6 Stunden, 30 Minuten");
  CHECK(known.tongue("fr-FR").speech.month(local_days(2027y / 2 / 1)) == "Février 2027");
}
