#include "language/named_day.hpp"

namespace parley {
namespace {

namespace ch = std::chrono;
using ch::local_days;

// 29 February can stay away for eight years, around 2100.
constexpr int kLongestGap = 8;

std::optional<local_days> if_real(ch::year_month_day date) {
  if (!date.ok()) return std::nullopt;
  return local_days(date);
}

struct InYear {
  ch::year year;

  std::optional<local_days> operator()(const YearlyDate& rule) const {
    return if_real(year / rule.on.month() / rule.on.day());
  }
  std::optional<local_days> operator()(const EasterBased& rule) const { return easter(year) + rule.after; }
  std::optional<local_days> operator()(const NthWeekday& rule) const {
    if (rule.which < 0) return local_days(year / rule.month / rule.weekday[ch::last]);
    const auto date = year / rule.month / rule.weekday[static_cast<unsigned>(rule.which)];
    if (!date.ok()) return std::nullopt;
    return local_days(date);
  }
  std::optional<local_days> operator()(const WeekdayBefore& rule) const {
    const auto date = if_real(year / rule.date.month() / rule.date.day());
    if (!date) return std::nullopt;
    const local_days eve = *date - ch::days(1);
    return eve - (ch::weekday(eve) - rule.weekday) - ch::weeks(rule.which - 1);
  }
  std::optional<local_days> operator()(const ComingWeekday& /*rule*/) const { return std::nullopt; }
};

ch::year year_of(local_days day) {
  return ch::year_month_day(day).year();
}

}  // namespace

// The anonymous algorithm that Meeus gives in "Astronomical Algorithms".
local_days easter(ch::year year) {
  const int y = static_cast<int>(year);
  const int golden = y % 19;
  const int century = y / 100;
  const int skipped = century - century / 4;
  const int epact = (skipped - (8 * century + 13) / 25 + 19 * golden + 15) % 30;
  const int moon = epact - (epact / 28) * (1 - (29 / (epact + 1)) * ((21 - golden) / 11));
  const int weekday = (y + y / 4 + moon + 2 - skipped) % 7;
  return local_days(year / ch::March / 28) + ch::days(moon - weekday);
}

std::optional<local_days> day_in(const DayRule& rule, ch::year year) {
  return std::visit(InYear{year}, rule);
}

std::optional<local_days> first_from(const DayRule& rule, local_days from) {
  if (const auto* coming = std::get_if<ComingWeekday>(&rule)) {
    return from + (coming->weekday - ch::weekday(from));
  }
  for (int i = 0; i <= kLongestGap; ++i) {
    const auto day = day_in(rule, year_of(from) + ch::years(i));
    if (day && *day >= from) return day;
  }
  return std::nullopt;
}

std::optional<local_days> last_before(const DayRule& rule, local_days end) {
  if (const auto* coming = std::get_if<ComingWeekday>(&rule)) {
    const local_days eve = end - ch::days(1);
    return eve - (ch::weekday(eve) - coming->weekday);
  }
  for (int i = 0; i <= kLongestGap; ++i) {
    const auto day = day_in(rule, year_of(end) - ch::years(i));
    if (day && *day < end) return day;
  }
  return std::nullopt;
}

}  // namespace parley
