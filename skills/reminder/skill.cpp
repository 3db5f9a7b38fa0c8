#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/link_words.hpp>
#include <parley/locale.hpp>
#include <parley/moments.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <parley/utterance_words.hpp>
#include <parley/zone.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slot_reader.hpp"

namespace parley::reminder {
namespace {

namespace ch = std::chrono;

/// More would be no reminder but a letter, which nobody wants to hear.
constexpr std::size_t kLongestWhat = 500;
/// Later than that and the user hears that it is late.
constexpr ch::minutes kLate(1);
constexpr ch::days kFarthest(3660);
/// So long after it was told something can be put off.
constexpr ch::hours kSnoozable(1);
/// Asked before what only resembles a template.
constexpr int kRequestPriority = 17;

/// Reminders and alarms. All of them are in the schedule, so they last.
class Reminder final : public SlotReader {
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
    on_intent("skip", &Reminder::skip);
    on_intent("cancel_one", &Reminder::cancel, in_context("reminders"));
    on_intent("cancel_that", &Reminder::cancel_that, in_context("reminders"));
    on_intent("forget_that", &Reminder::cancel_that, in_context("just_spoken_of"));
    on_intent("cancel_all", &Reminder::cancel_all);
    on_intent("cancel_them", &Reminder::cancel_all, in_context("reminders"));
    on_intent("when_that", &Reminder::when_that, in_context("reminders"));
    on_intent("move", &Reminder::move);
    on_intent("move_that", &Reminder::move, in_context("reminders"));
    on_intent("snooze", &Reminder::snooze);
    on_fallback(kRequestPriority, &Reminder::is_request, &Reminder::do_request);
    on_converse(&Reminder::goes_on, &Reminder::go_on);
    on_due(kDue, &Reminder::due);
    start_asking();
  }

 private:
  // ---- in any words

  bool is_request(const Query& query) {
    return !leaves_out(query) && (request_of(query).has_value() || is_no_answer(query));
  }
  /// "No alarm tomorrow", which the intent `skip` takes: neither a new one nor a "no".
  bool leaves_out(const Query& query) const {
    return mentions("no_alarm", query.utterances.front(), query.lang);
  }

  Task<> do_request(Turn turn) {
    auto request = request_of(turn);
    if (!request) co_return ask_again(turn);
    switch (request->wish) {
      case Wish::kList:
        co_return co_await list(std::move(turn));
      case Wish::kWhen:
        co_return co_await tell_named(std::move(turn));
      case Wish::kCancel:
        co_return co_await cancel_one(std::move(turn), true);
      case Wish::kMove:
        co_await move_by(turn, std::move(request->when));
        co_return note_by_words(turn);
      case Wish::kAnswer:
        co_await set_answered(turn, std::move(*request));
        co_return note_by_words(turn);
      case Wish::kRemind:
      case Wish::kAlarm:
        co_return co_await set_new(std::move(turn), std::move(*request));
    }
  }

  /// What was asked for is known by now.
  Task<> set_answered(Turn turn, Request answer) {
    auto wanted = answered(turn, std::move(answer));
    if (!wanted) co_return;
    if (!wanted->replaced && co_await is_full(turn)) co_return;
    co_await set(std::move(turn), std::move(*wanted));
  }

  void ask_again(Turn turn) {
    SpeakOptions listening;
    listening.listen = true;
    turn.speak_dialog("when_again", Slots(), listening);
    turn.not_understood();
  }

  ConverseAnswer goes_on(const Query& query) {
    if (leaves_out(query)) return false;
    return takes_answer(query).yes() || (query.session != nullptr && is_of_one_there(query));
  }
  Task<> go_on(Turn turn) {
    if (gives_up(turn.text(), turn.lang())) {
      forget_asked(turn);
      co_return turn.speak_dialog("never_mind");
    }
    co_await do_request(std::move(turn));
  }

  Task<> set_new(Turn turn, Request request) {
    forget_latest(turn);
    if (co_await is_full(turn)) co_return;
    Wanted wanted;
    wanted.is_alarm = request.wish == Wish::kAlarm;
    wanted.what = std::move(request.what);
    wanted.moment = std::move(request.moment);
    wanted.said = std::move(request.when);
    if (wanted.is_alarm && wanted.moment) prefer_morning(turn, wanted.said, *wanted.moment);
    co_await ask_what_and_set(std::move(turn), std::move(wanted));
  }

  // ---- setting

