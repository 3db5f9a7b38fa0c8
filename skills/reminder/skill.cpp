#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/choices.hpp>
#include <parley/link_words.hpp>
#include <parley/locale.hpp>
#include <parley/moments.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <parley/zone.hpp>
#include <string>
#include <utility>
#include <vector>

#include "entries.hpp"
#include "ringer.hpp"
#include "told.hpp"

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

constexpr const char* kDue = "remind";
/// More would be no reminder but a letter, which nobody wants to hear.
constexpr std::size_t kLongestWhat = 500;
/// Later than that and the user hears that it is late.
constexpr ch::minutes kLate(1);
constexpr ch::days kFarthest(3660);
/// So long after it was told something can be put off.
constexpr ch::hours kSnoozable(1);
/// So long after it was set something can be corrected.
constexpr ch::minutes kCorrectable(2);
/// Sessions whose last reminder can be put off.
constexpr std::size_t kMostTold = 1000;
/// Of a longer list only the next ones are said.
constexpr std::size_t kMostSaid = 10;

/// Reminders and alarms. All of them are in the schedule, so they last.
class Reminder final : public Ringer {
 public:
  static constexpr const char* kAbout = "Reminders and alarms.";
  static constexpr std::array kSettings{
      Option::integer("max_reminders", "100", 1, 1000, "How many reminders and alarms one owner may have."),
      Option::integer("rings", "10", 1, 100, "How often an alarm rings before it gives up."),
      Option::duration("ring_pause", "15s", ch::seconds(1), ch::minutes(10),
                       "The time from one ring to the next."),
      Option::duration("snooze", "10min", ch::minutes(1), ch::hours(12),
                       "How long a snooze is when the user does not say for how long.")};

  void start() override {
    on_intent("remind", &Reminder::remind);
    on_intent("alarm", &Reminder::alarm);
    on_intent("list", &Reminder::list);
    on_intent("cancel", &Reminder::cancel);
    on_intent("cancel_one", &Reminder::cancel, in_context("reminders"));
    on_intent("cancel_that", &Reminder::cancel_that, in_context("reminders"));
    on_intent("forget_that", &Reminder::cancel_that, in_context("just_spoken_of"));
    on_intent("cancel_all", &Reminder::cancel_all);
    on_intent("cancel_them", &Reminder::cancel_all, in_context("reminders"));
    on_intent("when_that", &Reminder::when_that, in_context("reminders"));
    on_intent("snooze", &Reminder::snooze);
    on_due(kDue, &Reminder::due);
    start_ringing();
  }

 private:
  // ---- setting

  Task<> remind(Turn turn) {
    if (!turn.corrects()) latest_.forget(whose(turn));
    std::string said = turn.slot("what").value_or("");
    if (const auto more = turn.slot("more")) said += ' ' + *more;
    const ch::local_seconds from = co_await reading_from(turn, said);
    auto moment = find_moment(said, turn.lang(), from);
    std::string what = without_links(moment ? moment->rest : said, turn.lang());
    const bool corrects = corrected_by(turn).has_value();
    if (!corrects && co_await is_full(turn)) co_return;
    if (what.empty()) {
      const Reply<std::string> answer = co_await turn.ask("what");
      if (!answer) co_return gave_up(turn, answer.end());
      what = without_links(*answer, turn.lang());
    }
    co_await set(turn, false, std::move(what), std::move(moment), std::move(said));
  }

  Task<> alarm(Turn turn) {
    if (!turn.corrects()) latest_.forget(whose(turn));
    const std::string said = turn.slot("what").value_or("");
    const ch::local_seconds from = co_await reading_from(turn, said);
    auto moment = find_alarm_time(said, turn.lang(), from);
    if (!moment || moment->span || lacks_time(*moment)) {  // "pour sept heures", "for seven"
      auto bare = find_alarm_time(without_links(said, turn.lang()), turn.lang(), from);
      if (bare && (!moment || !lacks_time(*bare))) moment = std::move(bare);
    }
    const bool corrects = corrected_by(turn).has_value();
    if (!corrects && co_await is_full(turn)) co_return;
    std::string what = moment ? without_links(moment->rest, turn.lang()) : std::string();
    if (locale().vocabulary_equals(turn.lang(), "early", words(what, turn.lang()))) what.clear();
    co_await set(turn, true, std::move(what), std::move(moment), said);
  }

