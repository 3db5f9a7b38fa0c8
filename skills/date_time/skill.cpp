#include <fmt/format.h>
#include <array>

#include <chrono>
#include <filesystem>
#include <optional>
#include <parley/skill.hpp>
#include <string>
#include <utility>
#include <vector>

#include "knowledge.hpp"

namespace parley::date_time {
namespace {

using std::chrono::local_days;

/// One answer in the making: a dialog, and the language its values have to be in.
class Answer {
 public:
  Answer(Turn turn, Knowledge& knowledge, std::string dialog)
      : turn_(std::move(turn)),
        dialog_(std::move(dialog)),
        lang_(turn_.render_lang(dialog_)),
        tongue_(knowledge.tongue(lang_)) {}

  const std::string& lang() const noexcept { return lang_; }
  const Speech& speech() const noexcept { return tongue_.speech; }
  void say(Slots slots) { turn_.speak_dialog(dialog_, std::move(slots)); }

  /// The words for a date that was understood in the utterance's language, which need not be this one.
  DateInWords in_its_language(const DateInWords& date, const Knowledge::Tongue& understood) const {
    if (tongue_.language.tag() == understood.language.tag()) return date;
    const DayNames names = speech().date_names(speech().day(date.day, true));
    return DateInWords{date.day, names.subject, names.until};
  }

 private:
  Turn turn_;
  std::string dialog_;
  std::string lang_;
  const Knowledge::Tongue& tongue_;
};

/// Where a question is about.
struct Spot {
  Zone zone;
  std::optional<Place> place;  ///< Nothing: where they are.
};

/// Whether a question about a day wants its date or its weekday.
enum class Wanted { kDate, kWeekday };

/// Tells the time, the date and the weekday, here and elsewhere, and how far away a day is.
class DateTime final : public Skill {
 public:
  static constexpr const char* kAbout = "The time and the date, here and elsewhere.";
  static constexpr std::array kSettings{Option::word(
      "hour_cycle", "auto", "auto 12h 24h", "How times are told; auto: as the language's region does.")};

  void start() override {
    on_intent("what_time", &DateTime::what_time);
    on_intent("what_date", &DateTime::what_date);
    on_intent("what_date_was", &DateTime::what_date_was);
    on_intent("what_weekday", &DateTime::what_weekday);
    on_intent("what_weekday_was", &DateTime::what_weekday_was);
    on_intent("days_until", &DateTime::days_until);
    on_intent("days_since", &DateTime::days_since);
  }

 private:
  Task<> what_time(Turn turn) {
    if (const auto spot = find_spot(turn)) {
      tell_time(turn, *spot);
    } else {
      turn.speak_dialog("unknown_place", {{"place", *turn.slot("place")}});
    }
    co_return;
  }

  Task<> what_date(Turn turn) {
    tell_day(turn, Wanted::kDate, Toward::kFuture);
    co_return;
  }
  Task<> what_date_was(Turn turn) {
    tell_day(turn, Wanted::kDate, Toward::kPast);
    co_return;
  }
  Task<> what_weekday(Turn turn) {
    tell_day(turn, Wanted::kWeekday, Toward::kFuture);
    co_return;
  }
  Task<> what_weekday_was(Turn turn) {
    tell_day(turn, Wanted::kWeekday, Toward::kPast);
    co_return;
  }
  Task<> days_until(Turn turn) {
    tell_distance(turn, Toward::kFuture);
    co_return;
  }
  Task<> days_since(Turn turn) {
    tell_distance(turn, Toward::kPast);
    co_return;
  }

