#include "keeper.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <parley/speech.hpp>

namespace parley::timer {
namespace {

using std::chrono::seconds;

constexpr const char* kDue = "ring";
/// A paused timer is in the schedule for when it is given up.
constexpr const char* kGiveUp = "give_up";
constexpr std::chrono::hours kLongestPause(30 * 24);
/// So much later than it should, a timer is told of once instead of rung.
constexpr seconds kLate(60);

Json to_keep(const Timer& timer) {
  Json payload = {{"id", timer.id}, {"name", timer.name}, {"seconds", timer.length.count()}};
  if (timer.paused)
    payload["paused_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(*timer.paused).count();
  return payload;
}

Timer read_kept(const Scheduled& kept) {
  const Json& payload = kept.payload();
  Timer timer(payload.value("id", Id{0}), payload.value("name", ""),
              seconds(payload.value("seconds", std::int64_t{1})), Clock::Time(), std::nullopt);
  if (payload.contains("paused_ms"))
    timer.paused = std::chrono::milliseconds(payload.value("paused_ms", std::int64_t{0}));
  return timer;
}

}  // namespace

void TimerKeeper::start_keeping() {
  on_due(kDue, &TimerKeeper::due);
  on_due(kGiveUp, &TimerKeeper::give_up);
  on_stop([this](const SessionKey& session) { return end_what_rings(session); },
          [this](const SessionKey& session) { return any_rings(session); });
  at(clock().wall(), [this] { return load(); });  // what ran before a restart may be meant by a "stop"
}

bool TimerKeeper::any_rings(const SessionKey& session) const {
  return timers_.any(session, [](const Timer& one) { return one.rings(); });
}

bool TimerKeeper::end_what_rings(const SessionKey& session) {
  return end_soon(session, [](const Timer& one) { return one.rings(); });
}

// ---- from the beginning to the end

Task<> TimerKeeper::begin_timer(Turn turn, std::string name, seconds length) {
  const SessionKey session = turn.session_key();
  const Id id = ++last_id_;
  Timer& added = timers_.add(session, Timer(id, std::move(name), length, clock().now() + length, turn));
  ring_in(session, added, length);
  co_await keep(id, turn);
}

Task<> TimerKeeper::end_timers(Turn turn, std::vector<Id> which) {
  const auto meant = [&which](const Timer& one) {
    return std::find(which.begin(), which.end(), one.id) != which.end();
  };
  const std::vector<Timer> taken = timers_.take(turn.session_key(), meant);
  for (const Timer& one : taken) cancel_timer(one.alarm);
  for (const Timer& one : taken) {
    if (!one.scheduled.empty()) co_await schedule().cancel(one.scheduled);
  }
}

Task<> TimerKeeper::pause_timer(Turn turn, Id id) {
  Timer* const timer = find(turn, id);
  if (timer == nullptr || timer->paused || timer->rings()) co_return;
  timer->paused = timer->due - clock().now();
  timer->turn = turn;
  cancel_timer(std::exchange(timer->alarm, TimerId{0}));
  co_await keep(id, turn);
}

Task<> TimerKeeper::resume_timer(Turn turn, Id id) {
  Timer* const timer = find(turn, id);
  if (timer == nullptr || !timer->paused) co_return;
  run_for(turn, *timer, *timer->paused);
  co_await keep(id, turn);
}

Task<> TimerKeeper::extend_timer(Turn turn, Id id, seconds more) {
  Timer* const timer = find(turn, id);
  if (timer == nullptr) co_return;
  timer->length += more;
  if (timer->paused) {
    *timer->paused += more;
    timer->turn = turn;
  } else {
    run_for(turn, *timer, more + (timer->rings() ? Duration::zero() : timer->rest(clock().now())));
  }
  co_await keep(id, turn);
}

Task<> TimerKeeper::restart_timer(Turn turn, Id id, seconds length) {
  Timer* const timer = find(turn, id);
  if (timer == nullptr) co_return;
  timer->length = length;
  run_for(turn, *timer, length);
  co_await keep(id, turn);
}

Task<> TimerKeeper::rename_timer(Turn turn, Id id, std::string name) {
  Timer* const timer = find(turn, id);
  if (timer == nullptr) co_return;
  timer->name = std::move(name);
  if (!timer->rings()) co_await keep(id, turn);
}

bool TimerKeeper::end_soon(const SessionKey& session, const Timers::Which& which) {
  const std::vector<Timer> taken = timers_.take(session, which);
  for (const Timer& one : taken) {
    cancel_timer(one.alarm);
    forget_soon(one.scheduled);
  }
  return !taken.empty();
}

// ---- lasting

/// Puts a timer into the schedule as it is now, in place of what is there. One that can't be kept runs all
/// the same, until the process ends.
Task<> TimerKeeper::keep(Id id, Turn turn) {
  const Timer* const timer = find(turn, id);
  if (timer == nullptr) co_return;
  const Json payload = to_keep(*timer);
  const std::string name = timer->paused ? kGiveUp : kDue;
  const Duration time = timer->paused ? Duration(kLongestPause) : timer->rest(clock().now());
  const auto when = clock().wall() + std::chrono::duration_cast<std::chrono::system_clock::duration>(time);
  std::string scheduled;
  try {
    scheduled = co_await schedule().at(when, name, payload, turn);
  } catch (const StorageError& error) {
    log(LogLevel::kError, error.what());
    co_return;
  }
  Timer* const kept = find(turn, id);
  if (kept != nullptr && !kept->rings()) std::swap(kept->scheduled, scheduled);
  // What was kept before; or it was cancelled meanwhile, or rings.
  if (!scheduled.empty()) co_await schedule().cancel(scheduled);
}

/// Takes it out of the schedule soon, for callers that don't wait.
void TimerKeeper::forget_soon(std::string scheduled) {
  if (scheduled.empty()) return;
  at(clock().wall(), [this, scheduled = std::move(scheduled)] { return forget(scheduled); });
}

Task<> TimerKeeper::load() {
  if (loaded_) co_return;
  const std::vector<Scheduled> kept = co_await schedule().list();
  if (std::exchange(loaded_, true)) co_return;
  for (const Scheduled& one : kept) {
    Timer timer = read_kept(one);
    timer.due = clock().now() + (one.due - clock().wall());
    timer.scheduled = one.id;
    last_id_ = std::max(last_id_, timer.id);
    const SessionKey session{one.owner, one.session_id};
    if (timers_.find(session, timer.id) != nullptr) {  // the process ended while it was kept anew
      forget_soon(one.id);
      continue;
    }
    timers_.add(session, std::move(timer));
  }
}

/// The schedule says that it is time.
Task<> TimerKeeper::due(Due due) {
  co_await load();
  const SessionKey session = due.turn.session_key();
  const Timer kept = read_kept(due.scheduled);
  Timer* timer = timers_.find(session, kept.id);
  if (timer == nullptr && due.late >= kLate) co_return say_late(due.turn, kept, due.late);
  if (timer == nullptr) {
    timer = &timers_.add(session, kept);
    timer->due = clock().now();
  }
  if (timer->rings() || timer->paused) co_return;
  const auto left = timer->due - clock().now();
  const bool set_before_restart = !timer->turn;
  timer->turn = due.turn;
  timer->scheduled.clear();
  if (!set_before_restart && left > seconds(1)) {  // somebody set the machine's clock
    co_await keep(kept.id, due.turn);
  } else if (set_before_restart && due.late >= kLate) {
    end_soon(session, [id = kept.id](const Timer& one) { return one.id == id; });
    say_late(due.turn, kept, due.late);
  } else {
    cancel_timer(timer->alarm);
    ring(session, kept.id);
  }
}

/// The schedule says that a timer was paused for too long.
Task<> TimerKeeper::give_up(Due due) {
  co_await load();
  const auto paused = [id = read_kept(due.scheduled).id](const Timer& one) {
    return one.id == id && one.paused.has_value();
  };
  end_soon(due.turn.session_key(), paused);
}

void TimerKeeper::say_late(Turn turn, const Timer& timer, Duration late) {
  const std::string dialog = timer.name.empty() ? "late" : "late_named";
  const std::string lang = turn.render_lang(dialog);
  turn.speak_dialog(dialog, {{"name", timer.name},
                             {"duration", say_duration(timer.length, lang)},
                             {"late", say_duration(late, lang, Precision::kMinutes)}});
}

// ---- ringing

/// From now on, whether it was paused, rang or ran.
void TimerKeeper::run_for(const Turn& turn, Timer& timer, Duration time) {
  timer.paused.reset();
  timer.times_rung = 0;
  timer.due = clock().now() + time;
  timer.turn = turn;
  cancel_timer(timer.alarm);
  ring_in(turn.session_key(), timer, time);
}

void TimerKeeper::ring_in(const SessionKey& session, Timer& timer, Duration time) {
  const auto when = clock().wall() + std::chrono::duration_cast<std::chrono::system_clock::duration>(time);
  timer.alarm = at(when, [this, session, id = timer.id] { ring(session, id); });
}

void TimerKeeper::ring(const SessionKey& session, Id id) {
  Timer* const timer = timers_.find(session, id);
  if (timer == nullptr) return;
  forget_soon(std::exchange(timer->scheduled, std::string()));
  const Timer now = *timer;
  if (++timer->times_rung < settings().integer("rings")) {
    ring_in(session, *timer, settings().duration("ring_pause"));
  } else {
    end_soon(session, [id](const Timer& one) { return one.id == id; });
  }
  say_time_is_up(now);
}

void TimerKeeper::say_time_is_up(const Timer& timer) {
  const std::string dialog = timer.name.empty() ? "ringing" : "ringing_named";
  Turn turn = *timer.turn;
  turn.speak_dialog(
      dialog, {{"name", timer.name}, {"duration", say_duration(timer.length, turn.render_lang(dialog))}});
}

}  // namespace parley::timer