  /// When the words are taken to have been said. A correction that has another time of day and no day ("no,
  /// better half past four") means the day, and the half of it, of what it corrects.
  Task<ch::local_seconds> reading_from(Turn turn, std::string said) {
    constexpr ch::hours kHalfOfIt(6);
    const Here place = here(turn);
    const auto corrected = co_await corrected_time(turn);
    if (!corrected) co_return place.now;
    const ch::local_seconds due = *corrected;
    const ch::local_days day = ch::floor<ch::days>(due);
    const auto read_at = [&](ch::local_seconds now) -> std::optional<ch::local_seconds> {
      const auto moment = find_alarm_time(without_links(said, turn.lang()), turn.lang(), now);
      if (!moment || !moment->date || !moment->date->time) return std::nullopt;
      return moment->date->day + *moment->date->time;
    };
    // A time alone is of the same day in the morning and of the next one at midnight; a day's name is
    // neither.
    const auto early = read_at(day), late = read_at(day + ch::days(1) - ch::minutes(1));
    const bool no_day = early && late && ch::floor<ch::days>(*early) == day &&
                        ch::floor<ch::days>(*late) == day + ch::days(1);
    if (!no_day) co_return place.now;
    // Which half of the day it is may have been said as well.
    const bool knows_half = read_at(*early + ch::minutes(1)) == *early + ch::days(1);
    const ch::local_seconds from = knows_half ? ch::local_seconds(day) : due - kHalfOfIt;
    const auto meant = read_at(from);
    co_return meant&&* meant > place.now ? from : place.now;
  }

  /// When that is due which the turn corrects.
  Task<std::optional<ch::local_seconds>> corrected_time(Turn turn) {
    const auto corrected = corrected_by(turn);
    if (!corrected) co_return std::nullopt;
    const Entries all = co_await entries(turn);
    const auto before = std::find_if(all.begin(), all.end(), [&](const Scheduled& one) {
      return one.id == corrected->get<std::string>();
    });
    if (before == all.end()) co_return std::nullopt;
    co_return here(turn).zone.local(before->due);
  }

  /// The moment in the half of the day that is meant where none was said: "make that seven" after "5 PM", of
  /// the same day.
  Task<SpokenMoment> in_half_meant(Turn turn, SpokenMoment moment, std::string said) {
    constexpr ch::hours kMorning(7), kNoon(12);
    const auto& lang = turn.lang();
    if (locale().vocabulary_occurs(lang, "half_of_day", words(said, lang))) co_return moment;
    const auto before = co_await corrected_time(turn);
    const bool was_later = before && moment.date && moment.date->day == ch::floor<ch::days>(*before) &&
                           *before - moment.date->day >= kNoon;
    co_return by_day(std::move(moment), said, lang, here(turn).now, was_later ? kNoon : kMorning);
  }

  /// Asks for what is missing of the time.
  /// @param said  where the moment is from
  Task<> set(Turn turn, bool is_an_alarm, std::string what, std::optional<SpokenMoment> moment,
             std::string said) {
    if (what.size() > kLongestWhat) co_return turn.speak_dialog("too_long");
    AskOptions options;
    options.not_understood = "when_again";
    if (!moment) {
      using Answer = std::pair<SpokenMoment, std::string>;
      const auto read = [this, turn](const std::string& text,
                                     const std::string& lang) -> std::optional<Answer> {
        auto found = find_alarm_time(text, lang, here(turn).now);
        if (!found) return std::nullopt;
        return Answer(std::move(*found), text);
      };
      const std::string dialog = is_an_alarm ? "when_alarm" : "when";
      const Reply<Answer> answer = co_await turn.ask(dialog, read, Slots(), options);
      if (!answer) co_return gave_up(turn, answer.end());
      moment = answer->first;
      said = answer->second;
    }
    if (lacks_time(*moment)) {
      using Answer = std::pair<SpokenMoment, std::string>;
      const auto read = [this, turn, said, moment](const std::string& answer,
                                                   const std::string& lang) -> std::optional<Answer> {
        auto found = completed(*moment, said, answer, lang, here(turn).now);
        if (!found) return std::nullopt;
        return Answer(std::move(*found), said + ' ' + answer);
      };
      const Reply<Answer> whole = co_await turn.ask("what_time", read, Slots(), options);
      if (!whole) co_return gave_up(turn, whole.end());
      moment = whole->first;
      said = whole->second;
    }
    if (!is_an_alarm) moment = co_await in_half_meant(turn, std::move(*moment), said);
    co_await keep(turn, is_an_alarm, std::move(what), *moment);
  }

