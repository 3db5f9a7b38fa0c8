#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <stdexcept>

namespace parley {

/// A coroutine's result: what handlers and stages return, and every wait of the SDK.
/// Await it once. Arguments of coroutines are taken by value and own what they hold; types passed to
/// them have a constructor (g++ 12 destroys aggregate temporaries of a co_await expression twice).
template <class T = void>
using Task = boost::asio::awaitable<T>;

using Duration = std::chrono::nanoseconds;

/// Thrown out of a wait when the work it belongs to is over: stopped, timed out or unloaded.
/// Let it pass. Catching it does not help: every later wait throws it again.
class Cancelled : public std::runtime_error {
 public:
  explicit Cancelled(const std::string& reason) : std::runtime_error(reason) {}
};

}  // namespace parley
