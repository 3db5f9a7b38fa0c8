#include "runtime/loop_monitor.hpp"

#include <algorithm>

namespace parley {

void LoopMonitor::enter(const std::string& who) noexcept {
  since_.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  holder_.store(&who, std::memory_order_release);
}

void LoopMonitor::start(std::chrono::milliseconds bound, Report report, std::function<void()> tick) {
  thread_ = std::thread(
      [this, bound, report = std::move(report), tick = std::move(tick)] { watch(bound, report, tick); });
}

void LoopMonitor::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LoopMonitor::watch(std::chrono::milliseconds bound, const Report& report,
                        const std::function<void()>& tick) {
  const auto pause = std::clamp(bound, std::chrono::milliseconds(20), std::chrono::milliseconds(200));
  Clock::rep told = 0;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return stopping_; })) {
    const std::string* holder = holder_.load(std::memory_order_acquire);
    const Clock::rep since = since_;
    const auto held = Clock::now().time_since_epoch() - Clock::duration(since);
    if (holder != nullptr && bound.count() > 0 && held > bound && since != told) {
      told = since;
      const std::string who = *holder;
      lock.unlock();
      report(who, std::chrono::duration_cast<std::chrono::milliseconds>(held));
      lock.lock();
    }
    lock.unlock();
    tick();
    lock.lock();
  }
}

}  // namespace parley