  Task<> keep(Turn turn, bool is_an_alarm, std::string what, SpokenMoment moment) {
    const Here place = here(turn);
    const std::string dialog = is_an_alarm ? (what.empty() ? "set_alarm" : "set_alarm_named") : "set";
    const std::string lang = turn.render_lang(dialog);
    const Json payload = payload_of(is_an_alarm, what);
    std::string when;
    std::string id;
    try {
      if (moment.repeat) {
        const ScheduleRule rule = moment.repeat->rule(ch::minutes(0));
        when = say_rule(rule, lang);
        id = co_await schedule().repeat(rule, kDue, payload, turn);
      } else {
        const auto due = moment.span ? clock().wall() + ch::floor<ch::seconds>(*moment.span)
                                     : of_date(turn, place, *moment.date);
        if (!due) co_return;
        when = moment.span ? in_words(turn, place, *moment.span)
                           : say_when(place.zone.local(*due), place.now, lang);
        id = co_await schedule().at(*due, kDue, payload, turn);
      }
      if (const auto before = corrected_by(turn)) {
        const auto replaced = before->get<std::string>();
        co_await schedule().cancel(replaced);
      }
      latest_.remember(whose(turn), Json(id), clock().wall());
    } catch (const StorageError& error) {
      log(LogLevel::kError, error.what());
      co_return turn.speak_dialog("not_kept");
    }
    remember_topic(turn);
    turn.speak_dialog(dialog, {{"when", when}, {"what", what}});
  }

  /// Nothing when that is over or too far; then that was said.
  static std::optional<ch::system_clock::time_point> of_date(Turn turn, const Here& place,
                                                             const CalendarDate& date) {
    if (date.day > ch::floor<ch::days>(place.now) + kFarthest) {
      turn.speak_dialog("too_far");
      return std::nullopt;
    }
    const ch::local_seconds local = date.day + *date.time;
    if (local < place.now) {
      turn.speak_dialog("over");
      return std::nullopt;
    }
    return place.zone.moment(local);
  }

  /// "In 20 minutes"; of what is hours away, or days, the time.
  std::string in_words(const Turn& turn, const Here& place, Duration span) const {
    constexpr ch::hours kSoon(6);
    const std::string lang = turn.render_lang("in");
    if (span > kSoon) return say_when(place.now + ch::floor<ch::seconds>(span), place.now, lang);
    return turn.dialog("in", {{"duration", say_duration(span, lang)}});
  }

  Task<bool> is_full(Turn turn) {
    const auto most = static_cast<std::size_t>(settings().integer("max_reminders"));
    const Entries all = co_await entries(turn);
    if (all.size() < most) co_return false;
    turn.speak_dialog("too_many", {{"count", std::to_string(all.size())}});
    co_return true;
  }

  /// The id in the schedule of what the turn corrects, if it does.
  std::optional<Json> corrected_by(const Turn& turn) const {
    if (!turn.corrects()) return std::nullopt;
    return latest_.last(whose(turn), clock().wall() - kCorrectable);
  }
  static std::string whose(const Turn& turn) { return turn.owner() + '/' + turn.session_id(); }

  static void gave_up(Turn turn, AskEnd end) {
    // After another question the user is elsewhere.
    if (end != AskEnd::kReplaced) turn.speak_dialog("never_mind");
  }

  // ---- telling

