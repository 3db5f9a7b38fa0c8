#include "calendar.hpp"

namespace parley::date_time {

namespace ch = std::chrono;
using ch::local_days;

int week_of_year(local_days day) {
  const local_days thursday = day - (ch::weekday(day) - ch::Monday) + ch::days(3);
  const local_days new_year(ch::year_month_day(thursday).year() / ch::January / 1);
  return static_cast<int>((thursday - new_year) / ch::weeks(1)) + 1;
}

int days_left_in_year(local_days day) {
  const local_days last(ch::year_month_day(day).year() / ch::December / 31);
  return static_cast<int>((last - day).count());
}

bool is_new_year(std::chrono::local_days day) {
  const std::chrono::year_month_day date(day);
  return date.month() == std::chrono::January && date.day() == std::chrono::day(1);
}

int days_in_month(local_days day) {
  const ch::year_month_day date(day);
  return static_cast<int>(static_cast<unsigned>((date.year() / date.month() / ch::last).day()));
}

std::optional<ClockChange> next_clock_change(const Zone& zone, std::chrono::system_clock::time_point now,
                                             std::optional<bool> forward) {
  using std::chrono::hours;
  const auto ahead = [&zone](std::chrono::system_clock::time_point at) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
    return zone.local(seconds).time_since_epoch() - seconds.time_since_epoch();
  };
  constexpr int kHours = 24 * 400;
  auto before = ahead(now);
  for (int hour = 1; hour <= kHours; ++hour) {
    const auto at = now + hours(hour);
    const auto after = ahead(at);
    const bool goes_forward = after > before;
    if (after != before && forward.value_or(goes_forward) == goes_forward)
      return ClockChange{zone.today(at), goes_forward};
    before = after;
  }
  return std::nullopt;
}

}  // namespace parley::date_time