  void tell_time(const Turn& turn, const Spot& spot) {
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

  void tell_day(Turn turn, Wanted wanted, Toward toward) {
    if (const auto date = turn.slot("date")) {
      const auto found = find_date(turn, *date, toward);
      if (found) return tell_other_day(turn, wanted, *found);
      return turn.speak_dialog("unknown_date", {{"date", *date}});
    }
    if (const auto spot = find_spot(turn)) return tell_today(turn, wanted, *spot);
    // "What day is it in two weeks" asks for no place.
    const std::string place = *turn.slot("place");
    auto found = find_date(turn, place, toward);
    for (const auto& word : knowledge().tongue(turn.lang()).language.before_times()) {
      if (!found) found = find_date(turn, fmt::format("{} {}", word, place), toward);
    }
    if (found) return tell_other_day(turn, wanted, *found);
    turn.speak_dialog("unknown_place", {{"place", place}});
  }

  void tell_today(const Turn& turn, Wanted wanted, const Spot& spot) {
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

  void tell_other_day(const Turn& turn, Wanted wanted, const DateInWords& found) {
    const bool past = found.day < today_here(turn);
    const auto& understood = knowledge().tongue(turn.lang());
    // Who names the weekday wants the date: "Friday falls on a Friday" would be no answer.
    if (wanted == Wanted::kDate || found.weekday_only) {
      Answer answer(turn, knowledge(), past ? "date_of_past_date" : "date_of_date");
      return answer.say({{"date", answer.speech().date(found.day)}});
    }
    Answer answer(turn, knowledge(), past ? "weekday_of_past_date" : "weekday_of_date");
    answer.say({{"date", answer.in_its_language(found, understood).subject},
                {"weekday", answer.speech().weekday(found.day)}});
  }

  void tell_distance(Turn turn, Toward toward) {
    const std::string date = turn.slot("date").value_or(turn.text());
    const auto found = find_date(turn, date, toward);
    if (!found) return turn.speak_dialog("unknown_date", {{"date", date}});
    const auto days = static_cast<int>((found->day - today_here(turn)).count());
    Answer answer(turn, knowledge(), distance_dialog(days, toward));
    const DateInWords spoken = answer.in_its_language(*found, knowledge().tongue(turn.lang()));
    if (days > 1) return answer.say({{"days", std::to_string(days)}, {"until", spoken.until}});
    Slots slots{{"date", spoken.subject}};
    if (days < 0) slots["ago"] = answer.speech().days_from_today(days);
    answer.say(std::move(slots));
  }

  static std::string distance_dialog(int days, Toward asked) {
    if (days < 0) return asked == Toward::kPast ? "days_since" : "days_until_past";
    if (days == 0) return "days_until_today";
    return days == 1 ? "days_until_tomorrow" : "days_until";
  }

  /// @return nothing when the utterance names a place that is not known
  std::optional<Spot> find_spot(const Turn& turn) {
    const auto place = turn.slot("place");
    if (!place) return Spot{zone_here(turn), std::nullopt};
    const auto found = knowledge().places().find(*place, turn.lang());
    if (!found) return std::nullopt;
    if (found->is_here()) return Spot{zone_here(turn), std::nullopt};
    if (const auto zone = knowledge().zone(found->zone)) return Spot{*zone, *found};
    log(LogLevel::kWarning,
        fmt::format("'{}' is in the time zone {}, which this machine does not know: install tzdata", *place,
                    found->zone));
    return std::nullopt;
  }

  std::string where(const Spot& spot, const Answer& answer) {
    return knowledge().places().where(*spot.place, answer.lang());
  }

  std::optional<DateInWords> find_date(const Turn& turn, const std::string& text, Toward toward) {
    return knowledge().tongue(turn.lang()).find_date(text, today_here(turn), toward);
  }

  local_days today_here(const Turn& turn) { return zone_here(turn).today(clock().wall()); }

  Zone zone_here(const Turn& turn) {
    const std::string id = turn.time_zone();
    if (auto zone = knowledge().zone(id)) return *std::move(zone);
    log(LogLevel::kWarning,
        fmt::format("'{}' is no time zone (in the session's location.tz or in the configuration's); "
                    "expected a name such as Europe/Berlin. Answering in UTC",
                    id));
    return knowledge().zone("UTC").value();
  }

  HourCycle hour_cycle() const {
    const std::string& cycle = settings().text("hour_cycle");
    if (cycle == "12h") return HourCycle::k12;
    return cycle == "24h" ? HourCycle::k24 : HourCycle::kOfRegion;
  }

  /// Read at the first question, so that starting takes no time.
  Knowledge& knowledge() {
    if (!knowledge_) knowledge_.emplace(std::filesystem::path(folder()) / "data");
    return *knowledge_;
  }

  std::optional<Knowledge> knowledge_;
};

}  // namespace
}  // namespace parley::date_time

PARLEY_SKILL(parley::date_time::DateTime, "date_time.parley")
