#pragma once

#include <chrono>

namespace parley {

/// The clock that every wait uses. In production it is the machine's; in tests it jumps to the next
/// deadline when everything is idle. Safe to read from any thread.
class Clock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Monotonic: for spans and deadlines.
  virtual Time now() const noexcept = 0;

  /// The calendar: for dates and for the Unix seconds of `activated_at` and `expires_at` (S-7).
  virtual std::chrono::system_clock::time_point wall() const noexcept = 0;

 protected:
  ~Clock() = default;
};

/// Unix seconds with fractions, as on the wire (S-7).
double unix_seconds(std::chrono::system_clock::time_point time) noexcept;

}  // namespace parley
