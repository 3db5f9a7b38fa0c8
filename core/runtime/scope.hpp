#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <parley/task.hpp>

#include "runtime/timers.hpp"

namespace parley {

/// A coroutine that runs in a Scope. Safe to use from any thread.
class Job {
 public:
  virtual ~Job() = default;
  /// Makes the wait it is in throw Cancelled; if it waits all the same, that destroys it (see Cell).
  virtual void cancel() = 0;
  virtual bool running() const noexcept = 0;
};

/// Owns the coroutines it starts. Its owner can cancel them and learn when the last of them
/// has ended. Destroying a scope cancels what is left; its coroutines must not be needed by then.
/// Safe to use from any thread.
class Scope {
 public:
  Scope();
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Starts work on an executor that runs one thing at a time: a loop, or a strand of a pool. What it throws
  /// is dropped: wrap it to hear of failures. Null once closed.
  std::shared_ptr<Job> spawn(const boost::asio::any_io_executor& where, Task<> work);
  /// Runs a function that blocks, on any executor. It can't be cancelled: closing the scope waits for it.
  /// It must not throw. False once closed.
  bool run_blocking(const boost::asio::any_io_executor& where, std::function<void()> work);
  /// Takes no more work, and cancels what is running.
  void close();
  std::size_t running() const;
  /// Calls back once, from whatever thread ends the last coroutine; at once when none is running.
  void when_idle(std::function<void()> callback);

 private:
  class Spawned;
  struct State;
  class Ended;
  static Task<> run(std::unique_ptr<Ended> ended, Task<> work);
  std::shared_ptr<Spawned> enlist(const boost::asio::any_io_executor& where);
  std::shared_ptr<State> state_;
};

}  // namespace parley
