#pragma once

#include <chrono>
#include <optional>
#include <parley/clock.hpp>
#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "duration.hpp"
#include "request.hpp"
#include "timers.hpp"

namespace parley::timer {

/// What was last said of timers in a session.
struct Talk {
  explicit Talk(Wish what) : wish(what) {}
  Wish wish;
  std::vector<Id> which;                       ///< The timers it was about.
  std::optional<std::chrono::seconds> length;  ///< By how much, or how long.
  Clock::Time when{};
  bool is_last = true;   ///< Nobody else had a turn since.
  bool is_fresh = true;  ///< It was just now.
};

/// Reads what is said while timers run. As they are known by name, a name and one word of what is wanted are
/// enough, in any order and beside other words: "hold the egg one a moment, the pan's gone off", "and the
/// bread". Without a name it takes more: the word for a timer, how long, or that timers were spoken of just
/// before.
class LiveReader {
 public:
  /// @param locale  its vocabularies `live_*`, `wish_*` and `timer` are the words
  LiveReader(const LocaleResources& locale, const DurationReader& durations)
      : locale_(locale), durations_(durations) {}

  /// Nothing where it may as well be meant for somebody else.
  /// @param talk  null: timers were not spoken of lately
  std::optional<Request> read(std::string_view text, const std::vector<Timer>& running,
                              const Talk* talk) const;
  /// Those that are named, or all of them where that is said.
  std::vector<Id> meant(std::string_view text, const std::vector<Timer>& running) const;
  /// Whether there may be two wishes: "what time is it and then cancel my timer".
  bool may_be_several(std::string_view text) const;
  /// Whether a "stop" has other words with it than those of timers: "stop fighting over the spoon".
  bool is_of_somebody_else(std::string_view text, const std::vector<Timer>& running) const;

 private:
  const LocaleResources& locale_;
  const DurationReader& durations_;
};

}  // namespace parley::timer
