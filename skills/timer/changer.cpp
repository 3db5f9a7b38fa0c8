#include "changer.hpp"

#include <algorithm>
#include <parley/clock.hpp>
#include <parley/moments.hpp>
#include <parley/session.hpp>
#include <parley/speech.hpp>
#include <parley/zone.hpp>
#include <utility>

namespace parley::timer {

using std::chrono::seconds;

namespace {

/// Says that nobody understood.
constexpr std::string_view kNobody = "unknown.parley";

}  // namespace

// ---- changes

Task<> TimerChanger::pause_these(Turn turn, std::vector<Id> which) {
  for (const Id id : which) {
    co_await pause_timer(turn, id);
    say_how_it_is(turn, id, "paused");
  }
  if (!which.empty()) spoke_of(turn, Wish::kPause, which);
}

Task<> TimerChanger::resume_these(Turn turn, std::vector<Id> which) {
  for (const Id id : which) {
    co_await resume_timer(turn, id);
    say_how_it_is(turn, id, "resumed");
  }
  if (!which.empty()) spoke_of(turn, Wish::kResume, which);
}

Task<> TimerChanger::extend_these(Turn turn, std::vector<Id> which, seconds more) {
  for (const Id id : which) {
    const Timer* const timer = find(turn, id);
    if (timer == nullptr || is_too_long(turn, timer->length + more)) continue;
    co_await extend_timer(turn, id, more);
    say_how_it_is(turn, id, "extended");
  }
  spoke_of(turn, Wish::kExtend, which, more);
}

Task<> TimerChanger::shorten_these(Turn turn, std::vector<Id> which, seconds less) {
  for (const Id id : which) {
    const Timer* const timer = find(turn, id);
    if (timer == nullptr || timer->rings()) continue;
    if (timer->rest(clock().now()) <= less) {
      turn.speak_dialog("too_short", slots(turn, *timer, "too_short"));
      continue;
    }
    co_await extend_timer(turn, id, -less);
    say_how_it_is(turn, id, "extended");
  }
  spoke_of(turn, Wish::kShorten, which, less);
}

Task<> TimerChanger::restart_these(Turn turn, std::vector<Id> which) {
  for (const Id id : which) {
    if (const Timer* const timer = find(turn, id)) co_await restart_timer(turn, id, timer->length);
    say_how_it_is(turn, id, "set");
  }
  if (!which.empty()) spoke_of(turn, Wish::kRestart, which);
}

Task<> TimerChanger::change_these(Turn turn, std::vector<Id> which, seconds length) {
  if (is_too_long(turn, length)) co_return;
  for (const Id id : which) {
    co_await restart_timer(turn, id, length);
    say_how_it_is(turn, id, "set");
  }
  spoke_of(turn, Wish::kChange, which, length);
}

Task<> TimerChanger::rename_these(Turn turn, std::vector<Id> which, std::string name) {
  const std::string what_for = durations(turn.lang()).read(name).rest;
  if (!what_for.empty()) name = what_for;
  for (const Id id : which) {
    co_await rename_timer(turn, id, name);
    say_how_it_is(turn, id, "renamed");
  }
  spoke_of(turn, Wish::kRename, which);
}

Task<> TimerChanger::cancel_these(Turn turn, std::vector<Id> which) {
  const Timer* const only = which.size() == 1 ? find(turn, which.front()) : nullptr;
  const std::string name = only != nullptr ? only->name : std::string();
  co_await end_timers(turn, which);
  if (!timers(turn).empty()) spoke_of(turn, Wish::kCancel, which);
  if (which.size() > 1)
    co_return turn.speak_dialog("cancelled_all", {{"count", std::to_string(which.size())}});
  if (name.empty()) co_return turn.speak_dialog("cancelled");
  turn.speak_dialog("cancelled_named", {{"name", name}});
}

bool TimerChanger::is_too_long(Turn turn, seconds length) {
  if (length <= kLongest) return false;
  turn.speak_dialog("too_long", {{"limit", say_duration(kLongest, turn.render_lang("too_long"))}});
  return true;
}

// ---- telling

void TimerChanger::say_how_it_is(Turn turn, Id id, const std::string& dialog) {
  if (const Timer* const timer = find(turn, id)) say_of(turn, *timer, dialog);
}

void TimerChanger::tell_these(Turn turn, const std::vector<Id>& which) {
  spoke_of(turn, Wish::kLeft, which);
  tell(turn, which);
}

void TimerChanger::tell_when(Turn turn, const std::vector<Id>& which) {
  spoke_of(turn, Wish::kWhen, which);
  const Timer* const only = which.size() == 1 ? find(turn, which.front()) : nullptr;
  if (only == nullptr || only->paused || only->rings()) return tell(turn, which);
  const std::string dialog = only->name.empty() ? "rings_at" : "rings_at_named";
  Slots known = slots(turn, *only, dialog);
  known.insert_or_assign("time", time_of(turn, *only, turn.render_lang(dialog)));
  turn.speak_dialog(dialog, known);
}

std::string TimerChanger::time_of(const Turn& turn, const Timer& timer, const std::string& lang) const {
  const auto zone = Zone::named(turn.time_zone());
  const auto due = clock().wall() + timer.rest(clock().now());
  const auto local = (zone ? *zone : *Zone::named("UTC")).local(due);
  return say_at(
      std::chrono::floor<std::chrono::minutes>(local - std::chrono::floor<std::chrono::days>(local)), lang);
}

void TimerChanger::tell_first(Turn turn) {
  const auto sooner = [now = clock().now()](const Timer& one, const Timer& other) {
    return one.paused.has_value() != other.paused.has_value() ? other.paused.has_value()
                                                              : one.left(now) < other.left(now);
  };
  const std::vector<Timer>& all = timers(turn);
  tell_these(turn, std::vector<Id>(1, std::min_element(all.begin(), all.end(), sooner)->id));
}

// ---- what was spoken of

void TimerChanger::spoke_of(const Turn& turn, Wish wish, std::vector<Id> which,
                            std::optional<seconds> length) {
  ContextOptions some_turns;
  some_turns.turns = 4;
  Turn(turn).set_context(kSpokenOf, std::nullopt, some_turns);
  Talk talk(wish);
  talk.which = std::move(which);
  talk.length = length;
  talk.when = clock().now();
  talks_.note(turn.message(), std::move(talk), clock().now());
}

std::optional<Talk> TimerChanger::talk_in(const Query& query) {
  const Talk* const found = talks_.find(query.session_key(), clock().now());
  if (found == nullptr) return std::nullopt;
  constexpr std::chrono::minutes kJustNow(2);
  Talk talk = *found;
  talk.is_fresh = clock().now() - talk.when < kJustNow;
  talk.is_last = query.session != nullptr && is_last_in(*query.session, skill_id());
  return talk;
}

bool is_last_in(const Session& session, const std::string& skill) {
  const auto& all = session.converse_handlers;
  if (!all || all->empty()) return false;
  // Of several at the same time the first had the last turn. Who answers what nobody understood had none.
  const ActiveHandler* last = nullptr;
  for (const ActiveHandler& one : *all) {
    const bool is_later = last == nullptr || one.activated_at > last->activated_at;
    if (one.skill_id != kNobody && is_later) last = &one;
  }
  return last != nullptr && last->skill_id == skill;
}

bool has_others(const Session& session, const std::string& skill) {
  const auto& all = session.converse_handlers;
  return all && std::ranges::any_of(*all, [&](const ActiveHandler& one) { return one.skill_id != skill; });
}

}  // namespace parley::timer
