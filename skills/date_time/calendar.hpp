#pragma once

#include <chrono>
#include <optional>
#include <parley/zone.hpp>

namespace parley::date_time {

/// The number of the week, from Monday on, by ISO 8601: the first has the year's first Thursday.
int week_of_year(std::chrono::local_days day);
/// The days of its year that follow a day.
int days_left_in_year(std::chrono::local_days day);
/// How many days a day's month has.
int days_in_month(std::chrono::local_days day);
/// Whether it is the first of January, which is what a year alone is read as.
bool is_new_year(std::chrono::local_days day);

/// The day when clocks go forward or back.
struct ClockChange {
  std::chrono::local_days day;
  bool forward;
};
/// The next one of a zone within a year or so. @param forward  nothing: either way
std::optional<ClockChange> next_clock_change(const Zone& zone, std::chrono::system_clock::time_point now,
                                             std::optional<bool> forward);

}  // namespace parley::date_time
