#include "runtime/workers.hpp"

#include <sys/resource.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <thread>

#include "runtime/crash_report.hpp"
#include "runtime/loop_monitor.hpp"

namespace parley {
namespace {

constexpr std::chrono::microseconds kSpin(60);
constexpr int kMostThreads = 256;
constexpr int kPolite = 5;  ///< Nicer by so much.

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

}  // namespace

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
    // Of this thread alone, on Linux. Not the least there is: somebody may wait for what is computed.
    if (state->priority == Priority::kBackground)
      ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + kPolite);
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
