#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <parley/clock.hpp>
#include <string>
#include <vector>

#include "pool.hpp"

namespace parley::fallback {

/// Which skills let pings pass in silence, again and again. Where a deployment wants it, such a skill goes to
/// the end of the pool for a while; else the order is the specified one.
class Silences {
 public:
  Silences() = default;
  /// @param after  silent pings in a row that put a skill last; 0: never
  /// @param span   how long it stays there
  Silences(int after, std::chrono::milliseconds span) : after_(after), span_(span) {}

  /// Gives whether that is news: it answered the ping before, or never got one.
  bool silent(const std::string& skill_id, Clock::Time now);
  /// It answered, or is registered no more: nothing is held against it.
  void forgive(const std::string& skill_id) { skills_.erase(skill_id); }

  bool is_last(const std::string& skill_id, Clock::Time now) const;
  /// Moves those that are to be last behind the others; both parts keep their order.
  void sort(std::vector<Member>& pool, Clock::Time now) const;

 private:
  struct Record {
    Record() = default;
    int in_a_row = 0;
    std::optional<Clock::Time> last_until;  ///< From which on it is in its place again.
  };
  int after_ = 0;
  std::chrono::milliseconds span_{0};
  std::map<std::string, Record, std::less<>> skills_;
};

}  // namespace parley::fallback
