#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <parley/skill.hpp>
#include <parley/text.hpp>
#include <parley/utterance_words.hpp>
#include <parley/values.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "calendar.hpp"
#include "calendar_answers.hpp"
#include "knowledge.hpp"
#include "sun_answers.hpp"
#include "topics.hpp"

namespace parley::date_time {
namespace {

using std::chrono::local_days;

/// Of fallbacks, before what resembles an intent only a little.
constexpr int kNamedDayPriority = 60;
/// Of fallbacks, before all that only resembles what is asked.
constexpr int kTopicPriority = 13;
/// Tells the time, the date and the weekday, here and elsewhere, and how far away a day is.
class DateTime final : public SunAnswers {
 public:
  static constexpr const char* kAbout = "The time and the date, here and elsewhere.";
  static constexpr std::array kSettings{Option::word(
      "hour_cycle", "auto", "auto 12h 24h", "How times are told; auto: as the language's region does.")};

  void start() override {
    on_intent("what_time", &DateTime::what_time);
    // By its words, not by what resembles them: "is it …" begins many a question.
    on_keywords("part_of_day",
                keywords()
                    .require("is_it")
                    .require("part_of_day")
                    .optionally("part_of_day_beside")
                    .exclude("part_of_day_else"),
                &DateTime::part_of_day);
    on_intent("part_of_day_in", &DateTime::what_time);
    on_intent("what_date", &DateTime::what_date);
    on_intent("what_date_was", &DateTime::what_date_was);
    on_intent("what_weekday", &DateTime::what_weekday);
    on_intent("what_weekday_was", &DateTime::what_weekday_was);
    on_intent("days_until", &DateTime::days_until);
    on_intent("days_since", &DateTime::days_since);
    on_intent("date_and_time", &DateTime::date_and_time);
    on_intent("time_after", &DateTime::time_after);
    on_intent("time_zone", &DateTime::time_zone);
    on_intent("time_difference", &DateTime::time_difference);
    on_intent("sunrise", &DateTime::sunrise);
    on_intent("sunset", &DateTime::sunset);
    on_intent("clocks_change", &DateTime::clocks_change);
    on_intent("clocks_forward", &DateTime::clocks_forward);
    on_intent("clocks_back", &DateTime::clocks_back);
    tell("leap_year", &tell_leap_year);
    tell("next_leap_year", &tell_next_leap_year);
    tell("week_number", &tell_week);
    tell("year_left", &tell_year_left);
    tell("month_days", &tell_month_days);
    on_fallback(kTopicPriority, &DateTime::asks, &DateTime::tell_asked);
    on_fallback(kTopicPriority, &DateTime::asks_lately, &DateTime::tell_lately);
    on_fallback(kNamedDayPriority, &DateTime::names_day, &DateTime::tell_named_day);
  }

 private:
  /// An intent that the calendar alone answers.
  void tell(const char* intent, void (*answer)(Turn, Knowledge&, local_days)) {
    Handler handler = [this, answer](Turn turn) {
      const local_days today = today_here(turn);
      return run(answer, std::move(turn), today);
    };
    on_intent(intent, std::move(handler));
  }
  Task<> run(void (*answer)(Turn, Knowledge&, local_days), Turn turn, local_days today) {
    answer(std::move(turn), knowledge(), today);
    co_return;
  }

  Task<> time_zone(Turn turn) {
    if (const auto spot = known_spot(turn, "place")) tell_zone(turn, *spot);
    co_return;
  }
  Task<> time_difference(Turn turn) {
    const auto follows = asked_lately(turn.text(), turn.lang(), lately(turn.session_key()));
    if (follows) co_return tell_lately(turn, *follows);
    // "How far ahead is it", "what's the difference to here".
    const std::string place = turn.slot("place").value_or("");
    const auto known = lately(turn.session_key()).spot;
    if (known && !turn.slot("other") &&
        (says("lately_that", place, turn.lang()) || says("lately_here", place, turn.lang())))
      co_return tell_difference(turn, *known, Spot{zone_here(turn), std::nullopt});
    const auto asked = find_spot(turn) && find_spot(turn, "other") ? std::nullopt : asked_of(turn);
    if (asked && asked->topic == Topic::kDifference) co_return co_await tell_asked(turn, *asked);
    const auto there = known_spot(turn, "place");
    if (!there) co_return;
    const auto other = known_spot(turn, "other");
    if (other) tell_difference(turn, *there, *other);
  }
  Task<> sunrise(Turn turn) { return sun_by_slots(std::move(turn), SunEvent::kRise); }
  Task<> sunset(Turn turn) { return sun_by_slots(std::move(turn), SunEvent::kSet); }

