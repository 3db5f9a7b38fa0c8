#include "runtime/timers.hpp"

#include <utility>

namespace parley {

double unix_seconds(std::chrono::system_clock::time_point time) noexcept {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

Timer::Timer(Timer&& other) noexcept : owner_(std::move(other.owner_)), key_(other.key_) {
  other.owner_.reset();
}

Timer& Timer::operator=(Timer&& other) noexcept {
  if (this == &other) return *this;
  reset();
  owner_ = std::move(other.owner_);
  key_ = other.key_;
  other.owner_.reset();
  return *this;
}

void Timer::reset() noexcept {
  if (const auto queue = owner_.lock()) queue->erase(key_);
  owner_.reset();
}

Timer Timers::at(Clock::Time when, std::function<void()> callback) {
  const bool earliest = queue_->empty() || when < queue_->begin()->first.first;
  Timer timer;
  timer.key_ = {when, ++count_};
  timer.owner_ = queue_;
  queue_->emplace(timer.key_, std::move(callback));
  if (earliest) rearm(when);
  return timer;
}

std::optional<Clock::Time> Timers::next() const {
  if (queue_->empty()) return std::nullopt;
  return queue_->begin()->first.first;
}

std::size_t Timers::fire_due() {
  std::size_t fired = 0;
  const auto now = clock_.now();
  while (!queue_->empty() && queue_->begin()->first.first <= now) {
    auto node = queue_->extract(queue_->begin());
    node.mapped()();
    ++fired;
  }
  return fired;
}

void LoopTimers::rearm(Clock::Time earliest) {
  // An alarm that rings too early costs one wake-up; moving it with every short-lived timer costs more.
  if (armed_ && *armed_ <= earliest) return;
  armed_ = earliest;
  alarm_.expires_at(earliest);
  alarm_.async_wait([this](const boost::system::error_code& failed) {
    if (failed) return;
    armed_.reset();
    fire_due();
    if (const auto upcoming = next()) rearm(*upcoming);
  });
}

std::chrono::system_clock::time_point JumpingClock::wall() const noexcept {
  using std::chrono::system_clock;
  constexpr auto kStart = std::chrono::sys_days(std::chrono::year(2026) / 1 / 3) + std::chrono::hours(11);
  const auto since = std::chrono::nanoseconds(elapsed_.load() + wall_offset_ns_.load());
  return system_clock::time_point(kStart) + std::chrono::duration_cast<system_clock::duration>(since);
}

void JumpingClock::set_wall(std::chrono::system_clock::time_point now) noexcept {
  wall_offset_ns_ += std::chrono::duration_cast<std::chrono::nanoseconds>(now - wall()).count();
}

void JumpingClock::advance_to(Time when) noexcept {
  if (when > now()) elapsed_ = when.time_since_epoch().count();
}

}  // namespace parley
