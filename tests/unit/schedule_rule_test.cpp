#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <parley/schedule.hpp>
#include <string>

using namespace std::chrono;
using parley::Json;
using parley::ScheduleRule;
using parley::Zone;

namespace {

Zone berlin() {
  return *Zone::named("Europe/Berlin");
}
/// A moment by the clocks of Berlin.
system_clock::time_point clocks(year_month_day day, int hour, int minute = 0) {
  return berlin().moment(local_days(day) + hours(hour) + minutes(minute));
}
sys_seconds in_utc(year_month_day day, int hour, int minute = 0) {
  return sys_days(day) + hours(hour) + minutes(minute);
}
std::string rule_refusal(const Json& rule) {
  const auto read = ScheduleRule::from_json(rule);
  return read.ok() ? "" : read.error().message;
}

}  // namespace

TEST_CASE("zone: a local time as a moment, and the two kinds that clocks make odd") {
  CHECK(clocks(2026y / 1 / 10, 12) == in_utc(2026y / 1 / 10, 11));
  CHECK(clocks(2026y / 7 / 10, 12) == in_utc(2026y / 7 / 10, 10));
  // Clocks go from 02:00 to 03:00: 02:30 is an hour after 01:30, which is 03:30.
  CHECK(clocks(2026y / 3 / 29, 2, 30) == in_utc(2026y / 3 / 29, 1, 30));
  CHECK(clocks(2026y / 3 / 29, 3, 0) == in_utc(2026y / 3 / 29, 1, 0));
  // They go back from 03:00 to 02:00: the first 02:30.
  CHECK(clocks(2026y / 10 / 25, 2, 30) == in_utc(2026y / 10 / 25, 0, 30));
  const auto samoa = Zone::named("Pacific/Apia");
  REQUIRE(samoa);
  const auto noon = local_days(2026y / 1 / 10) + hours(12);
  CHECK(samoa->local(samoa->moment(noon)) == noon);
}

TEST_CASE("schedule rule: daily keeps its time of day when clocks change") {
  const auto rule = ScheduleRule::daily(7h);
  CHECK(rule.next(clocks(2026y / 3 / 28, 6, 59), berlin()) == clocks(2026y / 3 / 28, 7));
  CHECK(rule.next(clocks(2026y / 3 / 28, 7), berlin()) == clocks(2026y / 3 / 29, 7));
  CHECK(rule.next(clocks(2026y / 3 / 28, 7), berlin()) - clocks(2026y / 3 / 28, 7) == 23h);
  CHECK(rule.next(clocks(2026y / 10 / 24, 7), berlin()) - clocks(2026y / 10 / 24, 7) == 25h);
}

TEST_CASE("schedule rule: a time that is skipped comes later that day, one that comes twice comes once") {
  const auto rule = ScheduleRule::daily(2h + 30min);
  CHECK(rule.next(clocks(2026y / 3 / 28, 3), berlin()) == clocks(2026y / 3 / 29, 3, 30));
  CHECK(rule.next(clocks(2026y / 3 / 29, 3, 30), berlin()) == clocks(2026y / 3 / 30, 2, 30));
  const auto first = rule.next(clocks(2026y / 10 / 24, 3), berlin());
  CHECK(first == in_utc(2026y / 10 / 25, 0, 30));
  CHECK(rule.next(first, berlin()) == clocks(2026y / 10 / 26, 2, 30));
}

TEST_CASE("schedule rule: weekdays leave out the weekend, weekly has its day") {
  const auto work = ScheduleRule::weekdays(7h);
  const auto friday = clocks(2026y / 1 / 9, 7);
  CHECK(work.next(friday, berlin()) == clocks(2026y / 1 / 12, 7));
  CHECK(work.next(clocks(2026y / 1 / 12, 7), berlin()) == clocks(2026y / 1 / 13, 7));
  const auto sundays = ScheduleRule::weekly(Sunday, 9h);
  CHECK(sundays.next(friday, berlin()) == clocks(2026y / 1 / 11, 9));
  CHECK(sundays.next(clocks(2026y / 1 / 11, 9), berlin()) == clocks(2026y / 1 / 18, 9));
}

TEST_CASE("schedule rule: monthly on the 31st is the last day of shorter months") {
  const auto rule = ScheduleRule::monthly(31, 8h);
  CHECK(rule.next(clocks(2026y / 1 / 31, 8), berlin()) == clocks(2026y / 2 / 28, 8));
  CHECK(rule.next(clocks(2026y / 2 / 28, 8), berlin()) == clocks(2026y / 3 / 31, 8));
  CHECK(rule.next(clocks(2028y / 1 / 31, 8), berlin()) == clocks(2028y / 2 / 29, 8));
  CHECK(ScheduleRule::monthly(1, 8h).next(clocks(2026y / 12 / 1, 8), berlin()) == clocks(2027y / 1 / 1, 8));
}

TEST_CASE("schedule rule: a period is counted in seconds, whatever clocks do") {
  const auto rule = ScheduleRule::period(90min);
  CHECK(rule.next(clocks(2026y / 3 / 29, 1), berlin()) == clocks(2026y / 3 / 29, 3, 30));
}

TEST_CASE("schedule rule: the form of the wire, there and back") {
  for (const auto& rule :
       {ScheduleRule::daily(7h + 30min), ScheduleRule::weekdays(7h + 1s), ScheduleRule::weekly(Sunday, 0s),
        ScheduleRule::weekly(Monday, 24h - 1s), ScheduleRule::monthly(31, 8h), ScheduleRule::period(90s)}) {
    const auto read = ScheduleRule::from_json(rule.to_json());
    REQUIRE_MESSAGE(read.ok(), rule.to_json().dump());
    CHECK(*read == rule);
  }
  CHECK(ScheduleRule::weekly(Sunday, 7h).to_json() ==
        Json{{"every", "week"}, {"weekday", 7}, {"time", "07:00"}});
}

TEST_CASE("schedule rule: what is no rule is refused with what one is") {
  CHECK(rule_refusal(7) == "a rule is an object with 'every' and 'time', or with 'seconds'");
  CHECK(rule_refusal({{"every", "day"}}) == "'time' of a rule is a time of day, such as \"07:30\"");
  for (const char* const time : {"7:30", "24:00", "07:60", "07:30:60", "0730", "07-30", "07:3x", ""}) {
    CHECK_MESSAGE(rule_refusal({{"every", "day"}, {"time", time}}) ==
                      "'time' of a rule is a time of day, such as \"07:30\"",
                  time);
  }
  CHECK(rule_refusal({{"every", "year"}, {"time", "07:30"}}) ==
        "'every' of a rule is \"day\", \"weekdays\", \"week\" or \"month\"");
  CHECK(rule_refusal({{"every", "week"}, {"time", "07:30"}, {"weekday", 8}}) ==
        "'weekday' of a rule is a whole number from 1 to 7");
  CHECK(rule_refusal({{"every", "month"}, {"time", "07:30"}}) ==
        "'day' of a rule is a whole number from 1 to 31");
  CHECK(rule_refusal({{"seconds", 0}}) == "'seconds' of a rule is a whole number from 1 to 31622400");
  CHECK_THROWS_AS(ScheduleRule::daily(24h), std::invalid_argument);
  CHECK_THROWS_AS(ScheduleRule::daily(-1s), std::invalid_argument);
  CHECK_THROWS_AS(ScheduleRule::monthly(0, 0s), std::invalid_argument);
  CHECK_THROWS_AS(ScheduleRule::period(0s), std::invalid_argument);
}