  Task<> clocks_change(Turn turn) { return tell_clocks(std::move(turn), std::nullopt); }
  Task<> clocks_forward(Turn turn) { return tell_clocks(std::move(turn), true); }
  Task<> clocks_back(Turn turn) { return tell_clocks(std::move(turn), false); }

  /// @param forward  nothing: either way
  Task<> tell_clocks(Turn turn, std::optional<bool> forward) {
    const auto change = next_clock_change(zone_here(turn), clock().wall(), forward);
    if (!change) co_return turn.speak_dialog("clocks_never");
    Answer answer(turn, knowledge(), change->forward ? "clocks_forward" : "clocks_back");
    answer.say({{"date", answer.speech().date(change->day)}});
  }

  Task<> sun_by_slots(Turn turn, SunEvent event) {
    const std::string said = turn.slot("place").value_or("");
    auto where_and_when = said.empty()
                              ? std::optional(PlaceAndDay{Spot{zone_here(turn), std::nullopt}, std::nullopt})
                              : place_and_day(turn, said);
    const auto date = turn.slot("date");
    if (!where_and_when || (date && !find_date(turn, *date, Toward::kFuture))) {
      // "At what time does the sun rise tomorrow, I want to go fishing": the slot has more than a day
      const auto asked = asked_of(turn);
      if (asked && (asked->topic == Topic::kSunrise || asked->topic == Topic::kSunset))
        co_return co_await tell_asked(turn, *asked);
    }
    if (!where_and_when) co_return unknown(turn, "unknown_place", {{"place", said}});
    co_await sun_of(turn, event, *std::move(where_and_when));
  }

  Task<> what_time(Turn turn) {
    std::string place = turn.slot("place").value_or("");
    // "My sister lives in Montreal, what time is it with her".
    if (place.empty() || (!spot_of(place, turn) && spots_in(place, turn).empty())) {
      const auto named = topics_of(turn.text(), turn.lang(), today_here(turn)).places();
      if (named.size() == 1) place = named.front();
    }
    // "And over there what time is it" only resembles what asks for the time here.
    const UtteranceWords said(turn.text(), turn.lang(), locale());
    const auto there = said.find("about_there");
    if (place.empty() && there && !turn.understand(turn.text(), {"what_time"})) {
      const auto& spot = lately(turn.session_key()).spot;
      if (!spot) co_return unknown(turn, "unknown_place", {{"place", std::string(said.surface_of(*there))}});
      co_return tell_time(turn, Spot(*spot));
    }
    tell_times(turn, place);
  }

  /// "Is it dark in Sydney yet": the words that say neither that nor "in" and "yet" are the place.
  Task<> part_of_day(Turn turn) {
    const auto said = words(turn.text(), turn.lang());
    std::string place;
    for (std::span<const Word> rest = said; !rest.empty();) {
      const std::size_t known = said_of_part_of_day(turn, rest);
      if (known == 0) place.append(place.empty() ? "" : " ").append(surface(turn.text(), rest.first(1)));
      rest = rest.subspan(std::max<std::size_t>(known, 1));
    }
    tell_times(turn, place);
    co_return;
  }

  /// How many words at the beginning are a phrase of the question.
  std::size_t said_of_part_of_day(const Turn& turn, std::span<const Word> said) const {
    constexpr std::size_t kLongest = 6;
    for (std::size_t count = std::min(kLongest, said.size()); count > 0; --count) {
      const std::string phrase(surface(turn.text(), said.first(count)));
      for (const char* const voc : {"is_it", "part_of_day", "part_of_day_beside"}) {
        if (says(voc, phrase, turn.lang())) return count;
      }
    }
    return 0;
  }

  /// @param places  one or several; empty: here
  void tell_times(const Turn& turn, const std::string& places) {
    const auto one =
        places.empty() ? std::optional(Spot{zone_here(turn), std::nullopt}) : spot_of(places, turn);
    const auto spots = one ? std::vector<Spot>(1, *one) : spots_in(places, turn);
    for (const Spot& spot : spots) tell_time(turn, spot);
    if (spots.empty()) unknown(turn, "unknown_place", {{"place", places}});
  }

  Task<> date_and_time(Turn turn) {
    const Spot here{zone_here(turn), std::nullopt};
    tell_today(turn, Wanted::kDate, here);
    tell_time(turn, here);
    co_return;
  }

