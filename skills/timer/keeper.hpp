#pragma once

#include <chrono>
#include <parley/schedule.hpp>
#include <parley/skill.hpp>
#include <parley/turn.hpp>
#include <string>
#include <utility>
#include <vector>

#include "timers.hpp"

namespace parley::timer {

/// Runs timers: they ring in the session they were set in, and last. What is understood of what people say
/// about them is for the skill itself.
///
/// A timer is in the schedule too, so that it survives a restart; but the schedule goes by the calendar, and
/// what counts of a timer is how long it takes.
class TimerKeeper : public Skill {
 public:
  void stop() override { timers_.clear(); }

 protected:
  /// For start(): everything of this class that others call.
  void start_keeping();

  /// The timers that were set before a restart, when they are first asked about: await it first.
  Task<> load();

  const std::vector<Timer>& timers(const Turn& turn) const { return timers_.of(turn.session_key()); }
  const Timers& all_timers() const noexcept { return timers_; }
  Timer* find(const Turn& turn, Id id) { return timers_.find(turn.session_key(), id); }
  bool has_any(const SessionKey& session) const { return !timers_.of(session).empty(); }
  bool any_rings(const SessionKey& session) const;

  // Each returns once what it did is sure to last. Those that take an Id do nothing when there is no such
  // timer (any more).

  Task<> begin_timer(Turn turn, std::string name, std::chrono::seconds length);
  Task<> end_timers(Turn turn, std::vector<Id> which);
  /// A paused timer is kept for 30 days.
  Task<> pause_timer(Turn turn, Id id);
  Task<> resume_timer(Turn turn, Id id);
  /// One that rings runs again, for as long as `more`. Negative: it gets shorter; something must be left.
  Task<> extend_timer(Turn turn, Id id, std::chrono::seconds more);
  /// It runs from now on for as long as `length`, whatever it did before.
  Task<> restart_timer(Turn turn, Id id, std::chrono::seconds length);
  Task<> rename_timer(Turn turn, Id id, std::string name);

  /// As end_timers() for callers that don't wait. False: there was none.
  bool end_soon(const SessionKey& session, const Timers::Which& which);
  bool end_what_rings(const SessionKey& session);

 private:
  Task<> keep(Id id, Turn turn);
  Task<> forget(std::string scheduled) { co_await schedule().cancel(std::move(scheduled)); }
  void forget_soon(std::string scheduled);
  Task<> due(Due due);
  Task<> give_up(Due due);
  void say_late(Turn turn, const Timer& timer, Duration late);
  void run_for(const Turn& turn, Timer& timer, Duration time);
  void ring_in(const SessionKey& session, Timer& timer, Duration time);
  void ring(const SessionKey& session, Id id);
  void say_time_is_up(const Timer& timer);

  Timers timers_;
  Id last_id_ = 0;
  bool loaded_ = false;  ///< What the schedule has is here.
};

}  // namespace parley::timer