  Task<> due(Due due) {
    const Json payload = due.payload();
    const std::string what = what_for(payload);
    Turn turn = due.turn;
    told_.remember(turn.session_id(), payload, clock().wall());
    remember_topic(turn);
    if (due.late >= kLate) {
      const Here place = here(turn);
      const std::string dialog =
          is_alarm(payload) ? (what.empty() ? "missed_alarm" : "missed_alarm_named") : "missed";
      turn.speak_dialog(
          dialog, {{"what", what},
                   {"when", say_when(place.zone.local(due.due()), place.now, turn.render_lang(dialog))}});
    } else if (is_alarm(payload)) {
      ring(turn, what);
    } else {
      turn.speak_dialog("reminding", {{"what", what}});
    }
    co_return;
  }

  Task<> snooze(Turn turn) {
    const auto last = told_.last(turn.session_id(), clock().wall() - kSnoozable);
    if (!last) co_return turn.speak_dialog("nothing_to_snooze");
    const Json payload = *last;
    Duration length = settings().duration("snooze");
    if (turn.slot("delay")) {
      const auto delay = turn.slot_value("delay");
      if (!delay) co_return turn.speak_dialog("when_again");
      length = delay->duration();
    }
    silence(turn.session_id());
    if (co_await is_full(turn)) co_return;
    co_await schedule().at(clock().wall() + length, kDue, payload, turn);
    told_.forget(turn.session_id());
    turn.speak_dialog("snoozed", {{"when", in_words(turn, here(turn), length)}});
  }

  // ---- what is to come

