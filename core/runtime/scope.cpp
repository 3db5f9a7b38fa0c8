#include "runtime/scope.hpp"

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/this_coro.hpp>
#include <mutex>
#include <set>
#include <vector>

namespace parley {
namespace asio = boost::asio;

class Scope::Spawned final : public Job, public std::enable_shared_from_this<Spawned> {
 public:
  explicit Spawned(asio::any_io_executor where) : executor_(std::move(where)) {}

  void cancel() override {
    // A signal and the coroutine it reaches belong to one thread: the coroutine's.
    asio::post(executor_, [self = shared_from_this()] {
      if (self->running()) self->signal_.emit(asio::cancellation_type::terminal);
    });
  }
  bool running() const noexcept override { return running_; }
  asio::cancellation_slot slot() noexcept { return signal_.slot(); }
  void ended() noexcept { running_ = false; }

 private:
  asio::any_io_executor executor_;
  asio::cancellation_signal signal_;
  std::atomic<bool> running_{true};
};

struct Scope::State {
  std::mutex mutex;
  std::set<std::shared_ptr<Spawned>> jobs;
  bool closed = false;
  std::vector<std::function<void()>> idle_callbacks;

  void ended(const std::shared_ptr<Spawned>& job) {
    job->ended();
    std::vector<std::function<void()>> callbacks;
    {
      const std::lock_guard lock(mutex);
      jobs.erase(job);
      if (jobs.empty()) callbacks.swap(idle_callbacks);
    }
    for (const auto& callback : callbacks) callback();
  }
};

Scope::Scope() : state_(std::make_shared<State>()) {}
Scope::~Scope() {
  close();
}

/// In the frame as an argument: a coroutine that is destroyed, started or not, counts as ended too.
class Scope::Ended {
 public:
  Ended(std::shared_ptr<State> state, std::shared_ptr<Spawned> job)
      : state_(std::move(state)), job_(std::move(job)) {}
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;
  ~Ended() { state_->ended(job_); }

 private:
  std::shared_ptr<State> state_;
  std::shared_ptr<Spawned> job_;
};

Task<> Scope::run(std::unique_ptr<Ended> ended, Task<> work) {
  co_await asio::this_coro::throw_if_cancelled(false);
  {
    Task<> inner = std::move(work);  // gone before `ended` says so
    co_await std::move(inner);
  }
  ended.reset();
}

std::shared_ptr<Scope::Spawned> Scope::enlist(const asio::any_io_executor& where) {
  auto job = std::make_shared<Spawned>(where);
  const std::lock_guard lock(state_->mutex);
  if (state_->closed) return nullptr;
  state_->jobs.insert(job);
  return job;
}

std::shared_ptr<Job> Scope::spawn(const asio::any_io_executor& where, Task<> work) {
  auto job = enlist(where);
  if (!job) return nullptr;
  auto ended = std::make_unique<Ended>(state_, job);
  asio::co_spawn(where, run(std::move(ended), std::move(work)),
                 asio::bind_cancellation_slot(job->slot(), [job](const std::exception_ptr&) {}));
  return job;
}

bool Scope::run_blocking(const asio::any_io_executor& where, std::function<void()> work) {
  auto job = enlist(where);
  if (!job) return false;
  // What cancels it when the scope is closed reaches nobody.
  asio::post(where,
             [ended = std::make_unique<Ended>(state_, std::move(job)), work = std::move(work)]() mutable {
               work();
               work = nullptr;  // gone before `ended` says so
             });
  return true;
}

void Scope::close() {
  std::vector<std::shared_ptr<Spawned>> jobs;
  {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    jobs.assign(state_->jobs.begin(), state_->jobs.end());
  }
  for (const auto& job : jobs) job->cancel();
}

std::size_t Scope::running() const {
  const std::lock_guard lock(state_->mutex);
  return state_->jobs.size();
}

void Scope::when_idle(std::function<void()> callback) {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->jobs.empty()) {
      state_->idle_callbacks.push_back(std::move(callback));
      return;
    }
  }
  callback();
}

}  // namespace parley
