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
  std::string holiday;        ///< For a holiday its first name, such as "Christmas"; else empty.
  bool year_said = false;     ///< "Christmas 2027"
  bool weekday_only = false;  ///< "Friday", "next friday"
};

/// Which occurrence of a recurring day is meant: when "is" Christmas, when "was" Christmas.
enum class Toward { kFuture, kPast };

/// Understands a date as people say it: holidays ("christmas", "ostern 2027"), dates in any order of day,
/// month and year ("the 3rd of march", "24. dezember", "2026-12-24"), weekdays, "tomorrow", "in two weeks",
/// "three days ago", "next month". The whole of `text` must be the date.
///
/// Without a year: the next such day, today included. With "next" ("next friday"): the first one after today.
/// With "last", or toward the past: the latest one before today. A month or year alone: its first day.
/// @param lang   BCP-47; its region decides whether 3/4 is the third of April. The words are those of
///               read_value()
/// @param today  the current day where the user is
/// @return nothing when `text` is no date, the date does not exist ("31 february"), or there are no words
///         for the language. Safe on any bytes and from any thread.
/// @throws as read_value()
std::optional<SpokenDate> find_date(std::string_view text, std::string_view lang,
                                    std::chrono::local_days today, Toward toward = Toward::kFuture);

}  // namespace parley
