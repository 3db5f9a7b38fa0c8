#pragma once

#include <map>
#include <memory>
#include <optional>
#include <parley/skill.hpp>

#include "skill/skill_runner.hpp"
#include "turn/handler_host.hpp"
#include "turn/turn_state.hpp"

namespace parley {

/// What every() and at() of a skill call. Two halves: what is to be called lives on the strand, when it is
/// called on the loop.
class SkillTimers {
 public:
  SkillTimers(std::shared_ptr<const TurnEnvironment> environment, SkillRunner& runner)
      : environment_(std::move(environment)), runner_(runner) {}

  // On the strand.
  TimerId every(Duration period, TimerHandler handler);
  TimerId at(std::chrono::system_clock::time_point when, TimerHandler handler);
  void cancel(TimerId id);
  /// Lets go of what they call.
  void drop() { tickers_.clear(); }

  // On the loop.
  /// From here on none rings, nor is begun.
  void close();
  /// When the first at() calls back; nothing: none does.
  std::optional<Clock::Time> next_due() const;

 private:
  struct Ticker;
  TimerId add(std::shared_ptr<Ticker> ticker, std::function<Clock::Time()> first);
  void arm(TimerId id, Clock::Time when, std::shared_ptr<Ticker> ticker);
  void ring(TimerId id);

  const std::shared_ptr<const TurnEnvironment> environment_;
  SkillRunner& runner_;

  // On the strand.
  std::map<TimerId, std::shared_ptr<Ticker>> tickers_;  ///< Those that were not cancelled.
  TimerId count_ = 0;

  // On the loop.
  std::map<TimerId, Timer> timers_;
  std::map<TimerId, Clock::Time> due_;  ///< Those of them that call back once.
  bool closed_ = false;
};

}  // namespace parley
