#pragma once

#include <optional>
#include <string>
#include <vector>

#include "changer.hpp"

namespace parley::timer {

/// Sets timers, within the bounds of a session and of a client, and asks for how long where nobody said.
class TimerSetter : public TimerChanger {
 protected:
  /// By a request that says how long.
  Task<> set_one_of(Turn turn, Request request);
  /// Asks for how long where that was not said.
  Task<> set_all(Turn turn, std::vector<Spoken> wanted);
  /// Without a duration when there is none; then that was said.
  Task<Spoken> ask_how_long(Turn turn, std::string dialog);
  /// What was said at once, else asked for. Without a duration when there is none; then that was said.
  Task<Spoken> said_or_asked(Turn turn, Spoken said, std::string dialog);
  /// Whether there may be no more; then that was said.
  bool is_full(Turn turn);
  /// The timer that the turn corrects, if it does: its session's newest, if that was set just now.
  std::optional<Id> corrected_by(const Turn& turn) const;
  /// "Set the pasta timer to ten minutes", and there is one of that name. "A pasta timer" is another.
  std::vector<Id> already_there(const Turn& turn, const std::vector<Spoken>& wanted);

 private:
  Task<> set_one(Turn turn, Spoken wanted);
  /// Whether the first article is "the", and not "a".
  bool is_of_one_known(const Turn& turn) const;
};

}  // namespace parley::timer
