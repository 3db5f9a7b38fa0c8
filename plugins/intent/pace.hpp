#pragma once

#include <parley/clock.hpp>

namespace parley::intent {

/// When the next lesson may begin that nobody waits for: after a rest of three times as long as the last one
/// took. So whoever registers without end has a quarter of the time learnt, and not all of it.
class Pace {
 public:
  void began(Clock::Time now) { began_ = now; }
  void ended(Clock::Time now) { rest_until_ = now + 3 * (now - began_); }
  Clock::Time rest_until() const noexcept { return rest_until_; }

 private:
  Clock::Time began_{}, rest_until_{};
};

}  // namespace parley::intent
