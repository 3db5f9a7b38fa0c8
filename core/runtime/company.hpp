#pragma once

#include <algorithm>
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

/// What one of several clients was worked for lately. What it sends in a burst takes a third of the time
/// (Company); what it sends without end soon takes a tenth.
class Effort {
 public:
  /// How long it rests after what its message took and would have it rest.
  Clock::Time::duration rest_after(Clock::Time::duration took, Clock::Time now) {
    const auto regained = std::chrono::duration_cast<Clock::Time::duration>((now - at_) / kShare);
    spent_ = std::max(spent_ - regained, Clock::Time::duration()) + took;
    at_ = now;
    return spent_ > kBurst ? (kShare - 1) * took : Company::rest_after(took);
  }

 private:
  static constexpr int kShare = 10;
  static constexpr std::chrono::milliseconds kBurst{250};
  Clock::Time::duration spent_{};  ///< Less what has been regained since.
  Clock::Time at_{};
};

}  // namespace parley
