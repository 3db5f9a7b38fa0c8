#include "day_answers.hpp"

#include <fmt/format.h>

#include <parley/values.hpp>

#include "answer.hpp"
#include "calendar.hpp"
#include "knowledge.hpp"

namespace parley::date_time {
namespace {

using std::chrono::local_days;

std::string distance_dialog(int days, Toward asked) {
  if (days < 0) return asked == Toward::kPast ? "days_since" : "days_until_past";
  if (days == 0) return "days_until_today";
  return days == 1 ? "days_until_tomorrow" : "days_until";
}

}  // namespace

std::optional<Asked> DayAnswers::asked_of(const Turn& turn) {
  return topics_of(turn.text(), turn.lang(), today_here(turn)).asked();
}

Toward DayAnswers::toward(const std::string& text, const std::string& lang) const {
  return mentions("topic_past", text, lang) ? Toward::kPast : Toward::kFuture;
}

std::optional<DateInWords> DayAnswers::named_day(const Turn& turn, Toward toward) {
  return named_day(turn.text(), turn.lang(), today_here(turn), toward);
}

std::optional<DateInWords> DayAnswers::named_day(const std::string& text, const std::string& lang,
                                                 local_days today, Toward toward) {
  if (auto counted = counted_day(text, lang, today)) return counted;
  return knowledge().tongue(lang).named_day(text, today, toward);
}

std::optional<DateInWords> DayAnswers::counted_day(const std::string& text, const std::string& lang,
                                                   local_days today) {
  const auto day = topics_of(text, lang, today).counted_from_day();
  if (!day) return std::nullopt;
  const auto& speech = knowledge().tongue(lang).speech;
  const DayNames names = speech.date_names(speech.day(*day, true));
  return DateInWords{*day, names.subject, names.until};
}

void DayAnswers::tell_said_day(Turn turn, Wanted wanted, Toward toward) {
  if (const auto counted = counted_day(turn.text(), turn.lang(), today_here(turn)))
    return tell_other_day(turn, wanted, *counted);
  if (const auto told = turn.slot("told")) {
    auto found = date_within(turn, toward);
    const auto named = found && is_new_year(found->day) ? named_day(turn, toward) : std::nullopt;
    if (named) found = named;
    if (found) return tell_other_day(turn, wanted, *found);
    if (asked_of(turn)) return tell_today(turn, wanted, Spot{zone_here(turn), std::nullopt});
    if (const auto before = day_lately(turn, *told)) return tell_other_day(turn, wanted, *before);
    return unknown(turn, "unknown_date", {{"date", *told}});
  }
  if (const auto date = turn.slot("date")) {
    auto found = find_date(turn, *date, toward);
    const auto named = named_day(turn, toward);
    if (!found || (named && is_new_year(found->day))) found = named;  // "2027, when is Easter"
    if (found) return tell_other_day(turn, wanted, *found);
    // "What day is it today, I lose count since I retired": the slot has more than a day.
    if (asked_of(turn)) return tell_today(turn, wanted, Spot{zone_here(turn), std::nullopt});
    if (const auto before = day_lately(turn, *date)) return tell_other_day(turn, wanted, *before);
    return unknown(turn, "unknown_date", {{"date", *date}});
  }
  // "Easter 2027 please, I need the date" only resembles what asks for today.
  const bool only_resembles =
      !turn.understand(turn.text(), {"what_date", "what_date_was", "what_weekday", "what_weekday_was"});
  if (only_resembles && !turn.slot("place")) {
    auto found = named_day(turn, toward);
    // "Tomorrow is which day of the week again"
    if (!found && !mentions("about_today", turn.text(), turn.lang())) found = date_within(turn, toward);
    if (found && found->day != today_here(turn)) return tell_other_day(turn, wanted, *found);
  }
  if (const auto spot = find_spot(turn)) return tell_today(turn, wanted, *spot);
  // "What day is it in two weeks" asks for no place.
  const std::string place = *turn.slot("place");
  auto found = find_date(turn, place, toward);
  for (const auto& word : knowledge().tongue(turn.lang()).language.before_times()) {
    if (!found) found = find_date(turn, fmt::format("{} {}", word, place), toward);
  }
  if (found) return tell_other_day(turn, wanted, *found);
  unknown(turn, "unknown_place", {{"place", place}});
}

void DayAnswers::tell_today(const Turn& turn, Wanted wanted, const Spot& spot) {
  note_spot(turn, spot, false);
  const bool here = !spot.place;
  const std::string dialog = wanted == Wanted::kDate ? "date" : "weekday";
  Answer answer(turn, knowledge(), dialog + (here ? "_here" : "_in_place"));
  const local_days day = spot.zone.today(clock().wall());
  Slots slots;
  if (!here) slots["where"] = where(spot, answer);
  if (wanted == Wanted::kDate) {
    slots["date"] = answer.speech().date(day);
  } else {
    slots["date"] = answer.speech().day(day, false);
    slots["weekday"] = answer.speech().weekday(day);
  }
  answer.say(std::move(slots));
}

void DayAnswers::tell_other_day(const Turn& turn, Wanted wanted, const DateInWords& found) {
  note_day(turn, found);
  const bool past = found.day < today_here(turn);
  const auto& understood = knowledge().tongue(turn.lang());
  // Who names the weekday wants the date: "Friday falls on a Friday" would be no answer.
  if (wanted == Wanted::kDate || found.weekday_only) {
    Answer answer(turn, knowledge(), past ? "date_of_past_date" : "date_of_date");
    return answer.say({{"date", answer.speech().date(found.day)}});
  }
  // Who asks on which day Easter is may want either.
  const std::string dialog = found.moves ? "weekday_of_feast" : "weekday_of_date";
  const std::string past_dialog = found.moves ? "weekday_of_past_feast" : "weekday_of_past_date";
  Answer answer(turn, knowledge(), past ? past_dialog : dialog);
  answer.say({{"day", answer.speech().day(found.day, true)},
              {"date", answer.in_its_language(found, understood).subject},
              {"weekday", answer.speech().weekday(found.day)}});
}

void DayAnswers::tell_distance(Turn turn, Toward toward) {
  const std::string date = turn.slot("date").value_or(turn.text());
  auto found = find_date(turn, date, toward);
  if (!found && toward == Toward::kFuture && tell_time_until(turn, date)) return;
  if (!found) found = day_lately(turn, date);  // "how many days is that from today"
  if (!found) found = named_day(turn, toward);
  if (!found) found = date_within(turn, toward);
  if (!found) return unknown(turn, "unknown_date", {{"date", date}});
  tell_distance_to(turn, *found, toward);
}

void DayAnswers::tell_distance_to(const Turn& turn, const DateInWords& found, Toward toward) {
  note_day(turn, found);
  const auto days = static_cast<int>((found.day - today_here(turn)).count());
  Answer answer(turn, knowledge(), distance_dialog(days, toward));
  const DateInWords spoken = answer.in_its_language(found, knowledge().tongue(turn.lang()));
  if (days > 1) return answer.say({{"days", std::to_string(days)}, {"until", spoken.until}});
  Slots slots{{"date", spoken.subject}};
  if (days < 0) slots["ago"] = answer.speech().days_from_today(days);
  answer.say(std::move(slots));
}

bool DayAnswers::tell_time_until(const Turn& turn, const std::string& text) {
  const auto now = zone_here(turn).local(clock().wall());
  const auto value = read_value(SlotType::kDate, text, turn.lang(), now);
  if (!value || !value->date().time) return false;
  const auto left = std::chrono::local_seconds(value->date().day) + *value->date().time - now;
  Answer answer(turn, knowledge(), "time_until");
  answer.say({{"span", answer.speech().span(std::chrono::ceil<std::chrono::minutes>(left))}});
  return true;
}

}  // namespace parley::date_time
