#include "turn/handler_bound.hpp"

#include <algorithm>
#include <utility>

namespace parley {

HandlerBound::HandlerBound(Timers& timers, Clock::Time::duration span, std::function<void()> expired,
                           std::function<void(bool)> waits)
    : timers_(timers), expired_(std::move(expired)), waits_(std::move(waits)) {
  start(span);
}

void HandlerBound::start(Clock::Time::duration span) {
  const auto deadline = timers_.clock().now() + span;
  deadline_ = deadline.time_since_epoch().count();
  left_ = -1;
  timer_ = timers_.at(deadline, [this] { expired_(); });
}

void HandlerBound::pause() {
  if (ended_ || std::exchange(paused_, true)) return;
  left_ = remaining().count();
  timer_.reset();
  waits_(true);
}

void HandlerBound::resume() {
  if (ended_ || !std::exchange(paused_, false)) return;
  start(Clock::Time::duration(left_));
  waits_(false);
}

void HandlerBound::end() {
  if (std::exchange(ended_, true)) return;
  timer_.reset();
  if (std::exchange(paused_, false)) waits_(false);
}

Clock::Time::duration HandlerBound::remaining() const noexcept {
  const Ticks left = left_;
  const Ticks until = left >= 0 ? left : deadline_ - timers_.clock().now().time_since_epoch().count();
  return Clock::Time::duration(std::max<Ticks>(0, until));
}

}  // namespace parley