  Task<> list(Turn turn) {
    const Entries all = co_await asked_about(turn);
    if (all.empty()) co_return say_none(turn);
    remember_topic(turn);
    const Entries next(all.begin(),
                       all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMostSaid)));
    const std::string dialog = all.size() == 1 ? "list_one" : all.size() > kMostSaid ? "list_some" : "list";
    turn.speak_dialog(dialog, {{"count", std::to_string(all.size())},
                               {"items", say_list(names(turn, next), turn.render_lang(dialog))}});
  }

  void say_none(Turn turn) {
    turn.speak_dialog(mentions("alarm_words", turn.text(), turn.lang()) ? "no_alarms" : "none");
  }

  Task<> cancel(Turn turn) {
    if (!turn.slot("which") && silence(turn.session_id())) co_return turn.speak_dialog("silenced");
    const Entries all = co_await asked_about(turn);
    if (all.empty()) co_return say_none(turn);
    Entries meant = all;
    if (const auto which = turn.slot("which")) {
      meant = meant_by(all, without_links(*which, turn.lang()), turn.lang(), here(turn));
      if (meant.empty()) co_return turn.speak_dialog("no_such", {{"which", *which}});
    }
    if (meant.size() > 1) {
      const auto choices = names(turn, meant);
      const auto read = [this, turn, meant](const std::string& said, const std::string& lang) {
        return chosen(turn, meant, said, lang);
      };
      const Slots slots{{"items", say_list(choices, turn.render_lang("which"))}};
      const Reply<Entries> answer = co_await turn.ask("which", read, slots);
      if (!answer && answer.end() == AskEnd::kReplaced) co_return;
      if (!answer) co_return turn.speak_dialog("nothing_cancelled");
      meant = *answer;
    }
    co_await cancel_these(turn, std::move(meant));
  }

  std::optional<Entries> chosen(const Turn& turn, const Entries& meant, const std::string& said,
                                const std::string& lang) const {
    if (mentions("all", said, lang)) return meant;
    Entries found = meant_by(meant, without_links(said, lang), lang, here(turn));
    if (found.empty()) found = alike(meant, said, lang);
    if (const auto counted = choice_of(names(turn, meant), said, lang, says("last", said, lang));
        counted && found.empty())
      found = Entries(1, meant[*counted]);
    if (found.empty()) return std::nullopt;
    // Those that nobody can tell apart: the next one goes.
    if (found.size() > 1) found.erase(found.begin() + 1, found.end());
    return found;
  }

  /// "When is it": of what was set just now, else of all.
  Task<> when_that(Turn turn) {
    const Entries meant = co_await latest(turn);
    if (meant.empty()) co_return co_await list(turn);
    remember_topic(turn);
    turn.speak_dialog("that", {{"item", names(turn, meant).front()}});
  }

  /// What was set just now; empty where nothing was, or where it is over.
  Task<Entries> latest(Turn turn) {
    const auto id = latest_.last(whose(turn), clock().wall() - kCorrectable);
    if (!id) co_return Entries();
    Entries meant = co_await entries(turn);
    std::erase_if(meant, [&](const Scheduled& one) { return one.id != id->get<std::string>(); });
    co_return meant;
  }

  /// "Cancel it": what was set just now, where something was.
  Task<> cancel_that(Turn turn) {
    Entries meant = co_await latest(turn);
    if (meant.empty()) co_return co_await cancel(turn);
    latest_.forget(whose(turn));
    // The next "it" is something else that was spoken of.
    turn.remove_context("reminders");
    co_await cancel_these(turn, std::move(meant));
  }

  Task<> cancel_all(Turn turn) {
    Entries all = co_await asked_about(turn);
    if (all.empty()) co_return say_none(turn);
    if (all.size() > 1) {
      const Slots slots{{"count", std::to_string(all.size())}};
      const Confirmation sure = co_await turn.confirm("sure_all", slots);
      if (sure.end() == AskEnd::kReplaced) co_return;
      if (!sure.yes()) co_return turn.speak_dialog("nothing_cancelled");
    }
    co_await cancel_these(turn, std::move(all));
  }

  Task<> cancel_these(Turn turn, Entries meant) {
    for (const Scheduled& one : meant) co_await schedule().cancel(one.id);
    if (meant.size() > 1)
      co_return turn.speak_dialog("cancelled_all", {{"count", std::to_string(meant.size())}});
    turn.speak_dialog("cancelled", {{"item", names(turn, meant).front()}});
  }

  std::vector<std::string> names(const Turn& turn, const Entries& these) const {
    const Here place = here(turn);
    std::vector<std::string> all;
    for (const Scheduled& one : these) {
      const std::string what = what_for(one.payload());
      const std::string dialog = !is_alarm(one.payload()) ? "item"
                                 : what.empty()           ? "item_alarm"
                                                          : "item_alarm_named";
      const std::string lang = turn.render_lang(dialog);
      const std::string when =
          one.rule ? say_rule(*one.rule, lang) : say_when(place.zone.local(one.due), place.now, lang);
      all.push_back(turn.dialog(dialog, {{"what", what}, {"when", when}}));
    }
    return all;
  }

  /// What is to come for whoever speaks, the next first.
  Task<Entries> entries(Turn turn) {
    Entries all = co_await schedule().list(kDue);
    std::erase_if(all, [&](const Scheduled& one) { return one.owner != turn.owner(); });
    co_return all;
  }

  /// Those of the kind that was spoken of: alarms, reminders, or ("the one at five") all.
  Task<Entries> asked_about(Turn turn) {
    const bool alarms = mentions("alarm_words", turn.text(), turn.lang());
    const bool reminders = mentions("reminder_words", turn.text(), turn.lang());
    Entries all = co_await entries(turn);
    if (alarms != reminders)
      std::erase_if(all, [&](const Scheduled& one) { return is_alarm(one.payload()) != alarms; });
    co_return all;
  }

  /// "The one at five" or "it" is one of these for a while; "forget it" means one only until something else
  /// is said.
  static void remember_topic(Turn turn) {
    ContextOptions some_turns;
    some_turns.turns = 4;
    turn.set_context("reminders", "", some_turns);
    ContextOptions next_turn;
    next_turn.turns = 1;
    turn.set_context("just_spoken_of", std::nullopt, next_turn);
  }

  Here here(const Turn& turn) const {
    auto zone = Zone::named(turn.time_zone());
    return {zone ? std::move(*zone) : *Zone::named("UTC"), clock().wall()};
  }

  std::string without_links(const std::string& text, const std::string& lang) const {
    return LinkWords(locale(), lang, "link").strip(text, LinkWords::Ends::kFront);
  }

  Told told_{kMostTold};
  Told latest_{kMostTold};  ///< Ids in the schedule of what each session set last, by owner and session.
};

}  // namespace
}  // namespace parley::reminder

PARLEY_SKILL(parley::reminder::Reminder, "reminder.parley")
