#include "entries.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

Here noon() {
  return {*Zone::named("UTC"), ch::sys_days(ch::year(2026) / ch::January / ch::day(3)) + ch::hours(12)};
}

Scheduled entry(const std::string& what, int minutes_from_midnight) {
  Scheduled one;
  one.id = what;
  one.data = std::make_shared<const Json>(payload_of(false, what));
  one.due = ch::sys_days(ch::year(2026) / ch::January / ch::day(3)) + ch::minutes(minutes_from_midnight);
  return one;
}

std::string ids_of(const Entries& all) {
  std::string text;
  for (const Scheduled& one : all) text += one.id + ";";
  return text;
}

std::string time_in(const std::string& text, const std::string& lang) {
  const auto time = time_of_day(find_alarm_time(text, lang, noon().now));
  return time ? std::to_string(time->count()) : "none";
}

}  // namespace

TEST_CASE("entries: a number alone is a time where one was asked for") {
  CHECK_EQ(time_in("seven", "en-US"), "1140");
  CHECK_EQ(time_in("seven thirty", "en-US"), "1170");
  CHECK_EQ(time_in("tomorrow seven", "en-US"), "420");
  CHECK_EQ(time_in("sieben", "de-DE"), "1140");
  CHECK_EQ(time_in("ninety", "en-US"), "none");
  CHECK_EQ(time_in("no idea", "en-US"), "none");
}

TEST_CASE("entries: what repeats is due on every day of it but those that are skipped") {
  const Zone utc = *Zone::named("UTC");
  const auto day = ch::local_days(ch::year(2026) / ch::January / ch::day(6));
  Scheduled one = entry("pills", 7 * 60);
  one.rule = ScheduleRule::daily(ch::hours(7));
  const auto due = due_on(one, day, utc);
  REQUIRE(due);
  CHECK(*due == ch::sys_days(ch::year(2026) / ch::January / ch::day(6)) + ch::hours(7));
  CHECK_FALSE(due_on(one, day - ch::days(10), utc));
  auto payload = skipping(one.payload(), *due, one.due);
  one.data = std::make_shared<const Json>(*payload);
  CHECK(skips(one.payload(), *due));
  CHECK_FALSE(due_on(one, day, utc));
  CHECK(due_on(one, day + ch::days(1), utc));
  payload = skipping(*payload, *due + ch::days(7), *due + ch::days(1));
  CHECK_FALSE(skips(*payload, *due));  // it is over
  for (int i = 0; payload && i < 200; ++i) payload = skipping(*payload, *due + ch::days(8 + i), one.due);
  CHECK_FALSE(payload);
}

TEST_CASE("entries: some are meant by their time, else by their words") {
  const Entries all{entry("oven", 17 * 60), entry("call mum", 29 * 60), entry("gym", 18 * 60)};
  CHECK_EQ(ids_of(meant_by(all, "at five", "en-US", noon())), "oven;");
  CHECK_EQ(ids_of(meant_by(all, "at 5 am", "en-US", noon())), "call mum;");
  CHECK_EQ(ids_of(meant_by(all, "tomorrow", "en-US", noon())), "call mum;");
  CHECK_EQ(ids_of(meant_by(all, "the gym", "en-US", noon())), "gym;");
  CHECK_EQ(ids_of(meant_by(all, "mum", "en-US", noon())), "call mum;");
  CHECK_EQ(ids_of(meant_by(all, "the bus", "en-US", noon())), "");
}

TEST_CASE("entries: an answer names one by any word that is not short") {
  const Entries all{entry("buy milk", 60), entry("call mum", 120)};
  CHECK_EQ(ids_of(alike(all, "the milk one", "en-US")), "buy milk;");
  CHECK_EQ(ids_of(alike(all, "the one", "en-US")), "");
}

TEST_CASE("entries: a payload says what it is of") {
  CHECK(is_alarm(payload_of(true, "")));
  CHECK_FALSE(is_alarm(Json::object()));
  CHECK_EQ(what_for(payload_of(false, "oven")), "oven");
}

}  // namespace parley::reminder