  /// "What time will it be in an hour".
  Task<> time_after(Turn turn) {
    const std::string span = turn.slot("span").value_or(turn.text());
    const auto now = clock().wall();
    const auto value = read_value(SlotType::kDuration, span, turn.lang(), zone_here(turn).local(now));
    if (!value) co_return unknown(turn, "unknown_date", {{"date", span}});
    Answer answer(turn, knowledge(), "time_then");
    answer.say(
        {{"time", answer.speech().time(zone_here(turn).local(now + value->duration()), hour_cycle())}});
  }

  Task<> what_date(Turn turn) { return tell_day(std::move(turn), Wanted::kDate, Toward::kFuture); }
  Task<> what_date_was(Turn turn) {
    if (turn.slot("date").value_or(turn.slot("told").value_or("")).empty()) {  // "yesterday's date"
      const DateInWords yesterday{today_here(turn) - std::chrono::days(1), {}, {}};
      tell_other_day(turn, Wanted::kDate, yesterday);
      co_return;
    }
    co_await tell_day(turn, Wanted::kDate, Toward::kPast);
  }
  Task<> what_weekday(Turn turn) { return tell_day(std::move(turn), Wanted::kWeekday, Toward::kFuture); }
  Task<> what_weekday_was(Turn turn) { return tell_day(std::move(turn), Wanted::kWeekday, Toward::kPast); }
  Task<> days_until(Turn turn) {
    tell_distance(turn, Toward::kFuture);
    co_return;
  }

  bool asks(const Query& query) {
    const local_days today = zone_of(query.time_zone).today(clock().wall());
    return topics_of(query.utterances.front(), query.lang, today).asked().has_value();
  }
  Task<> tell_asked(Turn turn) {
    const auto asked = asked_of(turn);
    if (asked) co_await tell_asked(turn, *asked);
  }
  Task<> tell_asked(Turn turn, Asked asked) {
    std::vector<Spot> spots;
    for (const std::string& place : asked.places)
      if (auto spot = spot_of(place, turn)) spots.push_back(*std::move(spot));
    if (asked.topic == Topic::kClocks) co_return co_await tell_clocks(turn, asked.forward);
    if (asked.topic == Topic::kSunrise) co_return co_await sun(turn, SunEvent::kRise, spots, asked.on);
    if (asked.topic == Topic::kSunset) co_return co_await sun(turn, SunEvent::kSet, spots, asked.on);
    const Spot here{zone_here(turn), std::nullopt};
    if (spots.size() < 2) spots.push_back(here);
    tell_topic(turn, asked, spots);
  }
  /// @param spots  one or two; the last is here where no other is named
  void tell_topic(const Turn& turn, const Asked& asked, const std::vector<Spot>& spots) {
    switch (asked.topic) {
      case Topic::kTime:
        return tell_time(turn, spots.front());
      case Topic::kDifference:
        return tell_difference(turn, spots.front(), spots.back());
      case Topic::kLeapYear:
        if (!asked.on) return tell_next_leap_year(turn, knowledge(), today_here(turn));
        return tell_leap_year_of(turn, std::chrono::year_month_day(*asked.on).year());
      case Topic::kWeek:
        return tell_week(turn, knowledge(), today_here(turn));
      case Topic::kMonthDays:
        return tell_days_of_month(turn, knowledge(), *asked.on);
      default:
        break;
    }
    const Wanted wanted = asked.topic == Topic::kDate ? Wanted::kDate : Wanted::kWeekday;
    if (!asked.on) return tell_today(turn, wanted, spots.front());
    tell_other_day(turn, wanted, DateInWords{*asked.on, {}, {}, true});
  }
  bool names_day(const Query& query) {
    const std::string& text = query.utterances.front();
    if (!asked_of_day(text, query.lang)) return false;
    const local_days today = zone_of(query.time_zone).today(clock().wall());
    const auto found = named_day(text, query.lang, today, toward(text, query.lang));
    return found && found->day != today;
  }
  Task<> tell_named_day(Turn turn) {
    const auto wanted = asked_of_day(turn.text(), turn.lang());
    const Toward way = toward(turn.text(), turn.lang());
    const auto found = named_day(turn, way);
    if (!wanted || !found) co_return;
    if (*wanted == Wanted::kDistance)
      tell_distance_to(turn, *found, way);
    else
      tell_other_day(turn, *wanted, *found);
  }
  Task<> days_since(Turn turn) {
    tell_distance(turn, Toward::kPast);
    co_return;
  }

  // ---- with what was told before

