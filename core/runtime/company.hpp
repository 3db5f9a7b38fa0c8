#pragma once

#include <chrono>
#include <cstdint>
#include <parley/clock.hpp>
#include <utility>

namespace parley {

/// Whether several clients talk at a time, and how long one of which there is more rests then (W-5): what it
/// sends without end takes a third of the time, and leaves processors for what the others send.
class Company {
 public:
  /// @param client  0: none
  void heard(std::uint64_t client, Clock::Time now) {
    if (client == 0) return;
    const std::uint64_t before = std::exchange(last_, client);
    if (before != 0 && before != client) others_last_ = now;
  }
  bool is_alone(Clock::Time now) const { return now - others_last_ > kAlone; }
  /// How long it rests after something that took so long.
  static constexpr Clock::Time::duration rest_after(Clock::Time::duration took) { return 2 * took; }

 private:
  static constexpr std::chrono::seconds kAlone{1};  ///< So long after another was heard a client is alone.
  std::uint64_t last_ = 0;                          ///< Who was heard last…
  Clock::Time others_last_ = Clock::Time() - std::chrono::hours(1);  ///< …and when another was.
};

}  // namespace parley
