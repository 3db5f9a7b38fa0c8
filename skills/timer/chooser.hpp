#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/skill.hpp>
#include <parley/turn.hpp>
#include <string>
#include <vector>

#include "duration.hpp"
#include "keeper.hpp"
#include "timers.hpp"

namespace parley::timer {

/// Finds out which timers people mean, and tells of timers.
class TimerChooser : public TimerKeeper {
 protected:
  /// Those a turn means, by name, else all that `fits`. Nothing: the answer to the turn was said, such as
  /// that there is no timer of that name.
  std::vector<Id> named_by(Turn turn, const Timers::Which& fits);
  /// One of them, after a question if need be; all of them when the turn says so.
  Task<std::vector<Id>> meant_by(Turn turn, Timers::Which fits, std::string otherwise);
  /// Nothing when the user does not say, or names none of them; then `otherwise` was said.
  Task<std::vector<Id>> ask_which(Turn turn, std::vector<Id> meant, std::string otherwise);

  /// What is left of those.
  void tell(Turn turn, const std::vector<Id>& meant);
  /// Speaks a dialog about a timer, the one that ends in `_named` where it has a name.
  void say_of(Turn turn, const Timer& timer, const std::string& dialog);
  /// What can be said of a timer, in the language of a dialog.
  Slots slots(const Turn& turn, const Timer& timer, const std::string& dialog) const;

  std::vector<Id> all_ids(const Turn& turn) const { return all_timers().ids(turn.session_key()); }
  /// The name that a turn gives a timer; empty: none.
  std::string name_in(const Turn& turn);
  const DurationReader& durations(const std::string& lang);

 private:
  bool is_clause_behind(const Turn& turn, const std::string& name) const;
  std::vector<Id> named(const Turn& turn, const std::string& text, const std::string& lang);
  std::vector<Timer> those_of(const Turn& turn, const std::vector<Id>& which) const;
  std::string item(const Turn& turn, const Timer& timer) const;
  void tell_alike_apart(const Turn& turn, const std::vector<Id>& all, std::vector<std::string>& names);
  std::optional<std::vector<Id>> chosen(const Turn& turn, const std::vector<Id>& offered,
                                        const std::vector<std::string>& names, const std::string& said,
                                        const std::string& lang);

  std::map<std::string, std::unique_ptr<const DurationReader>, std::less<>> readers_;
};

}  // namespace parley::timer
