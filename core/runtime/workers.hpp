#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <parley/task.hpp>

#include "runtime/posting.hpp"

namespace parley {

class LoopMonitor;

/// Runs a context until it is stopped, polling for a moment after every piece of work before it
/// sleeps: waking a thread costs more than a whole turn. `spinner` (may be null) lets only one of
/// several threads poll at a time; `monitor` (may be null) hears when each piece of work has ended.
void run_eagerly(boost::asio::io_context& context, std::atomic<bool>* spinner, LoopMonitor* monitor);

/// Has the scheduler run this thread in short slices, and so at once when it wakes beside others that
/// compute: for threads on which everybody waits. It takes no more time for that. From Linux 6.12 on; nothing
/// elsewhere.
void run_in_short_slices();

/// A pool of threads. Where skills run, each on a strand of its own; and where what takes long is computed.
class Workers {
 public:
  /// Threads of kBackground have a lower priority than the others: turns should not
  /// wait for what is computed there.
  enum class Priority { kNormal, kBackground };
  /// @param threads  0: none; the owner polls context() (tests with the jumping clock).
  explicit Workers(int threads, Priority priority = Priority::kNormal);
  /// Waits up to two seconds for the threads; those that are stuck in a skill are left behind.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  boost::asio::io_context& context() noexcept { return state_->context; }
  boost::asio::any_io_executor executor() noexcept { return state_->context.get_executor(); }
  /// Keeps the context alive, but not its threads. A strand must not outlive its context: keep this with it.
  std::shared_ptr<boost::asio::io_context> share_context() noexcept { return {state_, &state_->context}; }

  /// Call now and then, from one thread: adds a thread when all of them have been stuck since the
  /// last call, so that skills that block hold up only themselves. Gives the number of threads.
  int relieve();

 private:
  /// Shared with the threads: one that is stuck outlives the pool.
  struct State {
    State(int threads, Priority wanted)
        : context(threads > 0 ? threads : 1), guard(context.get_executor()), priority(wanted) {}
    ~State() { Posting::let_return(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    boost::asio::io_context context;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard;
    const Priority priority;
    std::mutex mutex;
    std::condition_variable changed;
    int running = 0;
    std::atomic<bool> spinner{false};
    std::atomic<bool> probe_pending{false};
  };

  static void start_thread(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;
  int threads_ = 0;
};

}  // namespace parley
