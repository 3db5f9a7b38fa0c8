#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <parley/numbers.hpp>
#include <parley/skill.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "duration.hpp"
#include "listener.hpp"
#include "request.hpp"
#include "timers.hpp"

namespace parley::timer {
namespace {

using std::chrono::seconds;

constexpr seconds kLongest = std::chrono::hours(24 * 7);
/// Of all sessions together.
constexpr std::size_t kMostInAll = 10'000;
/// The intent context in which "cancel it" and "is it done" mean a timer.
constexpr const char* kSpokenOf = "timers";
/// Asked before what only resembles a template.
constexpr int kRequestPriority = 16;

/// Who began the turn; null: this process.
SenderPtr client_of(const Turn& turn) {
  return turn.message().context().sender;
}

/// What is understood of what people say about timers: sets, tells, changes and cancels them.
class TimerSkill final : public TimerListener {
 public:
  static constexpr const char* kAbout = "Timers.";
  static constexpr std::array kSettings{
      Option::integer("max_timers", "20", 1, 1000, "How many timers a session may have."),
      Option::integer(
          "max_timers_per_client", "1000", 1, 10'000,
          "How many timers all sessions of one connection may have; all clients together: 10000."),
      Option::integer("rings", "5", 1, 100, "How often a timer rings before it gives up."),
      Option::duration("ring_pause", "10s", std::chrono::seconds(1), std::chrono::minutes(10),
                       "The time from one ring to the next.")};

  void start() override {
    on_intent("set", &TimerSkill::set);
    on_intent("set_two", &TimerSkill::set_two);
    on_intent("set_many", &TimerSkill::set_many);
    on_intent("left", &TimerSkill::left);
    on_intent("left_that", &TimerSkill::left, in_context(kSpokenOf));
    on_intent("first", &TimerSkill::first);
    on_intent("list", &TimerSkill::list);
    on_intent("how_many", &TimerSkill::how_many);
    on_intent("pause", &TimerSkill::pause);
    on_intent("resume", &TimerSkill::resume);
    on_intent("extend", &TimerSkill::extend);
    on_intent("shorten", &TimerSkill::shorten);
    on_intent("restart", &TimerSkill::restart);
    on_intent("change", &TimerSkill::change);
    on_intent("change_that", &TimerSkill::change_that, in_context(kSpokenOf));
    on_intent("rename", &TimerSkill::rename);
    on_intent("cancel", &TimerSkill::cancel);
    on_intent("cancel_all", &TimerSkill::cancel_all);
    on_intent("cancel_that", &TimerSkill::cancel, in_context(kSpokenOf));
    on_keywords("left_of_that", keywords().require("is_that").require("is_over").exclude("is_else"),
                &TimerSkill::left, in_context(kSpokenOf));
    on_fallback(kRequestPriority, &TimerSkill::is_request, &TimerSkill::do_request);
    start_keeping();
    on_stop_offer([this](const SessionKey& session) { return has_any(session); },
                  [this](Turn turn) { return offer_to_cancel(std::move(turn)); });
  }

 private:
  // ---- in any words

  bool is_request(const Query& query) {
    return request_in(query.utterances.front(), query.lang, query.session_key()).has_value();
  }

  Task<> do_request(Turn turn) {
    co_await load();
    const auto request = request_in(turn.text(), turn.lang(), turn.session_key());
    if (request) co_await do_this(std::move(turn), *request);
  }

  Task<> do_this(Turn turn, Request request) {
    switch (request.wish) {
      case Wish::kSet:
        co_return co_await set_one_of(std::move(turn), std::move(request));
      case Wish::kExtend:
        co_return co_await extend(std::move(turn));
      case Wish::kShorten:
        co_return co_await shorten(std::move(turn));
      case Wish::kPause:
        co_return co_await pause(std::move(turn));
      case Wish::kResume:
        co_return co_await resume(std::move(turn));
      case Wish::kCancel:
        co_return co_await cancel(std::move(turn));
      case Wish::kLeft:
        co_return co_await left(std::move(turn));
      case Wish::kList:
        co_return co_await list(std::move(turn));
      case Wish::kRename:
        co_return co_await rename_to(std::move(turn), std::move(request.name));
    }
  }

