#include "runtime/workers.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <thread>

#include "runtime/crash_report.hpp"
#include "runtime/loop_monitor.hpp"
#include "runtime/thread_name.hpp"

namespace parley {
namespace {

constexpr std::chrono::microseconds kSpin(100);
/// Between two looks, for about a microsecond: to look takes the lock that whoever posts needs.
constexpr int kPauses = 64;
constexpr int kMostThreads = 256;
constexpr std::chrono::milliseconds kLate(1);  ///< Work that waited for so long gets a thread of its own.
constexpr int kCalmLooks = 4;                  ///< So often nothing is under way before nobody looks.
constexpr int kPolite = 5;                     ///< Nicer by so much.
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

/// A thread that looks for work again and again, for a moment.
class Spin {
 public:
  /// Passes some time; false when the moment is over.
  bool goes_on() {
    for (int i = 0; i < kPauses; ++i) pause();
    // Whoever is waited for may be on this very core.
    if (++round_ % 4 == 0) std::this_thread::yield();
    return std::chrono::steady_clock::now() < until_;
  }

 private:
  const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + kSpin;
  int round_ = 0;
};

/// Polls until something ran or the moment is over; whether something ran.
bool spin(boost::asio::io_context& context, LoopMonitor* monitor) {
  Spin spin;
  do {
    if (run_ready(context, monitor) > 0) return true;
  } while (spin.goes_on() && !context.stopped());
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

void give_way() {
  ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + kPolite);  // of a thread, on Linux
  // Who lets others go first gives all that is left of its slice: of a usual one that is 3 ms, every time.
  run_in_short_slices();
}

void run_eagerly(boost::asio::io_context& context, LoopMonitor* monitor) {
  while (!context.stopped()) {
    if (context.run_one() == 0) return;
    if (monitor != nullptr) monitor->leave();
    run_ready(context, monitor);
    while (spin(context, monitor)) {
    }
  }
}

Workers::State::State(int threads, Priority wanted)
    : priority(wanted), context(threads > 0 ? threads : 1), guard(context.get_executor()) {}

void Workers::State::wake_watching() {
  { const std::lock_guard lock(mutex); }  // who is about to sleep has not looked, or sleeps
  awake.notify_all();
}

void Workers::State::call_resting() {
  if (call.exchange(true)) return;
  { const std::lock_guard lock(mutex); }
  called.notify_one();
}

void Workers::State::run(int self) {
  while (!context.stopped()) {
    if (watching == self) {
      watch(self);
    } else {
      run_ready(context, nullptr);
      if (!rest_until_late(self)) return;
    }
  }
}

void Workers::State::watch(int self) {
  Spin spin;
  while (begun == all) {
    if (watching != self || context.stopped()) return;
    if (!spin.goes_on()) return sleep(self);
  }
  run_ready(context, nullptr);
}

/// Until something is posted, or another thread watches.
void Workers::State::sleep(int self) {
  std::unique_lock lock(mutex);
  ++asleep;
  awake.wait(lock, [&] { return begun != all || watching != self || context.stopped(); });
  --asleep;
}

bool Workers::State::rest_until_late(int self) {
  std::unique_lock lock(mutex);
  for (;;) {
    called.wait(lock, [this] { return context.stopped() || (call && !looked_after); });
    if (context.stopped()) return false;
    looked_after = true;
    const bool late = stays_late(lock);
    looked_after = false;
    if (!late) continue;
    watching = self;
    awake.notify_all();   // whose place this is now
    called.notify_one();  // the next one looks after this one
    return true;
  }
}

/// Whether something waits for long. False when nothing has waited for a while, and when the pool ends.
bool Workers::State::stays_late(std::unique_lock<std::mutex>& lock) {
  for (int calm = 0; calm < kCalmLooks;) {
    const std::uint64_t until_now = all;
    if (called.wait_for(lock, kLate, [this] { return context.stopped(); })) return false;
    if (begun < until_now) return true;
    calm = ended == all ? calm + 1 : 0;
  }
  call = false;
  if (begun != all) call = true;  // it came meanwhile, and called nobody
  return false;
}

Workers::Workers(int threads, Priority priority)
    : state_(std::make_shared<State>(threads, priority)), threads_(threads) {
  for (int i = 0; i < threads; ++i) start_thread(state_, i);
}

Workers::~Workers() {
  state_->guard.reset();
  std::unique_lock lock(state_->mutex);
  state_->context.stop();
  state_->called.notify_all();
  state_->awake.notify_all();
  state_->changed.wait_for(lock, std::chrono::seconds(2), [this] { return state_->running == 0; });
}

void Workers::start_thread(const std::shared_ptr<State>& state, int self) {
  {
    const std::lock_guard lock(state->mutex);
    ++state->running;
  }
  std::thread([state, self] {
    const SignalStack signals;
    name_thread(state->priority == Priority::kBackground ? "background" : "worker");
    // Somebody waits for what handlers do, and their turns are short.
    state->priority == Priority::kBackground ? give_way() : run_in_short_slices();
    state->run(self);
    const std::lock_guard lock(state->mutex);
    --state->running;
    state->changed.notify_all();
  }).detach();
}

int Workers::relieve() {
  if (threads_ == 0) return 0;
  if (state_->probe_pending.exchange(true)) {
    if (threads_ < kMostThreads) start_thread(state_, threads_++);
    return threads_;
  }
  // Not shared: a context that owned itself through what waits in it would never be destroyed.
  boost::asio::post(executor(), [state = state_.get()] { state->probe_pending = false; });
  return threads_;
}

}  // namespace parley
