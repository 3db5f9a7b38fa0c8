#pragma once

#include <chrono>
#include <optional>
#include <parley/query.hpp>
#include <parley/session_memory.hpp>
#include <parley/turn.hpp>
#include <string>
#include <vector>

#include "listener.hpp"
#include "live.hpp"

namespace parley::timer {

/// Changes timers that were settled on, says how they are then, and remembers what was last spoken of.
class TimerChanger : public TimerListener {
 protected:
  static constexpr std::chrono::seconds kLongest = std::chrono::hours(24 * 7);
  /// The intent context in which "cancel it" and "is it done" mean a timer.
  static constexpr const char* kSpokenOf = "timers";

  Task<> pause_these(Turn turn, std::vector<Id> which);
  Task<> resume_these(Turn turn, std::vector<Id> which);
  Task<> extend_these(Turn turn, std::vector<Id> which, std::chrono::seconds more);
  Task<> shorten_these(Turn turn, std::vector<Id> which, std::chrono::seconds less);
  /// From the beginning.
  Task<> restart_these(Turn turn, std::vector<Id> which);
  /// They take so long from now on.
  Task<> change_these(Turn turn, std::vector<Id> which, std::chrono::seconds length);
  Task<> rename_these(Turn turn, std::vector<Id> which, std::string name);
  Task<> cancel_these(Turn turn, std::vector<Id> which);
  void tell_these(Turn turn, const std::vector<Id>& which);
  /// At what time they ring.
  void tell_when(Turn turn, const std::vector<Id>& which);
  /// The one that rings next. There is one.
  void tell_first(Turn turn);

  bool is_too_long(Turn turn, std::chrono::seconds length);
  /// "Cancel it" means a timer for a while.
  void spoke_of(const Turn& turn, Wish wish, std::vector<Id> which,
                std::optional<std::chrono::seconds> length = std::nullopt);
  /// What was last spoken of in the session; nothing: that is too long ago.
  std::optional<Talk> talk_in(const Query& query);

 private:
  void say_how_it_is(Turn turn, Id id, const std::string& dialog);
  std::string time_of(const Turn& turn, const Timer& timer, const std::string& lang) const;

  SessionMemory<Talk> talks_{1000, std::chrono::minutes(5)};
};

/// Whether nobody else had a turn in a session since a skill had one.
bool is_last_in(const Session& session, const std::string& skill);
/// Whether somebody else takes part in the conversation.
bool has_others(const Session& session, const std::string& skill);

}  // namespace parley::timer