  Task<> set_one_of(Turn turn, Request request) {
    if (is_full(turn)) co_return;
    Spoken wanted;
    wanted.duration = request.duration;
    wanted.rest = std::move(request.name);
    co_await set_one(std::move(turn), std::move(wanted));
  }

  // ---- setting

  Task<> set(Turn turn) {
    co_await load();
    // "Is the timer for the potatoes done yet", of which a template's slots took all but "timer".
    const auto request = request_in(turn.text(), turn.lang(), turn.session_key());
    if (request && request->wish != Wish::kSet && !request->duration && takes_clauses(turn))
      co_return co_await do_this(std::move(turn), *request);
    if (turn.corrects() && timers(turn).size() > 1) {
      std::vector<Id> another = named_within(timers(turn), turn.text(), turn.lang());
      if (another.size() == 1) co_return co_await change_these(turn, std::move(another));
    }
    const std::optional<Id> corrected = corrected_by(turn);
    if (!corrected && is_full(turn)) co_return;
    if (durations(turn.lang()).read(turn.text()).negative) co_return turn.speak_dialog("negative");
    std::vector<Spoken> wanted = said_at_once(turn);
    if (!wanted.front().duration) {
      Spoken answer = co_await ask_how_long(turn, "how_long");
      if (!answer.duration) co_return;
      if (!wanted.front().rest.empty()) answer.rest = wanted.front().rest;
      wanted.assign(1, answer);
      if (is_full(turn)) co_return;
    }
    if (std::vector<Id> known = already_there(turn, wanted); !known.empty())
      co_return co_await change_these(turn, std::move(known));
    if (corrected)
      end_soon(turn.session_key(), [corrected](const Timer& one) { return one.id == *corrected; });
    co_await set_all(turn, std::move(wanted));
  }

  /// Whether slots took nearly all that was said, and none of it is how long.
  bool takes_clauses(const Turn& turn) {
    constexpr std::size_t kMostInName = 4;
    const std::string said = turn.slot("what").value_or("") + ' ' + turn.slot("duration").value_or("");
    return words(said, turn.lang()).size() > kMostInName && !durations(turn.lang()).read(said).duration;
  }

  /// The timer that the turn corrects, if it does: its session's newest, if that was set just now.
  std::optional<Id> corrected_by(const Turn& turn) const {
    constexpr std::chrono::minutes kJustNow(2);
    const std::vector<Timer>& here = timers(turn);
    const auto newest = std::max_element(here.begin(), here.end(),
                                         [](const Timer& a, const Timer& b) { return a.id < b.id; });
    if (!turn.corrects() || newest == here.end() || clock().now() - (newest->due - newest->length) > kJustNow)
      return std::nullopt;
    return newest->id;
  }

  /// "Set the pasta timer to ten minutes", and there is one of that name. "A pasta timer" is another.
  std::vector<Id> already_there(const Turn& turn, const std::vector<Spoken>& wanted) {
    const std::string& name = wanted.front().rest;
    if (wanted.size() != 1 || name.empty() || !is_of_one_known(turn)) return {};
    std::vector<Id> known = named_within(timers(turn), name, turn.lang());
    if (known.size() != 1) known.clear();
    return known;
  }

  /// Whether the first article is "the", and not "a".
  bool is_of_one_known(const Turn& turn) const {
    const auto said = words(turn.text(), turn.lang());
    for (std::size_t at = 0; at < said.size(); ++at) {
      const auto word = std::span(said).subspan(at, 1);
      if (locale().vocabulary_equals(turn.lang(), "new", word)) return false;
      if (locale().vocabulary_equals(turn.lang(), "known", word)) return true;
    }
    return false;
  }

  /// "Two timers, one for {five minutes} and one for {ten}": minutes where nobody says of what.
  Task<> set_two(Turn turn) {
    co_await load();
    std::vector<Spoken> both =
        durations(turn.lang()).read_two(turn.slot("first").value_or(""), turn.slot("second").value_or(""));
    co_await set_all(turn, std::move(both));
  }

  Task<> set_many(Turn turn) {
    co_await load();
    std::vector<Spoken> all = durations(turn.lang()).read_many(turn.slot("all").value_or(""));
    co_await set_all(turn, std::move(all));
  }