  Task<> remind(Turn turn) {
    // "Remind me of the pills at eight instead": of what there is already.
    if (mentions("talk_instead", turn.text(), turn.lang()))
      if (auto request = request_of(turn); request && request->wish == Wish::kMove)
        co_return co_await move_by(std::move(turn), std::move(request->when));
    if (!turn.corrects()) forget_latest(turn);
    Wanted wanted;
    wanted.replaced = co_await corrected(turn);
    read_behind(turn, wanted);
    if (turn.slot("front"))
      read_in_front(turn, said_in(turn, "front"), wanted);
    else if (locale().vocabulary_equals(turn.lang(), "it", words(wanted.what, turn.lang())))
      wanted.what.clear();  // "remind me of it at five": of what?
    wanted.moment = of_every_month(turn.text(), wanted.said, turn.lang(), std::move(wanted.moment));
    of_every_day(turn, wanted);
    if (!wanted.replaced && co_await is_full(turn)) co_return;
    if (wanted.what.empty() && !turn.slot("front") && !turn.slot("what")) read_beside(turn, wanted);
    if (locale().vocabulary_equals(turn.lang(), "wish_aside", words(wanted.what, turn.lang())))
      wanted.what.clear();  // "remind me, please"
    if (!wanted.replaced) read_whole(turn, wanted);
    co_await ask_what_and_set(std::move(turn), std::move(wanted));
  }

  Task<> ask_what_and_set(Turn turn, Wanted wanted) {
    if (wanted.what.empty() && !wanted.is_alarm) {
      const Reply<std::string> answer = co_await turn.ask("what");
      // After another question the user is elsewhere.
      if (!answer && answer.end() != AskEnd::kReplaced) turn.speak_dialog("never_mind");
      if (!answer) co_return;
      wanted.what = without_links(*answer, turn.lang());
    }
    co_await set(turn, std::move(wanted));
  }

  Task<> alarm(Turn turn) {
    if (!turn.corrects()) forget_latest(turn);
    Wanted wanted;
    wanted.is_alarm = true;
    wanted.said = said_of_alarm(turn);
    wanted.replaced = co_await corrected(turn);
    wanted.moment = alarm_time(turn, wanted.said, wanted.replaced);
    if (!wanted.replaced && co_await is_full(turn)) co_return;
    if (wanted.moment) wanted.what = without_links(wanted.moment->rest, turn.lang());
    if (!wanted.moment || lacks_time(*wanted.moment)) {  // of which slots got a part or nothing
      auto whole = find_moment(turn.text(), turn.lang(), here(turn).now);
      if (whole && !lacks_time(*whole)) wanted.moment = std::move(whole);
    }
    read_whole_alarm(turn, wanted);
    if (wanted.moment && !wanted.replaced) prefer_morning(turn, wanted.said, *wanted.moment);
    if (locale().vocabulary_equals(turn.lang(), "early", words(wanted.what, turn.lang())))
      wanted.what.clear();
    co_await set(turn, std::move(wanted));
  }

  /// "Move it to six", "push my alarm back by an hour".
  Task<> move(Turn turn) {
    std::string said = said_in(turn, "to");
    co_await move_by(std::move(turn), std::move(said));
  }

  /// @param said  when it is to be from now on
  Task<> move_by(Turn turn, std::string said) {
    Entries all = co_await asked_about(turn);
    const bool is_named = slot_which(turn) || !alike(all, turn.text(), turn.lang()).empty();
    const auto newest = is_named ? std::nullopt : latest_id(turn);
    for (std::size_t i = 0; newest && i < all.size(); ++i) {
      if (all[i].id == *newest) all = Entries(1, all[i]);
    }
    const auto meant = co_await which_of(turn, std::move(all));
    if (!meant) co_return;
    const Scheduled& one = meant->front();
    Wanted wanted;
    wanted.is_alarm = is_alarm(one.payload());
    wanted.what = what_for(one.payload());
    wanted.replaced.emplace(one.id, here(turn).zone.local(one.due));
    wanted.said = std::move(said);
    const ch::local_seconds due = wanted.replaced->due;
    std::optional<ch::minutes> time;  // where it is all that is said
    if (const auto delay = turn.slot_value("delay")) {
      const ch::local_seconds later = due + ch::floor<ch::seconds>(delay->duration());
      wanted.moment.emplace(Duration(later - here(turn).now));
      time = ch::floor<ch::minutes>(later - ch::floor<ch::days>(later));
    } else {
      wanted.moment = alarm_time(turn, wanted.said, wanted.replaced);
      if (!wanted.moment) read_where_to(turn, wanted);
      if (!wanted.moment) wanted.moment = find_moment(turn.text(), turn.lang(), here(turn).now);
      if (wanted.moment && wanted.moment->date && lacks_time(*wanted.moment)) {  // "to Friday"
        wanted.moment->date->time = ch::floor<ch::minutes>(due - ch::floor<ch::days>(due));
        wanted.keeps_time = true;
      }
      if (names_no_day(wanted.said, turn.lang(), due)) time = time_of_day(wanted.moment);
      if (const auto other = in_half_said(wanted.said, turn.lang(), due)) {
        wanted.moment.emplace(CalendarDate(ch::floor<ch::days>(due), *other));
        time = other;
      }
    }
    const bool repeats_still = time || (wanted.moment && wanted.moment->repeat);
    if (one.rule && wanted.moment && !repeats_still)  // a day would end what repeats
      co_return turn.speak_dialog("repeats", {{"when", say_rule(*one.rule, turn.render_lang("repeats"))}});
    if (one.rule && time) {
      SpokenRepeat repeat(one.rule->kind(), one.rule->day());
      repeat.time = time;
      wanted.moment.emplace(repeat);
    }
    co_await set(turn, std::move(wanted));
  }

