#pragma once

#include <parley/clock.hpp>
#include <parley/task.hpp>

namespace parley {

/// Wakes a coroutine of a stage or a skill that waits for something to change. Used where that runs: on the
/// loop's thread, or on the skill's strand.
class Wakeup {
 public:
  virtual ~Wakeup() = default;
  /// Ends the wait under way, else the next one at once.
  virtual void notify() = 0;
  /// Waits for notify(), but no longer than that; one wait at a time. @throws Cancelled
  virtual Task<> wait_until(Clock::Time when) = 0;
};

}  // namespace parley
