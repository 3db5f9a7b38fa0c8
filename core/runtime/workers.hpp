#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/posting.hpp"

namespace parley {

class LoopMonitor;

/// Runs a context until it is stopped, polling for a moment after every piece of work before it
/// sleeps: waking a thread costs more than a whole turn. On one thread. `monitor` (may be null) hears when
/// each piece of work has ended.
void run_eagerly(boost::asio::io_context& context, LoopMonitor* monitor);

/// Has the scheduler run this thread in short slices, and so at once when it wakes beside others that
/// compute: for threads on which everybody waits. It takes no more time for that. From Linux 6.12 on; nothing
/// elsewhere.
void run_in_short_slices();
/// Lowers this thread's priority a little: turns should not wait for what it does. Somebody may wait for that
/// all the same, so it does not get the least there is. Its slices are short: give_turn() gives away what is
/// left of one.
void give_way();

/// A pool of threads. Where skills run, each on a strand of its own; and where what takes long is computed.
///
/// One thread watches for work and does it. The others rest, as waking one costs whoever posts as much as
/// half a turn; when something has waited for a millisecond behind other work, one of them goes on
/// with it and watches from then on. So what blocks or computes for long holds nobody up for longer.
class Workers {
  struct State;

 public:
  /// Threads of kBackground have a lower priority than the others: turns should not
  /// wait for what is computed there.
  enum class Priority { kNormal, kBackground };

  /// Posts work to the pool; never runs it at once. Must not outlive the pool's context.
  class Executor {
   public:
    explicit Executor(State& state) noexcept : state_(&state) {}
    boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept {
      return state_->context;
    }
    static constexpr boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) noexcept {
      return boost::asio::execution::blocking_t::never;
    }
    template <class Work>
    void execute(Work work) const {
      const bool alone = state_->all.fetch_add(1) == state_->ended;
      try {
        boost::asio::post(state_->context, [state = state_, work = std::move(work)]() mutable {
          const Piece running(*state);
          std::move(work)();
        });
      } catch (...) {
        --state_->all;  // nobody should watch for it
        throw;
      }
      if (state_->asleep > 0) state_->wake_watching();
      if (!alone) state_->call_resting();
    }
    bool operator==(const Executor&) const noexcept = default;

   private:
    State* state_;
  };

  /// @param threads  0: none; the owner polls context() (tests with the jumping clock).
  explicit Workers(int threads, Priority priority = Priority::kNormal);
  /// Waits up to two seconds for the threads; those that are stuck in a skill are left behind.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// To poll. What is posted to it past executor() wakes no thread.
  boost::asio::io_context& context() noexcept { return state_->context; }
  Executor executor() noexcept { return Executor(*state_); }
  /// Keeps the context alive, but not its threads. An executor must not outlive its context: keep this with
  /// it.
  std::shared_ptr<void> share_context() noexcept { return state_; }

  /// Call now and then, from one thread: adds a thread when all of them have been stuck since the
  /// last call, so that skills that block hold up only themselves. Gives the number of threads.
  int relieve();

 private:
  /// Shared with the threads: one that is stuck outlives the pool.
  struct State {
    State(int threads, Priority wanted);
    ~State() { Posting::let_return(); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    // Any thread.
    void wake_watching();
    void call_resting();
    /// What a thread does until the pool ends.
    void run(int self);
    void watch(int self);
    void sleep(int self);
    /// False: the pool ends.
    bool rest_until_late(int self);
    bool stays_late(std::unique_lock<std::mutex>& lock);

    const Priority priority;
    std::mutex mutex;
    std::condition_variable changed;  ///< Of `running`.
    int running = 0;
    std::atomic<bool> probe_pending{false};

    // Pieces of work so far.
    std::atomic<std::uint64_t> all{0}, begun{0}, ended{0};
    std::atomic<int> watching{0};   ///< Which thread.
    std::condition_variable awake;  ///< Of the one that watches: something was posted.
    /// So many wait for that. More than one when a thread has taken the place of another, which still wakes.
    std::atomic<int> asleep{0};
    std::condition_variable called;  ///< Of the next two.
    std::atomic<bool> call{false};   ///< Somebody should look whether work waits for long.
    bool looked_after = false;       ///< Somebody does. Under the mutex.

    // Last: work that goes with it may post again.
    boost::asio::io_context context;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard;
  };

  /// A piece of work that runs.
  class Piece {
   public:
    explicit Piece(State& state) noexcept : state_(state) { ++state_.begun; }
    ~Piece() { ++state_.ended; }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    State& state_;
  };

  static void start_thread(const std::shared_ptr<State>& state, int self);

  std::shared_ptr<State> state_;
  int threads_ = 0;
};

}  // namespace parley
