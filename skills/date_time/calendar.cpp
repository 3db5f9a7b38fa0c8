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

int days_in_month(local_days day) {
  const ch::year_month_day date(day);
  return static_cast<int>(static_cast<unsigned>((date.year() / date.month() / ch::last).day()));
}

}  // namespace parley::date_time