  /// "To eleven instead", "auf elfe": what the slot has beside a time, or as it is spoken.
  void read_where_to(const Turn& turn, Wanted& wanted) {
    const std::string written = heard(turn.lang()).as_written(wanted.said);
    wanted.moment = alarm_time(turn, written, wanted.replaced);
    if (wanted.moment) wanted.said = written;
    if (wanted.moment) return;
    const auto request = request_of(turn);
    if (!request || request->wish != Wish::kMove) return;
    wanted.said = request->when;
    wanted.moment = alarm_time(turn, wanted.said, wanted.replaced);
  }

  /// What the turn corrects.
  Task<std::optional<Replaced>> corrected(Turn turn) {
    if (!turn.corrects()) co_return std::nullopt;
    const Entries before = co_await latest(turn);
    if (before.empty()) co_return std::nullopt;
    co_return Replaced(before.front().id, here(turn).zone.local(before.front().due));
  }

  Task<> set(Turn turn, Wanted wanted) {
    if (wanted.what.size() > kLongestWhat) co_return turn.speak_dialog("too_long");
    if (asks_when(turn, wanted)) co_return;
    if (!wanted.is_alarm && !wanted.keeps_time)
      wanted.moment = in_half_meant(turn, std::move(*wanted.moment), wanted.said, wanted.replaced);
    co_await keep(turn, std::move(wanted));
  }

  Task<> keep(Turn turn, Wanted wanted) {
    const Here place = here(turn);
    const SpokenMoment& moment = *wanted.moment;
    const std::string dialog =
        wanted.is_alarm ? (wanted.what.empty() ? "set_alarm" : "set_alarm_named") : "set";
    const std::string lang = turn.render_lang(dialog);
    const Json payload = payload_of(wanted.is_alarm, wanted.what);
    const Known known_now(wanted.what, time_of_day(moment));
    std::string when;
    std::string id;
    try {
      if (moment.repeat) {
        const ScheduleRule rule = rule_of(*moment.repeat);
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
      if (wanted.replaced) co_await schedule().cancel(wanted.replaced->id);
      note_latest(turn, id, known_now);
    } catch (const StorageError& error) {
      log(LogLevel::kError, error.what());
      co_return turn.speak_dialog("not_kept");
    }
    remember_topic(turn);
    auto known = known_of(turn.owner());
    known.push_back(known_now);
    note_known(turn.owner(), std::move(known));
    turn.speak_dialog(dialog, {{"when", when}, {"what", wanted.what}});
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

  // ---- telling

  Task<> due(Due due) {
    const Json payload = due.payload();
    if (skips(payload, due.due())) co_return;
    const std::string what = what_for(payload);
    Turn turn = due.turn;
    told_.note(turn.message(), payload, clock().now());
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
    const Json* const last = told_.find(turn.session_key(), clock().now());
    if (!last) co_return turn.speak_dialog("nothing_to_snooze");
    const Json payload = *last;
    Duration length = settings().duration("snooze");
    if (turn.slot("delay")) {
      const auto delay = turn.slot_value("delay");
      if (!delay) co_return turn.speak_dialog("when_again");
      length = delay->duration();
    }
    silence(turn.session_key());
    if (co_await is_full(turn)) co_return;
    co_await schedule().at(clock().wall() + length, kDue, payload, turn);
    told_.forget(turn.session_key());
    turn.speak_dialog("snoozed", {{"when", in_words(turn, here(turn), length)}});
  }

  /// The last thing each session was told, for whoever puts it off.
  SessionMemory<Json> told_{kMostTold, kSnoozable};
};

}  // namespace
}  // namespace parley::reminder

PARLEY_SKILL(parley::reminder::Reminder, "reminder.parley")
