#include "runtime/workers.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <cstdint>
#include <thread>

#include "runtime/crash_report.hpp"
#include "runtime/loop_monitor.hpp"

namespace parley {
namespace {

constexpr std::chrono::microseconds kSpin(60);
constexpr int kMostThreads = 256;
constexpr int kPolite = 5;                                                        ///< Nicer by so much.
constexpr std::chrono::nanoseconds kShortSlice = std::chrono::microseconds(100);  ///< The least there is.

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

std::size_t run_ready(boost::asio::io_context& context, LoopMonitor* monitor) {
  std::size_t ran = 0;
  while (context.poll_one() > 0) {
    ++ran;
    if (monitor != nullptr) monitor->leave();
  }
  return ran;
}

/// Polls until something ran or the time is up; whether something ran.
bool spin(boost::asio::io_context& context, LoopMonitor* monitor) {
  const auto until = std::chrono::steady_clock::now() + kSpin;
  int round = 0;
  do {
    if (run_ready(context, monitor) > 0) return true;
    pause();
    // Whoever is waited for may be on this very core.
    if (++round % 4 == 0) std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < until && !context.stopped());
  return false;
}

/// What sched_setattr(2) takes; glibc has no declaration of it.
struct SchedulerAttributes {
  std::uint32_t size = sizeof(SchedulerAttributes);
  std::uint32_t policy = 0;  ///< SCHED_OTHER
  std::uint64_t flags = 1;   ///< SCHED_FLAG_RESET_ON_FORK: threads that this one starts have usual slices.
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  ///< The slice, in nanoseconds.
  std::uint64_t deadline = 0, period = 0;
};

}  // namespace

void run_in_short_slices() {
  SchedulerAttributes wanted;
  wanted.nice = ::getpriority(PRIO_PROCESS, 0);
  wanted.runtime = static_cast<std::uint64_t>(kShortSlice.count());
  ::syscall(SYS_sched_setattr, 0, &wanted, 0);  // what fails leaves everything as it is
}

void run_eagerly(boost::asio::io_context& context, std::atomic<bool>* spinner, LoopMonitor* monitor) {
  while (!context.stopped()) {
    if (context.run_one() == 0) return;
    if (monitor != nullptr) monitor->leave();
    run_ready(context, monitor);
    if (spinner != nullptr && spinner->exchange(true)) continue;
    while (spin(context, monitor)) {
    }
    if (spinner != nullptr) *spinner = false;
  }
}

Workers::Workers(int threads, Priority priority)
    : state_(std::make_shared<State>(threads, priority)), threads_(threads) {
  for (int i = 0; i < threads; ++i) start_thread(state_);
}

Workers::~Workers() {
  state_->guard.reset();
  state_->context.stop();
  std::unique_lock lock(state_->mutex);
  state_->changed.wait_for(lock, std::chrono::seconds(2), [this] { return state_->running == 0; });
}

void Workers::start_thread(const std::shared_ptr<State>& state) {
  {
    const std::lock_guard lock(state->mutex);
    ++state->running;
  }
  std::thread([state] {
    const SignalStack signals;
    // Both of this thread alone, on Linux. Somebody waits for what handlers do, and their turns are short;
    // for what is computed in the background somebody may wait, so it does not get the least there is.
    if (state->priority == Priority::kBackground) {
      ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + kPolite);
    } else {
      run_in_short_slices();
    }
    run_eagerly(state->context, &state->spinner, nullptr);
    const std::lock_guard lock(state->mutex);
    --state->running;
    state->changed.notify_all();
  }).detach();
}

int Workers::relieve() {
  if (threads_ == 0) return 0;
  if (state_->probe_pending.exchange(true)) {
    if (threads_ < kMostThreads) {
      start_thread(state_);
      ++threads_;
    }
    return threads_;
  }
  // Not shared: a context that owned itself through what waits in it would never be destroyed.
  boost::asio::post(state_->context, [state = state_.get()] { state->probe_pending = false; });
  return threads_;
}

}  // namespace parley
