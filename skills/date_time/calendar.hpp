#pragma once

#include <chrono>

namespace parley::date_time {

/// The number of the week, from Monday on, by ISO 8601: the first has the year's first Thursday.
int week_of_year(std::chrono::local_days day);
/// The days of its year that follow a day.
int days_left_in_year(std::chrono::local_days day);
/// How many days a day's month has.
int days_in_month(std::chrono::local_days day);

}  // namespace parley::date_time
