#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>

namespace parley {

struct YearlyDate {
  std::chrono::month_day on;
};
struct EasterBased {
  std::chrono::days after{};  ///< Counted from Easter Sunday; negative: before it.
};
/// "The fourth Thursday in November"; -1 is the last one of the month.
struct NthWeekday {
  std::chrono::month month;
  std::chrono::weekday weekday;
  int which = 1;
};
/// "The fourth Sunday before Christmas": strictly before that date.
struct WeekdayBefore {
  std::chrono::month_day date;
  std::chrono::weekday weekday;
  int which = 1;
};
struct ComingWeekday {
  std::chrono::weekday weekday;
};
using DayRule = std::variant<YearlyDate, EasterBased, NthWeekday, WeekdayBefore, ComingWeekday>;

/// A day with a name of its own, such as a holiday.
struct NamedDay {
  std::string name;
  DayRule rule;
};

/// Easter Sunday of the Gregorian calendar.
std::chrono::local_days easter(std::chrono::year year);

/// @return nothing when there is no such day that year, or the rule knows no years (ComingWeekday)
std::optional<std::chrono::local_days> day_in(const DayRule& rule, std::chrono::year year);

/// The first such day from `from` on.
std::optional<std::chrono::local_days> first_from(const DayRule& rule, std::chrono::local_days from);
/// The last such day before `end`.
std::optional<std::chrono::local_days> last_before(const DayRule& rule, std::chrono::local_days end);

}  // namespace parley
