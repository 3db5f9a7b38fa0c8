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
#include "request.hpp"
#include "setter.hpp"
#include "timers.hpp"

namespace parley::timer {
namespace {

/// Asked before what only resembles a template.
constexpr int kRequestPriority = 16;

/// What is understood of what people say about timers: sets, tells, changes and cancels them.
class TimerSkill final : public TimerSetter {
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
    on_intent("cancel_them", &TimerSkill::cancel_all, in_context(kSpokenOf));
    on_keywords("left_of_that", keywords().require("is_that").require("is_over").exclude("is_else"),
                &TimerSkill::left, in_context(kSpokenOf));
    on_converse(&TimerSkill::goes_on, &TimerSkill::do_request);
    on_fallback(kRequestPriority, &TimerSkill::is_request, &TimerSkill::do_request);
    start_keeping();
    on_stop_offer([this](const SessionKey& session) { return has_any(session); },
                  [this](Turn turn) { return offer_to_cancel(std::move(turn)); });
  }

 private:
  // ---- in any words

  /// What is plainly said of a timer that runs. While nobody else takes part in the conversation, what
  /// templates take is left to them.
  ConverseAnswer goes_on(const Query& query) {
    if (!has_any(query.session_key())) return ConverseAnswer::done();
    if (query.session == nullptr) return false;
    if (LiveReader(locale(), durations(query.lang)).may_be_several(query.utterances.front())) return false;
    auto request = live_request(query);
    const bool takes =
        request && (has_others(*query.session, skill_id()) || !is_for_intents(query, *request));
    understood(query, std::move(request));
    return takes;
  }

  bool is_for_intents(const Query& query, const Request& request) {
    constexpr std::size_t kFewWords = 2;
    const std::string& said = query.utterances.front();
    const bool is_plain =
        request.wish == Wish::kPause || request.wish == Wish::kResume || request.wish == Wish::kCancel;
    const auto count = words(said, query.lang).size();
    return is_template(said, query.lang) ||
           (is_plain &&
            (count <= kFewWords || RequestReader(locale(), durations(query.lang)).has_timer(said)));
  }

  bool is_request(const Query& query) {
    auto request = live_request(query);
    if (request && is_for_intents(query, *request)) request.reset();
    if (!request) request = request_in(query.utterances.front(), query.lang, query.session_key());
    const bool takes = request.has_value();
    understood(query, std::move(request));
    return takes;
  }

  std::optional<Request> live_request(const Query& query) {
    const auto talk = talk_in(query);
    return live_request_in(query.utterances.front(), query.lang, query.session_key(),
                           talk ? &*talk : nullptr);
  }

  /// What was read when it was asked for, as the conversation stands otherwise once it is the skill's turn.
  void understood(const Query& query, std::optional<Request> request) {
    if (query.message == nullptr) return;
    understood_.note(*query.message, Understood(query.utterances.front(), std::move(request)), clock().now());
  }

  Task<> do_request(Turn turn) {
    co_await load();
    const Understood* const known = understood_.find(turn.session_key(), clock().now());
    std::optional<Request> request =
        known != nullptr && known->text == turn.text() ? known->request : std::nullopt;
    if (!request) request = request_in(turn.text(), turn.lang(), turn.session_key());
    if (request) co_await do_this(std::move(turn), std::move(*request));
  }

  Task<> do_this(Turn turn, Request request) {
    if (request.which.empty()) co_return co_await do_by_turn(std::move(turn), std::move(request));
    co_await do_with_these(std::move(turn), std::move(request));
  }

  /// Which are meant, and how long, was read already.
  Task<> do_with_these(Turn turn, Request request) {
    const Wish wish = request.wish;
    std::vector<Id> which = request.which;
    std::erase_if(which, [&](Id id) { return find(turn, id) == nullptr; });
    if (which.empty()) co_return turn.speak_dialog("none");
    switch (wish) {
      case Wish::kExtend:
        co_return co_await extend_these(turn, which, *request.duration);
      case Wish::kShorten:
        co_return co_await shorten_these(turn, which, *request.duration);
      case Wish::kChange:
        co_return co_await change_these(turn, which, *request.duration);
      case Wish::kPause:
        co_return co_await pause_these(turn, which);
      case Wish::kResume:
        co_return co_await resume_these(turn, which);
      case Wish::kRestart:
        co_return co_await restart_these(turn, which);
      case Wish::kCancel:
        co_return co_await cancel_these(turn, which);
      case Wish::kWhen:
        co_return tell_when(turn, which);
      case Wish::kFirst:
        co_return tell_first(turn);
      case Wish::kRename:
        co_return co_await rename_these(turn, which, request.name);
      case Wish::kSet:
        co_return co_await set_one_of(turn, request);
      default:
        co_return tell_these(turn, which);
    }
  }

  /// What was not read is asked for.
  Task<> do_by_turn(Turn turn, Request request) {
    switch (request.wish) {
      case Wish::kSet:
        co_return co_await set_one_of(std::move(turn), std::move(request));
      case Wish::kExtend:
        co_return co_await extend(std::move(turn));
      case Wish::kShorten:
        co_return co_await shorten(std::move(turn));
      case Wish::kChange:
        co_return co_await change(std::move(turn));
      case Wish::kPause:
        co_return co_await pause(std::move(turn));
      case Wish::kResume:
        co_return co_await resume(std::move(turn));
      case Wish::kRestart:
        co_return co_await restart(std::move(turn));
      case Wish::kCancel:
        co_return co_await cancel(std::move(turn));
      case Wish::kWhen:
      case Wish::kLeft:
        co_return co_await left(std::move(turn));
      case Wish::kFirst:
        co_return co_await first(std::move(turn));
      case Wish::kList:
        co_return co_await list(std::move(turn));
      case Wish::kRename:
        co_return co_await rename_to(std::move(turn), std::move(request.name));
    }
  }

