#include "calendar_answers.hpp"

#include "answer.hpp"
#include "calendar.hpp"

namespace parley::date_time {

namespace ch = std::chrono;
using ch::local_days;

void tell_leap_year(Turn turn, Knowledge& knowledge, local_days today) {
  ch::year year = ch::year_month_day(today).year();
  if (const auto said = turn.slot("year")) {
    const auto found = knowledge.tongue(turn.lang()).find_date(*said, today);
    if (!found) return turn.speak_dialog("unknown_date", {{"date", *said}});
    year = ch::year_month_day(found->day).year();
  }
  turn.speak_dialog(year.is_leap() ? "leap_year" : "leap_year_not",
                    {{"year", std::to_string(static_cast<int>(year))}});
}

void tell_week(Turn turn, Knowledge&, local_days today) {
  turn.speak_dialog("week_number", {{"week", std::to_string(week_of_year(today))}});
}

void tell_year_left(Turn turn, Knowledge& knowledge, local_days today) {
  Answer answer(turn, knowledge, "year_left");
  answer.say({{"span", answer.speech().weeks_and_days(days_left_in_year(today))},
              {"days", std::to_string(days_left_in_year(today))}});
}

void tell_month_days(Turn turn, Knowledge& knowledge, local_days today) {
  local_days day = today;
  if (const auto said = turn.slot("month")) {
    const auto found = knowledge.tongue(turn.lang()).find_date(*said, today);
    const bool is_month = found && ch::year_month_day(found->day).day() == ch::day(1);
    if (!is_month) return turn.speak_dialog("unknown_date", {{"date", *said}});
    day = found->day;
  }
  Answer answer(turn, knowledge, "month_days");
  answer.say({{"month", answer.speech().month(day)}, {"days", std::to_string(days_in_month(day))}});
}

}  // namespace parley::date_time
