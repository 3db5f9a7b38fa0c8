#pragma once

#include <chrono>
#include <optional>
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

void tell_leap_year_of(Turn turn, std::chrono::year year);
void tell_days_of_month(Turn turn, Knowledge& knowledge, std::chrono::local_days day);

/// The first day of the month that a text names: "February", "February 2028", "February next year".
std::optional<std::chrono::local_days> month_in_words(const Knowledge::Tongue& tongue,
                                                      const std::string& said, std::chrono::local_days today);

}  // namespace parley::date_time
