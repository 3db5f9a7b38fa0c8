#include "skill/skill_timers.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace parley {

struct SkillTimers::Ticker {
  Ticker(TimerHandler what, Clock::Time::duration pause) : handler(std::move(what)), period(pause) {}
  bool once() const noexcept { return period == Clock::Time::duration::zero(); }
  const TimerHandler handler;
  const Clock::Time::duration period;
  std::atomic<bool> busy{false};  ///< On its way to the strand, or running there.
};

TimerId SkillTimers::every(Duration period, TimerHandler handler) {
  if (period < std::chrono::milliseconds(1))
    throw std::invalid_argument("every() takes a period of 1 ms or more");
  const auto span = std::chrono::duration_cast<Clock::Time::duration>(period);
  return add(std::make_shared<Ticker>(std::move(handler), span),
             [this, span] { return environment_->clock().now() + span; });
}

TimerId SkillTimers::at(std::chrono::system_clock::time_point when, TimerHandler handler) {
  auto ticker = std::make_shared<Ticker>(std::move(handler), Clock::Time::duration::zero());
  return add(std::move(ticker), [this, when] {
    const auto left = std::chrono::duration_cast<Clock::Time::duration>(when - environment_->clock().wall());
    return environment_->clock().now() + std::max(left, Clock::Time::duration::zero());
  });
}

TimerId SkillTimers::add(std::shared_ptr<Ticker> ticker, std::function<Clock::Time()> first) {
  const TimerId id = ++count_;
  tickers_.emplace(id, ticker);
  runner_.once_joined(
      [this, id, ticker = std::move(ticker), first = std::move(first)] { arm(id, first(), ticker); });
  return id;
}

void SkillTimers::arm(TimerId id, Clock::Time when, std::shared_ptr<Ticker> ticker) {
  if (closed_) return;
  if (ticker->once()) due_[id] = when;
  timers_[id] = environment_->bus.timers().at(when, [this, id, when, ticker] {
    // One at a time: a skill that is behind is not buried under what it missed.
    if (!ticker->busy.exchange(true)) runner_.on_strand("a timer", [this, id] { ring(id); });
    if (ticker->once()) {
      due_.erase(id);
      timers_.erase(id);
    } else {
      arm(id, when + ticker->period, ticker);
    }
  });
}

/// On the strand, where what was cancelled in the meantime stays silent.
void SkillTimers::ring(TimerId id) {
  const auto found = tickers_.find(id);
  if (found == tickers_.end()) return;
  const auto ticker = found->second;  // it may cancel itself
  if (ticker->once()) tickers_.erase(found);
  std::shared_ptr<void> busy(nullptr, [ticker](void*) { ticker->busy = false; });
  runner_.go_on("a timer", ticker->handler(), std::move(busy));
}

void SkillTimers::cancel(TimerId id) {
  tickers_.erase(id);
  runner_.once_joined([this, id] {
    due_.erase(id);
    timers_.erase(id);
  });
}

void SkillTimers::close() {
  closed_ = true;
  timers_.clear();
}

std::optional<Clock::Time> SkillTimers::next_due() const {
  const auto first = std::min_element(due_.begin(), due_.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  return first == due_.end() ? std::nullopt : std::optional(first->second);
}

}  // namespace parley
