#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// A day as it was said.
struct SpokenDate {
  explicit SpokenDate(std::chrono::local_days on) : day(on) {}
  bool operator==(const SpokenDate&) const = default;

  std::chrono::local_days day;
  std::string holiday;        ///< The first name of a day that has one, "Christmas"; else empty.
  bool year_said = false;     ///< "Christmas 2027"
  bool weekday_only = false;  ///< "Friday", "next friday"
};

/// Which day is meant by one that comes round again: what "is" Christmas, what "was" Christmas.
enum class Toward { kFuture, kPast };

/// Understands a date as people say it: holidays ("christmas", "ostern 2027"), dates in any order of day,
/// month and year ("the 3rd of march", "24. dezember", "2026-12-24"), weekdays, "tomorrow", "in two weeks",
/// "three days ago", "next month". All of `text` has to be the date.
///
/// Without a year it is the next such day, today included; with "next" ("next friday") the first after
/// today, with "last", or toward the past, the latest before today. A month or year alone is its first day.
/// @param lang   BCP-47; its region decides whether 3/4 is the third of April. The words are those of
///               read_value()
/// @param today  the day it is where the user is
/// @return nothing when that is no date, or one that does not exist ("31 february"), or there are no words
///         for the language. Safe on any bytes and from any thread.
/// @throws as read_value()
std::optional<SpokenDate> find_date(std::string_view text, std::string_view lang,
                                    std::chrono::local_days today, Toward toward = Toward::kFuture);

}  // namespace parley