  /// Asks for how long where that was not said.
  Task<> set_all(Turn turn, std::vector<Spoken> wanted) {
    const bool any_negative =
        std::any_of(wanted.begin(), wanted.end(), [](const Spoken& one) { return one.negative; });
    if (any_negative) co_return turn.speak_dialog("negative");
    for (Spoken& one : wanted) {
      if (!one.duration) one = co_await ask_how_long(turn, "how_long");
      if (!one.duration || is_full(turn)) co_return;
      co_await set_one(turn, one);
    }
  }

  /// Without a duration when there is none; then that was said.
  Task<Spoken> ask_how_long(Turn turn, std::string dialog) {
    const auto read = [this](const std::string& said, const std::string& lang) {
      Spoken spoken = durations(lang).read_answer(said);
      return spoken.duration || spoken.negative ? std::optional(std::move(spoken)) : std::nullopt;
    };
    AskOptions options;
    options.not_understood = "how_long_again";
    const Reply<Spoken> answer = co_await turn.ask(dialog, read, Slots(), options);
    if (answer && answer->negative) turn.speak_dialog("negative");
    if (answer) co_return *answer;
    // After another question the user is elsewhere.
    if (answer.end() != AskEnd::kReplaced) turn.speak_dialog("never_mind");
    co_return Spoken();
  }

  /// What was said at once, else asked for. Without a duration when there is none; then that was said.
  Task<Spoken> said_or_asked(Turn turn, Spoken said, std::string dialog) {
    if (said.negative) turn.speak_dialog("negative");
    if (said.negative || said.duration) co_return said;
    Spoken answer = co_await ask_how_long(turn, std::move(dialog));
    co_return answer;
  }

  bool is_full(Turn turn) {
    const auto most = static_cast<std::size_t>(settings().integer("max_timers"));
    const auto share = static_cast<std::size_t>(settings().integer("max_timers_per_client"));
    const SenderPtr client = client_of(turn);
    const std::size_t here = timers(turn).size();
    const std::size_t of_client = all_timers().count_if(
        [&client](const Timer& one) { return client && one.turn && client_of(*one.turn) == client; });
    if (here < most && of_client < share && all_timers().count() < kMostInAll) return false;
    if (here < most) {
      turn.speak_dialog("too_many_elsewhere");
    } else {
      turn.speak_dialog("too_many", {{"count", std::to_string(here)}});
    }
    return true;
  }

  Task<> set_one(Turn turn, Spoken wanted) {
    const seconds length = *wanted.duration;
    if (is_too_long(turn, length)) co_return;
    co_await begin_timer(turn, wanted.rest, length);
    remember_topic(turn);
    const std::string dialog = wanted.rest.empty() ? "set" : "set_named";
    turn.speak_dialog(dialog,
                      {{"name", wanted.rest}, {"duration", say_duration(length, turn.render_lang(dialog))}});
  }

  /// "Cancel it" means a timer for a while.
  static void remember_topic(Turn turn) {
    ContextOptions some_turns;
    some_turns.turns = 4;
    turn.set_context(kSpokenOf, std::nullopt, some_turns);
  }

  bool is_too_long(Turn turn, seconds length) {
    if (length <= kLongest) return false;
    turn.speak_dialog("too_long", {{"limit", say_duration(kLongest, turn.render_lang("too_long"))}});
    return true;
  }

  /// "Stop", and nothing rings: is it the one that runs?
  Task<> offer_to_cancel(Turn turn) {
    std::vector<Id> meant = all_ids(turn);
    if (meant.size() > 1) {
      meant = co_await ask_which(turn, meant, "nothing_cancelled");
      if (!meant.empty()) co_await cancel_these(turn, meant);
      co_return;
    }
    const Timer& only = *find(turn, meant.front());
    const std::string dialog = only.name.empty() ? "cancel_it" : "cancel_it_named";
    const Slots slots_of_it = slots(turn, only, dialog);
    const Confirmation sure = co_await turn.confirm(dialog, slots_of_it);
    if (sure.end() == AskEnd::kReplaced) co_return;
    if (!sure.yes()) co_return turn.speak_dialog("keeps_running");
    if (timers(turn).empty()) co_return turn.speak_dialog("none");  // it has rung and gone meanwhile
    co_await cancel_these(turn, meant);
  }

