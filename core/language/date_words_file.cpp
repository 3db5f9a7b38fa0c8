// The section `dates` of a language's file.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <charconv>
#include <parley/fold.hpp>
#include <utility>

#include "language/date_words.hpp"

namespace parley {
namespace {

using Kind = DateWord::Kind;

namespace ch = std::chrono;

[[noreturn]] void fail(const YAML::Node& at, const std::string& problem) {
  throw YAML::Exception(at.Mark(), problem);
}

ch::weekday weekday(const YAML::Node& node) {
  constexpr std::array<std::string_view, 7> kNames{"sunday",   "monday", "tuesday", "wednesday",
                                                   "thursday", "friday", "saturday"};
  const auto name = node.as<std::string>();
  for (unsigned i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return ch::weekday(i);
  }
  fail(node, fmt::format("unknown weekday '{}'; expected monday … sunday", name));
}

ch::month month(const YAML::Node& node) {
  const ch::month value(node.as<unsigned>());
  if (!value.ok()) fail(node, "a month is a number from 1 to 12");
  return value;
}

// "12-25"
ch::month_day month_day(const YAML::Node& node) {
  const auto text = node.as<std::string>();
  const char* end = text.data() + text.size();
  unsigned in_month = 0;
  unsigned in_day = 0;
  const auto month_end = std::from_chars(text.data(), end, in_month);
  if (month_end.ec == std::errc() && month_end.ptr != end && *month_end.ptr == '-') {
    const auto day_end = std::from_chars(month_end.ptr + 1, end, in_day);
    const ch::month_day value = ch::month(in_month) / ch::day(in_day);
    if (day_end.ec == std::errc() && day_end.ptr == end && value.ok()) return value;
  }
  fail(node, fmt::format("'{}' is no date; expected month-day, such as 12-25", text));
}

const YAML::Node& need_size(const YAML::Node& node, std::size_t size, const char* expected) {
  if (!node.IsSequence() || node.size() != size) fail(node, fmt::format("expected {}", expected));
  return node;
}

DayRule day_rule(const YAML::Node& day) {
  if (day["date"]) return YearlyDate{month_day(day["date"])};
  if (day["easter"]) return EasterBased{ch::days(day["easter"].as<int>())};
  if (day["weekday"]) return ComingWeekday{weekday(day["weekday"])};
  if (const auto nth = day["nth"]) {
    need_size(nth, 3, "[month, weekday, which]");
    const int which = nth[2].as<int>();
    if (which == 0 || which < -1 || which > 5) fail(nth[2], "expected 1 to 5, or -1 for the last");
    return NthWeekday{month(nth[0]), weekday(nth[1]), which};
  }
  if (const auto before = day["before"]) {
    need_size(before, 3, "[month-day, weekday, how many before]");
    return WeekdayBefore{month_day(before[0]), weekday(before[1]), before[2].as<int>()};
  }
  fail(day, "a day needs one of date, easter, weekday, nth, before");
}

}  // namespace

void DateWords::read_file(const YAML::Node& root) {
  const YAML::Node dates = root["dates"];
  if (!dates) return;
  read_days(dates["days"]);
  for (const auto& entry : dates["relative"]) {
    add_all(entry.second, Kind::kRelative, entry.first.as<int>());
  }
  read_words(dates);
  read_units(dates["units"]);
  for (const auto& entry : dates["weekdays"]) {
    add_all(entry.second, Kind::kWeekday, static_cast<int>(weekday(entry.first).c_encoding()));
  }
  for (const auto& entry : dates["months"]) {
    add_all(entry.second, Kind::kMonth, static_cast<int>(static_cast<unsigned>(month(entry.first))));
  }
}

void DateWords::read_words(const YAML::Node& words) {
  add_all(words["one"], Kind::kOne, 1);
  add_all(words["first"], Kind::kNumber, 1);
  add_all(words["hundred"], Kind::kNumber, 100);
  add_all(words["next"], Kind::kNext);
  add_all(words["this"], Kind::kThis);
  add_all(words["last"], Kind::kLast);
  add_all(words["future"], Kind::kFuture);
  add_all(words["past"], Kind::kPast);
  add_all(words["ignore"], Kind::kIgnore);
  for (const auto& ending : words["ordinal_endings"]) {
    ordinal_endings_.push_back(ending.as<std::string>());
  }
}

void DateWords::read_units(const YAML::Node& units) {
  if (!units) return;
  add_all(units["day"], Kind::kUnit, 1);
  add_all(units["week"], Kind::kUnit, 7);
  add_all(units["fortnight"], Kind::kUnit, 14);
  add_all(units["month"], Kind::kUnit, -1);
  add_all(units["year"], Kind::kUnit, -12);
}

void DateWords::read_days(const YAML::Node& days) {
  for (const auto& day : days) {
    const YAML::Node names = day["names"];
    if (!names || !names.IsSequence() || names.size() == 0) fail(day, "a day needs a list of names");
    named_days_.push_back(NamedDay{names[0].as<std::string>(), day_rule(day)});
    add_all(names, Kind::kNamed, static_cast<int>(named_days_.size()) - 1);
  }
}

void DateWords::add_all(const YAML::Node& phrases, Kind kind, int value) {
  for (const auto& phrase : phrases)
    words_.try_emplace(text::fold(phrase.as<std::string>()), DateWord{kind, value});
}

}  // namespace parley
