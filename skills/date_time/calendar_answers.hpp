#pragma once

#include <chrono>
#include <parley/turn.hpp>

#include "knowledge.hpp"

namespace parley::date_time {

// Each says what the calendar has to say to one intent.

/// Whether a year is a leap year: that of slot `year`, else this one.
void tell_next_leap_year(Turn turn, Knowledge& knowledge, std::chrono::local_days today);
void tell_leap_year(Turn turn, Knowledge& knowledge, std::chrono::local_days today);
void tell_week(Turn turn, Knowledge& knowledge, std::chrono::local_days today);
/// What is left of the year.
void tell_year_left(Turn turn, Knowledge& knowledge, std::chrono::local_days today);
/// How many days a month has: that of slot `month`, else this one.
void tell_month_days(Turn turn, Knowledge& knowledge, std::chrono::local_days today);

}  // namespace parley::date_time