  // ---- telling

  Task<> left(Turn turn) {
    co_await load();
    std::vector<Id> meant = named_by(turn, &TimerSkill::is_any);
    // "How's the cake timer doing" may well be of the only one, which was given no name.
    const auto running = timers(turn);
    if (meant.empty() && running.size() == 1 && running.front().name.empty()) meant = all_ids(turn);
    if (meant.empty()) co_return;
    remember_topic(turn);
    tell(turn, meant);
  }

  Task<> list(Turn turn) {
    co_await load();
    if (timers(turn).empty()) co_return turn.speak_dialog("none");
    remember_topic(turn);
    tell(turn, all_ids(turn));
  }

  /// The one that rings next.
  Task<> first(Turn turn) {
    co_await load();
    const std::vector<Timer>& all = timers(turn);
    if (all.empty()) co_return turn.speak_dialog("none");
    remember_topic(turn);
    const auto sooner = [now = clock().now()](const Timer& one, const Timer& other) {
      return one.paused.has_value() != other.paused.has_value() ? other.paused.has_value()
                                                                : one.left(now) < other.left(now);
    };
    tell(turn, std::vector<Id>(1, std::min_element(all.begin(), all.end(), sooner)->id));
  }

  Task<> how_many(Turn turn) {
    co_await load();
    const std::vector<Timer>& all = timers(turn);
    if (all.empty()) co_return turn.speak_dialog("none");
    if (all.size() == 1 && !all.front().paused && !all.front().rings())
      co_return say_of(turn, all.front(), "only");
    tell(turn, all_ids(turn));
  }

  // ---- changing

  Task<> pause(Turn turn) {
    co_await load();
    const auto runs = [](const Timer& one) { return !one.paused && !one.rings(); };
    const std::vector<Id> meant = co_await meant_by(turn, runs, "nothing_changed");
    for (const Id id : meant) {
      co_await pause_timer(turn, id);
      say_how_it_is(turn, id, "paused");
    }
  }

  Task<> resume(Turn turn) {
    co_await load();
    const auto is_paused = [](const Timer& one) { return one.paused.has_value(); };
    const std::vector<Id> meant = co_await meant_by(turn, is_paused, "nothing_changed");
    for (const Id id : meant) {
      co_await resume_timer(turn, id);
      say_how_it_is(turn, id, "resumed");
    }
  }

  /// "Five more minutes": for the one that rings, where one does.
  Task<> extend(Turn turn) {
    co_await load();
    const bool only_what_rings = name_in(turn).empty() && any_rings(turn.session_key());
    const auto fits = [only_what_rings](const Timer& one) { return one.rings() || !only_what_rings; };
    const std::vector<Id> meant = co_await meant_by(turn, fits, "nothing_changed");
    if (meant.empty()) co_return;
    Spoken said = how_much_more(turn);
    const Spoken more = co_await said_or_asked(turn, std::move(said), "how_much_more");
    if (!more.duration) co_return;
    for (const Id id : meant) {
      const Timer* const timer = find(turn, id);
      if (timer == nullptr || is_too_long(turn, timer->length + *more.duration)) continue;
      co_await extend_timer(turn, id, *more.duration);
      say_how_it_is(turn, id, "extended");
    }
  }

  /// "Take {two minutes} off the timer".
  Task<> shorten(Turn turn) {
    co_await load();
    const auto runs = [](const Timer& one) { return !one.rings(); };
    const std::vector<Id> meant = co_await meant_by(turn, runs, "nothing_changed");
    if (meant.empty()) co_return;
    Spoken said = how_much_less(turn);
    const Spoken less = co_await said_or_asked(turn, std::move(said), "how_much_less");
    if (!less.duration) co_return;
    for (const Id id : meant) {
      const Timer* const timer = find(turn, id);
      if (timer == nullptr || timer->rings()) continue;
      if (timer->rest(clock().now()) <= *less.duration) {
        turn.speak_dialog("too_short", slots(turn, *timer, "too_short"));
        continue;
      }
      co_await extend_timer(turn, id, -*less.duration);
      say_how_it_is(turn, id, "extended");
    }
  }

