#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/clock.hpp>

namespace parley {

class Timers;

/// A pending callback; letting it go cancels it. Use on the loop's thread.
class Timer {
 public:
  Timer() = default;
  Timer(Timer&& other) noexcept;
  Timer& operator=(Timer&& other) noexcept;
  ~Timer() { reset(); }
  void reset() noexcept;
  explicit operator bool() const noexcept { return !owner_.expired(); }

 private:
  friend class Timers;
  using Key = std::pair<Clock::Time, std::uint64_t>;
  using Queue = std::map<Key, std::function<void()>>;
  std::weak_ptr<Queue> owner_;
  Key key_;
};

/// The callbacks that wait for their time, on the loop's thread.
class Timers {
 public:
  explicit Timers(const Clock& clock) : clock_(clock), queue_(std::make_shared<Timer::Queue>()) {}
  virtual ~Timers() = default;
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;

  /// Calls back at `when`, in the order of the times; at once (from the loop) when it has passed.
  [[nodiscard]] Timer at(Clock::Time when, std::function<void()> callback);
  const Clock& clock() const noexcept { return clock_; }
  std::optional<Clock::Time> next() const;
  std::size_t pending() const noexcept { return queue_->size(); }
  /// Runs what is due; gives how many callbacks ran.
  std::size_t fire_due();

 protected:
  /// A new earliest time is known.
  virtual void rearm(Clock::Time) {}

 private:
  const Clock& clock_;
  std::shared_ptr<Timer::Queue> queue_;
  std::uint64_t count_ = 0;
};

/// The machine's clock.
class SteadyClock final : public Clock {
 public:
  Time now() const noexcept override { return std::chrono::steady_clock::now(); }
  std::chrono::system_clock::time_point wall() const noexcept override {
    return std::chrono::system_clock::now();
  }
};

/// Timers of the machine's clock, woken by the loop.
class LoopTimers final : public Timers {
 public:
  LoopTimers(boost::asio::io_context& loop, const Clock& clock) : Timers(clock), alarm_(loop) {}

 private:
  void rearm(Clock::Time earliest) override;
  boost::asio::steady_timer alarm_;
  std::optional<Clock::Time> armed_;
};

/// A clock that stands still until it is moved. Reading it is safe from any thread.
class JumpingClock final : public Clock {
 public:
  /// Starts on Saturday, 2026-01-03 12:00:00 UTC.
  JumpingClock() = default;
  Time now() const noexcept override { return Time(Duration(elapsed_.load())); }
  std::chrono::system_clock::time_point wall() const noexcept override;
  void set_wall(std::chrono::system_clock::time_point now) noexcept;
  void advance_to(Time when) noexcept;

 private:
  using Duration = std::chrono::steady_clock::duration;
  std::atomic<Duration::rep> elapsed_{Duration(std::chrono::hours(1)).count()};
  std::atomic<std::int64_t> wall_offset_ns_{0};
};

}  // namespace parley
