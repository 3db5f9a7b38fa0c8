#pragma once

#include <atomic>
#include <functional>

#include "runtime/timers.hpp"

namespace parley {

/// The time a handler may take (D-6). It stands still while the user is asked. On the loop's thread,
/// remaining() on any.
class HandlerBound {
 public:
  /// @param expired  called once when the time is over
  /// @param waits    called when the handler begins (true) or ends (false) to wait for the user
  HandlerBound(Timers& timers, Clock::Time::duration span, std::function<void()> expired,
               std::function<void(bool)> waits);
  HandlerBound(const HandlerBound&) = delete;
  HandlerBound& operator=(const HandlerBound&) = delete;

  void pause();
  void resume();
  /// The handler has ended: nothing is called back any more, but that it no longer waits.
  void end();
  Clock::Time::duration remaining() const noexcept;

 private:
  using Ticks = Clock::Time::duration::rep;
  void start(Clock::Time::duration span);

  Timers& timers_;
  std::function<void()> expired_;
  std::function<void(bool)> waits_;
  bool paused_ = false, ended_ = false;
  std::atomic<Ticks> deadline_{0};
  std::atomic<Ticks> left_{-1};  ///< While it stands still; negative: it runs.
  Timer timer_;
};

}  // namespace parley