  /// From the beginning.
  Task<> restart(Turn turn) {
    co_await load();
    const std::vector<Id> meant = co_await meant_by(turn, &TimerSkill::is_any, "nothing_changed");
    for (const Id id : meant) {
      if (const Timer* const timer = find(turn, id)) co_await restart_timer(turn, id, timer->length);
      say_how_it_is(turn, id, "set");
    }
  }

  /// "Change the timer to {fifteen minutes}": from now on.
  Task<> change(Turn turn) {
    co_await load();
    std::vector<Id> meant = co_await meant_by(turn, &TimerSkill::is_any, "nothing_changed");
    if (!meant.empty()) co_await change_these(turn, std::move(meant));
  }

  /// "No, I said fifty": of the one that was set just now, where one was.
  Task<> change_that(Turn turn) {
    co_await load();
    const std::vector<Timer>& here = timers(turn);
    const auto newest = std::max_element(here.begin(), here.end(),
                                         [](const Timer& a, const Timer& b) { return a.id < b.id; });
    if (newest == here.end()) co_return co_await set(std::move(turn));
    co_await change_these(turn, std::vector<Id>(1, newest->id));
  }

  Task<> change_these(Turn turn, std::vector<Id> meant) {
    Spoken said = how_long_now(turn);
    const Spoken wanted = co_await said_or_asked(turn, std::move(said), "how_long");
    if (!wanted.duration || is_too_long(turn, *wanted.duration)) co_return;
    for (const Id id : meant) {
      co_await restart_timer(turn, id, *wanted.duration);
      say_how_it_is(turn, id, "set");
    }
  }

  Task<> rename(Turn turn) {
    co_await load();
    std::string name = turn.slot("to").value_or("");
    co_await rename_to(std::move(turn), std::move(name));
  }

  /// @param name  empty: it is asked for
  Task<> rename_to(Turn turn, std::string name) {
    const std::vector<Id> meant = co_await meant_by(turn, &TimerSkill::is_any, "nothing_changed");
    if (meant.empty()) co_return;
    if (name.empty()) {
      const Reply<std::string> answer = co_await turn.ask("new_name");
      if (!answer && answer.end() != AskEnd::kReplaced) turn.speak_dialog("nothing_changed");
      if (!answer) co_return;
      name = *answer;
    }
    const std::string what_for = durations(turn.lang()).read(name).rest;
    if (!what_for.empty()) name = what_for;
    for (const Id id : meant) {
      co_await rename_timer(turn, id, name);
      say_how_it_is(turn, id, "renamed");
    }
  }

  void say_how_it_is(Turn turn, Id id, const std::string& dialog) {
    if (const Timer* const timer = find(turn, id)) say_of(turn, *timer, dialog);
  }

  static bool is_any(const Timer&) { return true; }

  // ---- cancelling

  Task<> cancel(Turn turn) {
    co_await load();
    if (name_in(turn).empty() && any_rings(turn.session_key())) {
      end_what_rings(turn.session_key());
      co_return turn.speak_dialog("silenced");
    }
    const std::vector<Id> meant = co_await meant_by(turn, &TimerSkill::is_any, "nothing_cancelled");
    if (!meant.empty()) co_await cancel_these(turn, meant);
  }

  Task<> cancel_all(Turn turn) {
    co_await load();
    if (timers(turn).empty()) co_return turn.speak_dialog("none");
    co_await cancel_these(turn, all_ids(turn));
  }

  Task<> cancel_these(Turn turn, std::vector<Id> meant) {
    const Timer* const only = meant.size() == 1 ? find(turn, meant.front()) : nullptr;
    const std::string name = only != nullptr ? only->name : std::string();
    co_await end_timers(turn, meant);
    if (!timers(turn).empty()) remember_topic(turn);
    if (meant.size() > 1)
      co_return turn.speak_dialog("cancelled_all", {{"count", std::to_string(meant.size())}});
    if (name.empty()) co_return turn.speak_dialog("cancelled");
    turn.speak_dialog("cancelled_named", {{"name", name}});
  }
};

}  // namespace
}  // namespace parley::timer

PARLEY_SKILL(parley::timer::TimerSkill, "timer.parley")
