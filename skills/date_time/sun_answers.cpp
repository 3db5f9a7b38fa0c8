#include "sun_answers.hpp"

#include <string>
#include <utility>

#include "answer.hpp"

namespace parley::date_time {

using std::chrono::local_days;

Task<> SunAnswers::sun(Turn turn, SunEvent event, const std::vector<Spot>& spots,
                       std::optional<local_days> on) {
  Spot spot = spots.empty() ? Spot{zone_here(turn), std::nullopt} : spots.front();
  const auto day = on ? std::optional(DateInWords{*on, {}, {}}) : std::nullopt;
  return sun_of(std::move(turn), event, PlaceAndDay{std::move(spot), day});
}

Task<> SunAnswers::sun_of(Turn turn, SunEvent event, PlaceAndDay where_and_when) {
  std::optional<Spot> spot = where_and_when.spot;
  auto at = coordinates(turn, *spot);
  if (!at && !spot->place) {  // nobody said where the user is
    const auto read = [this, turn](const std::string& said, const std::string& /*lang*/) {
      const auto spots = spots_in(said, turn);
      return spots.empty() ? std::nullopt : std::optional(spots.front());
    };
    const Reply<Spot> answer = co_await turn.ask("sun_where", read);
    const bool was_heard = answer.end() == AskEnd::kNotUnderstood || answer.end() == AskEnd::kCancelled;
    if (!answer && was_heard) turn.speak_dialog("sun_nowhere");
    if (!answer) co_return;
    spot = *answer;
    at = coordinates(turn, *spot);
  }
  if (!at)
    co_return unknown(turn, "unknown_place", {{"place", turn.slot("place").value_or(spot->zone.id())}});
  tell_sun(turn, event, *spot, *at, where_and_when.day);
}

void SunAnswers::tell_sun_lately(const Turn& turn, SunEvent event, const Spot& spot) {
  const auto at = coordinates(turn, spot);
  if (at) tell_sun(turn, event, spot, *at, date_within(turn, Toward::kFuture));
}

void SunAnswers::tell_sun(Turn turn, SunEvent event, const Spot& spot, Coordinates at,
                          const std::optional<DateInWords>& on) {
  note_sun(turn, spot);
  local_days day = on ? on->day : spot.zone.today(clock().wall());
  const auto date = on ? std::nullopt : turn.slot("date");
  if (date) {
    auto found = find_date(turn, *date, Toward::kFuture);
    if (!found) found = date_within(turn, Toward::kFuture);
    if (!found) return unknown(turn, "unknown_date", {{"date", *date}});
    day = found->day;
  }
  const auto moment = sun_time(event, day, at);
  const std::string what = event == SunEvent::kRise ? "sunrise" : "sunset";
  const int days = static_cast<int>((day - today_here(turn)).count());
  Answer answer(turn, knowledge(), !moment ? "no_" + what : days == 0 ? what : what + "_on");
  Slots slots{{"day", answer.speech().days_from_today(days)}};
  const auto place = spot.place ? spot.place : city_of(spot.zone);
  slots["where"] = place ? knowledge().places().where(*place, answer.lang()) : spot.zone.id();
  if (moment) slots["time"] = answer.speech().time(spot.zone.local(*moment), hour_cycle());
  answer.say(std::move(slots));
}

}  // namespace parley::date_time