  bool asks_lately(const Query& query) {
    const auto follows = asked_lately(query.utterances.front(), query.lang, lately(query.session_key()));
    if (!follows) return false;
    // A place alone, right behind a time that was told, is the intent stage's: the same of another.
    const auto& active = query.session->converse_handlers;
    const bool was_last = active && !active->empty() && active->front().skill_id == skill_id();
    return !was_last || follows->topic != Topic::kTime || follows->place.empty();
  }
  Task<> tell_lately(Turn turn) {
    const auto follows = asked_lately(turn.text(), turn.lang(), lately(turn.session_key()));
    if (follows) tell_lately(turn, *follows);
    co_return;
  }
  void tell_lately(const Turn& turn, const Follows& follows) {
    const Lately known = lately(turn.session_key());
    if (follows.wanted) {
      const Toward way = toward(turn.text(), turn.lang());
      return *follows.wanted == Wanted::kDistance ? tell_distance_to(turn, *known.day, way)
                                                  : tell_other_day(turn, *follows.wanted, *known.day);
    }
    if (follows.topic == Topic::kSunrise) return tell_sun_lately(turn, SunEvent::kRise, *known.sun);
    if (follows.topic == Topic::kSunset) return tell_sun_lately(turn, SunEvent::kSet, *known.sun);
    const Spot here{zone_here(turn), std::nullopt};
    const Spot& unnamed = follows.topic == Topic::kTime ? *known.spot : here;
    const auto named = follows.place.empty() ? std::optional(unnamed) : spot_of(follows.place, turn);
    if (!named) return unknown(turn, "unknown_place", {{"place", follows.place}});
    if (follows.topic == Topic::kTime) return tell_time(turn, *named);
    tell_difference(turn, *known.spot, *named);
  }
  void tell_time(const Turn& turn, const Spot& spot) {
    note_spot(turn, spot, true);
    const auto now = clock().wall();
    const auto local = spot.zone.local(now);
    if (!spot.place) {
      Answer answer(turn, knowledge(), "time_here");
      return answer.say({{"time", answer.speech().time_alone(local, hour_cycle())}});
    }
    const local_days day = spot.zone.today(now);
    const bool other_day = day != zone_here(turn).today(now);
    Answer answer(turn, knowledge(), other_day ? "time_in_place_other_day" : "time_in_place");
    Slots slots{{"where", where(spot, answer)}, {"time", answer.speech().time(local, hour_cycle())}};
    if (other_day) slots["weekday"] = answer.speech().weekday(day);
    answer.say(std::move(slots));
  }

  /// "When's the sun going down": a template for days has taken what is asked of something else.
  Task<> tell_day(Turn turn, Wanted wanted, Toward toward) {
    const auto date = turn.slot("date");
    const bool is_day = date && find_date(turn, *date, toward);
    const auto asked = is_day ? std::nullopt : asked_of(turn);
    const bool other_topic = asked && asked->topic != Topic::kDate && asked->topic != Topic::kWeekday;
    const bool slot = date || turn.slot("told");
    // "The bill is due in 45 days, which date does that bring us to": what is told in front has no slot.
    const bool is_span = asked && asked->on && !turn.slot("place");
    if (asked && ((slot && other_topic) || is_span)) co_return co_await tell_asked(turn, *asked);
    tell_said_day(turn, wanted, toward);
  }

  void tell_zone(const Turn& turn, const Spot& spot) {
    const auto now = clock().wall();
    Answer answer(turn, knowledge(), spot.place ? "time_zone_in_place" : "time_zone_here");
    Slots slots{{"zone", answer.speech().zone_name(spot.zone.id(), now)}};
    if (spot.place) slots["where"] = where(spot, answer);
    answer.say(std::move(slots));
  }

  /// How much later it is at one place than at the other, which is here when none is named.
  void tell_difference(const Turn& turn, const Spot& one, const Spot& other) {
    note_spot(turn, one, false);
    const auto now = clock().wall();
    const auto ahead = std::chrono::round<std::chrono::minutes>(one.zone.local(now) - other.zone.local(now));
    const bool first_is_ahead = ahead > std::chrono::minutes::zero();
    const Spot& late = first_is_ahead ? one : other;
    const Spot& early = first_is_ahead ? other : one;
    const bool same = ahead == std::chrono::minutes::zero();
    const Spot& named = late.place ? late : early;
    if (!named.place) return tell_time(turn, one);
    Answer answer(turn, knowledge(), same ? "time_same" : late.place ? "time_later" : "time_earlier");
    answer.say({{"where", where(named, answer)}, {"span", answer.speech().span(std::chrono::abs(ahead))}});
  }
};

}  // namespace
}  // namespace parley::date_time

PARLEY_SKILL(parley::date_time::DateTime, "date_time.parley")