  // ---- setting

  Task<> set(Turn turn) {
    co_await load();
    // "Is the timer for the potatoes done yet", of which a template's slots took all but "timer".
    const auto request = request_in(turn.text(), turn.lang(), turn.session_key());
    if (request && request->wish != Wish::kSet && !request->duration && takes_clauses(turn))
      co_return co_await do_this(std::move(turn), *request);
    // "A pasta timer for nine minutes, no, wait, eleven".
    const bool is_put_right = request && request->wish == Wish::kSet && request->duration &&
                              mentions("wish_slip", turn.text(), turn.lang());
    if (is_put_right && !turn.corrects()) co_return co_await do_by_turn(std::move(turn), *request);
    if (turn.corrects() && timers(turn).size() > 1) {
      std::vector<Id> another = named_within(timers(turn), turn.text(), turn.lang());
      if (another.size() == 1) co_return co_await change_by_turn(turn, std::move(another));
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
      co_return co_await change_by_turn(turn, std::move(known));
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
    // "Divided by three now", which only resembles "three timers for …".
    const bool says_time =
        std::ranges::any_of(all, [](const Spoken& one) { return one.duration.has_value(); });
    if (!says_time && !RequestReader(locale(), durations(turn.lang())).has_timer(turn.text()))
      co_return turn.not_understood();
    co_await set_all(turn, std::move(all));
  }

  /// "Stop", and nothing rings: is it the one that runs?
  Task<> offer_to_cancel(Turn turn) {
    if (LiveReader(locale(), durations(turn.lang())).is_of_somebody_else(turn.text(), timers(turn)))
      co_return turn.not_understood();
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
    if (!meant.empty()) tell_these(turn, meant);
  }

  Task<> list(Turn turn) {
    co_await load();
    if (timers(turn).empty()) co_return turn.speak_dialog("none");
    tell_these(turn, all_ids(turn));
  }

  /// The one that rings next.
  Task<> first(Turn turn) {
    co_await load();
    if (timers(turn).empty()) co_return turn.speak_dialog("none");
    tell_first(turn);
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
    co_await pause_these(turn, meant);
  }

  Task<> resume(Turn turn) {
    co_await load();
    const auto is_paused = [](const Timer& one) { return one.paused.has_value(); };
    const std::vector<Id> meant = co_await meant_by(turn, is_paused, "nothing_changed");
    co_await resume_these(turn, meant);
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
    if (more.duration) co_await extend_these(turn, meant, *more.duration);
  }

  /// "Take {two minutes} off the timer".
  Task<> shorten(Turn turn) {
    co_await load();
    const auto runs = [](const Timer& one) { return !one.rings(); };
    const std::vector<Id> meant = co_await meant_by(turn, runs, "nothing_changed");
    if (meant.empty()) co_return;
    Spoken said = how_much_less(turn);
    const Spoken less = co_await said_or_asked(turn, std::move(said), "how_much_less");
    if (less.duration) co_await shorten_these(turn, meant, *less.duration);
  }

  /// From the beginning.
  Task<> restart(Turn turn) {
    co_await load();
    const std::vector<Id> meant = co_await meant_by(turn, &TimerSkill::is_any, "nothing_changed");
    co_await restart_these(turn, meant);
  }

  /// "Change the timer to {fifteen minutes}": from now on.
  Task<> change(Turn turn) {
    co_await load();
    std::vector<Id> meant = co_await meant_by(turn, &TimerSkill::is_any, "nothing_changed");
    if (!meant.empty()) co_await change_by_turn(turn, std::move(meant));
  }

  /// "No, I said fifty": of the one that was set just now, where one was.
  Task<> change_that(Turn turn) {
    co_await load();
    const std::vector<Timer>& here = timers(turn);
    const auto newest = std::max_element(here.begin(), here.end(),
                                         [](const Timer& a, const Timer& b) { return a.id < b.id; });
    if (!how_long_now(turn).duration && !how_long_now(turn).negative) co_return turn.not_understood();
    if (newest == here.end()) co_return co_await set(std::move(turn));
    co_await change_by_turn(turn, std::vector<Id>(1, newest->id));
  }

  Task<> change_by_turn(Turn turn, std::vector<Id> meant) {
    Spoken said = how_long_now(turn);
    const Spoken wanted = co_await said_or_asked(turn, std::move(said), "how_long");
    if (wanted.duration) co_await change_these(turn, meant, *wanted.duration);
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
    co_await rename_these(turn, meant, name);
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

  /// What the skill was asked whether it takes, and how it reads it.
  struct Understood {
    Understood(std::string said, std::optional<Request> what)
        : text(std::move(said)), request(std::move(what)) {}
    std::string text;
    std::optional<Request> request;
  };
  SessionMemory<Understood> understood_{1000};
};

}  // namespace
}  // namespace parley::timer

PARLEY_SKILL(parley::timer::TimerSkill, "timer.parley")
