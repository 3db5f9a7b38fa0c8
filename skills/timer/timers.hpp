#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <parley/clock.hpp>
#include <parley/session_key.hpp>
#include <parley/skill.hpp>
#include <parley/turn.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "duration.hpp"

namespace parley::timer {

using Id = std::uint64_t;

/// A timer that runs, rings, or is paused.
struct Timer {
  Timer(Id number, std::string what_for, std::chrono::seconds how_long, Clock::Time when,
        std::optional<Turn> by)
      : id(number), name(std::move(what_for)), length(how_long), due(when), turn(std::move(by)) {}

  bool rings() const noexcept { return times_rung > 0; }
  /// What is left of it, not rounded. Zero or less: it rings.
  Duration rest(Clock::Time now) const { return paused ? *paused : due - now; }
  /// A started second counts: at the start all of it is left.
  std::chrono::seconds left(Clock::Time now) const {
    return std::chrono::ceil<std::chrono::seconds>(rest(now));
  }

  Id id;
  std::string name;  ///< As given; empty: none.
  std::chrono::seconds length;
  Clock::Time due;                 ///< When it rings, but for one that is paused.
  std::optional<Duration> paused;  ///< What was left of it then; nothing: it is not paused.
  std::optional<Turn> turn;        ///< It speaks through the one that set it. Nothing: set before a restart.
  std::string scheduled;           ///< Its id in the schedule; empty: not there (any more).
  TimerId alarm = 0;
  int times_rung = 0;
};

/// The timers of all sessions, in the order in which they were set.
class Timers {
 public:
  using Which = std::function<bool(const Timer&)>;

  const std::vector<Timer>& of(const SessionKey& session) const;
  bool any(const SessionKey& session, const Which& which) const;
  std::vector<Id> ids(const SessionKey& session) const;
  /// Null: there is none of that number (any more). Valid until a timer of the session is added or taken.
  Timer* find(const SessionKey& session, Id id);
  Timer& add(const SessionKey& session, Timer timer);
  /// Takes those out for which `which` holds, and gives them.
  std::vector<Timer> take(const SessionKey& session, const Which& which);
  void clear() { sessions_.clear(); }

  std::size_t count() const;
  std::size_t count_if(const Which& which) const;

 private:
  std::map<SessionKey, std::vector<Timer>> sessions_;  ///< Only those that have any.
};

/// Timers whose rest differs by less than this are told of alike.
inline constexpr std::chrono::minutes kAlike{1};

/// Whether normalised words differ in no more than their ends: "Eiern" and "Eier", "eggs" and "egg".
bool is_form_of(std::string_view a, std::string_view b);
/// Whether nothing that is said of them differs. `all` is not empty.
bool are_twins(const std::vector<Timer>& all, Clock::Time now);
/// Those that a text means: by name, else by how long they were set for.
std::vector<Id> named(const std::vector<Timer>& among, const std::string& text, const DurationReader& reader);
/// Those whose whole name is somewhere in the text, whatever else it says; its words may end otherwise
/// ("Eiern").
std::vector<Id> named_within(const std::vector<Timer>& among, std::string_view text, const std::string& lang);
/// Those of which as much is left as the text says, as it was told; nothing when none are.
std::vector<Id> with_left(const std::vector<Timer>& among, std::string_view text,
                          const DurationReader& reader, Clock::Time now);

}  // namespace parley::timer
