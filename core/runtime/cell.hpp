#pragma once

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <parley/task.hpp>
#include <utility>

#include "runtime/posting.hpp"

namespace parley {

/// A value that arrives once, and the one coroutine that may wait for it. The first set() wins; it may
/// come from any thread. The waiter goes on where it ran before, through its executor, never inside
/// set().
///
/// Every wait of the project ends here, so cancellation does too: when the work that waits is
/// cancelled (see Scope), the wait throws Cancelled. A wait begun after that destroys the coroutine, so work
/// that swallows Cancelled and waits again is harmless.
template <class T>
class Cell : public std::enable_shared_from_this<Cell<T>> {
 public:
  /// False when a value was there already.
  bool set(T value) {
    Waiter waiter;
    {
      const std::lock_guard lock(mutex_);
      if (value_) return false;
      value_.emplace(std::move(value));
      waiter = std::move(waiter_);
    }
    wake(std::move(waiter));
    return true;
  }

  bool ready() const {
    const std::lock_guard lock(mutex_);
    return value_.has_value();
  }

  /// The value; suspends until it is there. Call once.
  /// @throws Cancelled
  static Task<T> wait(std::shared_ptr<Cell> cell) {
    namespace asio = boost::asio;
    const auto state = co_await asio::this_coro::cancellation_state;
    const bool doomed = state.cancelled() != asio::cancellation_type::none;
    if (doomed || !cell->ready()) {
      auto park = [cell, doomed](auto handler) {
        if (doomed) return;  // letting the handler go unwinds the coroutine, through its executor
        auto slot = asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected()) {
          slot.assign([weak = std::weak_ptr<Cell>(cell)](asio::cancellation_type) {
            if (const auto self = weak.lock()) self->cancel();
          });
        }
        cell->park(std::make_unique<ParkedHandler<decltype(handler)>>(std::move(handler)));
      };
      co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(park, asio::use_awaitable);
    }
    if (cell->cancelled()) throw Cancelled("the work this belongs to is over");
    co_return cell->take();
  }

 private:
  /// The suspended coroutine. Letting it go destroys that.
  class Parked {
   public:
    virtual ~Parked() = default;
    virtual void go_on() = 0;
  };
  using Waiter = std::unique_ptr<Parked>;

  template <class Handler>
  class ParkedHandler final : public Parked {
   public:
    explicit ParkedHandler(Handler handler) : handler_(std::move(handler)) {}
    void go_on() override {
      const auto where = boost::asio::get_associated_executor(handler_);
      boost::asio::post(where, [handler = std::move(handler_)]() mutable { std::move(handler)(); });
    }

   private:
    Handler handler_;
  };

  static void wake(Waiter waiter) {
    if (!waiter) return;
    const Posting posting;
    waiter->go_on();
    waiter.reset();  // it has a part of the executor
  }

  bool cancelled() const {
    const std::lock_guard lock(mutex_);
    return cancelled_;
  }

  void cancel() {
    Waiter waiter;
    {
      const std::lock_guard lock(mutex_);
      waiter = std::move(waiter_);
      cancelled_ = true;
    }
    wake(std::move(waiter));
  }

  void park(Waiter waiter) {
    {
      const std::lock_guard lock(mutex_);
      if (!value_ && !cancelled_) {
        waiter_ = std::move(waiter);
        return;
      }
    }
    wake(std::move(waiter));
  }

  T take() {
    const std::lock_guard lock(mutex_);
    return std::move(*value_);
  }

  mutable std::mutex mutex_;
  std::optional<T> value_;
  bool cancelled_ = false;
  Waiter waiter_;
};

/// For work that begins something before it waits: ends like a wait when that work was cancelled already.
inline Task<> unless_cancelled() {
  const auto open = std::make_shared<Cell<bool>>();
  open->set(true);
  co_await Cell<bool>::wait(open);
}

}  // namespace parley
