#include "runtime/loop_monitor.hpp"

#include <unistd.h>

#include <algorithm>

#include "runtime/thread_name.hpp"
#include "runtime/thread_time.hpp"

namespace parley {

void LoopMonitor::enter(const std::string& who) noexcept {
  thread_local const pid_t here = ::gettid();
  loop_.store(here, std::memory_order_relaxed);
  since_.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  holder_.store(&who, std::memory_order_release);
}

void LoopMonitor::start(std::chrono::milliseconds bound, Report report, std::function<void()> tick) {
  thread_ = std::thread([this, bound, report = std::move(report), tick = std::move(tick)] {
    name_thread("watchdog");
    watch(bound, report, tick);
  });
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
  std::chrono::nanoseconds ran_before{};  // of the loop, at the last look
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return stopping_; })) {
    const std::string* holder = holder_.load(std::memory_order_acquire);
    const Clock::rep since = since_;
    const auto held = Clock::now().time_since_epoch() - Clock::duration(since);
    const auto ran = processor_time(loop_) - ran_before;
    ran_before += ran;
    lock.unlock();
    if (holder != nullptr && bound.count() > 0 && held > bound && since != told) {
      told = since;
      Hold hold;
      hold.who = *holder;
      hold.length = std::chrono::duration_cast<std::chrono::milliseconds>(held);
      if (ran < held && is_runnable(loop_))
        hold.waited = std::chrono::duration_cast<std::chrono::milliseconds>(held - ran);
      report(hold);
    }
    tick();
    lock.lock();
  }
}

}  // namespace parley
