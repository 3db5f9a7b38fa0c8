#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "language.hpp"
#include "speech.hpp"

namespace parley::date_time {

/// A day the user spoke of.
struct SpokenDate {
  std::chrono::local_days day;
  std::string subject;  ///< As it begins a sentence: "Christmas", "December 24, 2027", "Der 24. Dezember"
  std::string until;    ///< As it follows "until": "Christmas", "December 24, 2027", "zum 24. Dezember"
};

/// Which day is meant by one that comes round again: what "is" Christmas, what "was" Christmas.
enum class Toward { kFuture, kPast };

/// Understands a date as people say it: holidays ("christmas", "ostern 2027"), dates in any order of day,
/// month and year ("the 3rd of march", "24. dezember", "2026-12-24"), weekdays, "tomorrow", "in two weeks",
/// "three days ago", "next month".
///
/// Without a year it is the next such day, today included; with "next" ("next friday") the first after
/// today, with "last", or toward the past, the latest before today. A month or year alone is its first day.
/// @param today  the day it is where the user is
/// @return nothing when that is no date, or one that does not exist ("31 february")
std::optional<SpokenDate> find_date(std::string_view text, std::chrono::local_days today, Toward toward,
                                    const Language& language, const Speech& speech);

}  // namespace parley::date_time
