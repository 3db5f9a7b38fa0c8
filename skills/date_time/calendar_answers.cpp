#include "calendar_answers.hpp"

#include "answer.hpp"
#include "calendar.hpp"

namespace parley::date_time {

namespace ch = std::chrono;
using ch::local_days;

void tell_leap_year_of(Turn turn, ch::year year) {
  turn.speak_dialog(year.is_leap() ? "leap_year" : "leap_year_not",
                    {{"year", std::to_string(static_cast<int>(year))}});
}

void tell_leap_year(Turn turn, Knowledge& knowledge, local_days today) {
  ch::year year = ch::year_month_day(today).year();
  if (const auto said = turn.slot("year")) {
    const auto found = knowledge.tongue(turn.lang()).find_date(*said, today);
    if (!found) {
      turn.not_understood();
      return turn.speak_dialog("unknown_date", {{"date", *said}});
    }
    year = ch::year_month_day(found->day).year();
  }
  tell_leap_year_of(std::move(turn), year);
}

void tell_next_leap_year(Turn turn, Knowledge&, local_days today) {
  ch::year year = ch::year_month_day(today).year() + ch::years(1);
  while (!year.is_leap()) ++year;
  turn.speak_dialog("next_leap_year", {{"year", std::to_string(static_cast<int>(year))}});
}

void tell_week(Turn turn, Knowledge& knowledge, local_days today) {
  const auto& understood = knowledge.tongue(turn.lang());
  const auto said = understood.date_within(turn.text(), today);
  if (!said || said->day == today)
    return turn.speak_dialog("week_number", {{"week", std::to_string(week_of_year(today))}});
  Answer answer(turn, knowledge, "week_of_date");
  answer.say({{"date", answer.in_its_language(*said, understood).subject},
              {"week", std::to_string(week_of_year(said->day))}});
}

void tell_year_left(Turn turn, Knowledge& knowledge, local_days today) {
  Answer answer(turn, knowledge, "year_left");
  answer.say({{"span", answer.speech().weeks_and_days(days_left_in_year(today))},
              {"days", std::to_string(days_left_in_year(today))}});
}

std::optional<local_days> month_in_words(const Knowledge::Tongue& tongue, const std::string& said,
                                         local_days today) {
  const auto is_first = [](local_days day) { return ch::year_month_day(day).day() == ch::day(1); };
  if (const auto found = tongue.find_date(said, today)) {
    return is_first(found->day) ? std::optional(found->day) : std::nullopt;
  }
  for (auto at = said.find(' '); at != std::string::npos; at = said.find(' ', at + 1)) {
    const auto month = tongue.find_date(said.substr(0, at), today);
    auto year = month ? tongue.find_date(said.substr(at + 1), today) : std::nullopt;
    const auto behind = said.find(' ', at + 1);  // "February got next year"
    if (month && !year && behind != std::string::npos)
      year = tongue.find_date(said.substr(behind + 1), today);
    if (!year || !is_first(month->day) || !is_first(year->day)) continue;
    const ch::year_month_day first(month->day);
    return local_days(ch::year_month_day(year->day).year() / first.month() / first.day());
  }
  return std::nullopt;
}

void tell_month_days(Turn turn, Knowledge& knowledge, local_days today) {
  local_days day = today;
  if (const auto said = turn.slot("month")) {
    const auto found = month_in_words(knowledge.tongue(turn.lang()), *said, today);
    if (!found) return turn.speak_dialog("unknown_date", {{"date", *said}});
    day = *found;
  }
  tell_days_of_month(std::move(turn), knowledge, day);
}

void tell_days_of_month(Turn turn, Knowledge& knowledge, local_days day) {
  Answer answer(turn, knowledge, "month_days");
  answer.say({{"month", answer.speech().month(day)}, {"days", std::to_string(days_in_month(day))}});
}

}  // namespace parley::date_time
