#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <parley/clock.hpp>
#include <string>

#include "orchestrator/turn_owner.hpp"
#include "runtime/counters.hpp"

namespace parley {

/// Counts turns and measures how long they and their handlers take, by skill. On the loop's thread.
class TurnMetrics {
 public:
  explicit TurnMetrics(Counters& counters);

  /// @param skill_id  whose handler came last; empty: no handler ran
  void ended(Outcome outcome, const std::string& skill_id, Clock::Time::duration took);
  /// @param took  from the dispatch to the report, the time in which the user was asked included
  void handled(const std::string& skill_id, Clock::Time::duration took) {
    of(skill_id).handler.observe(took);
  }

 private:
  static constexpr std::size_t kMostSkills =
      400;  ///< Later ones are `other`: clients name theirs themselves.
  struct OfSkill {
    std::array<Counter, 4> outcomes;  ///< In the order of Outcome.
    Histogram handler;
  };
  OfSkill& of(const std::string& skill_id);

  Counters& counters_;
  const std::array<Counter, 4> outcomes_;
  const Histogram turns_;
  std::map<std::string, OfSkill, std::less<>> skills_;
};

}  // namespace parley
