#pragma once

#include <parley/clock.hpp>
#include <parley/task.hpp>

namespace parley {

/// Lets a coroutine of a stage or a skill wait until something changes. Use it where the coroutine runs: on
/// the loop's thread, or on the skill's strand.
class Wakeup {
 public:
  virtual ~Wakeup() = default;
  /// Ends the current wait. Without one, the next wait ends at once.
  virtual void notify() = 0;
  /// Waits for notify(), but no longer than that; one wait at a time. @throws Cancelled
  virtual Task<> wait_until(Clock::Time when) = 0;
};

}  // namespace parley
