#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "duration.hpp"
#include "timers.hpp"

namespace parley::timer {

/// What somebody wants of timers.
enum class Wish : std::uint8_t {
  kSet,
  kExtend,
  kShorten,
  kChange,
  kPause,
  kResume,
  kRestart,
  kCancel,
  kLeft,
  kWhen,   ///< At what time it rings.
  kFirst,  ///< Which rings next.
  kList,
  kRename
};

/// A request as it was read from a whole utterance.
struct Request {
  explicit Request(Wish what) : wish(what) {}
  Wish wish;
  std::optional<std::chrono::seconds> duration;
  std::string name;       ///< The name that a timer gets; empty: none was said.
  std::vector<Id> which;  ///< Those it is about; empty: that was not said.
};

/// Reads a request by the words that say what it is about, wherever they stand: a story may go before or
/// behind it, and how long may be in one clause and what is wanted in another ("the roast needs an hour and
/// a half, count it down for me").
class RequestReader {
 public:
  /// @param locale  its vocabularies `timer` and `wish_*` are the words
  RequestReader(const LocaleResources& locale, const DurationReader& durations)
      : locale_(locale), durations_(durations) {}

  /// Nothing where what is wanted is but a guess.
  /// @param running  the timers there are: without one nobody asks how long is left
  std::optional<Request> read(std::string_view text, const std::vector<Timer>& running) const;
  /// The first duration, also where a word stands between a number and its unit ("five more minutes"), and
  /// what took its place ("ten minutes, no, twelve").
  std::optional<std::chrono::seconds> duration_in(std::string_view text) const;
  /// The duration that takes the place of one in front of it, with other words between: "an hour for the
  /// roast, actually make it fifty minutes"; and the words of the slip.
  struct PutRight {
    std::chrono::seconds time{};
    std::string slip;
  };
  std::optional<PutRight> put_right(std::string_view text) const;
  /// Whether the word for a timer is in it.
  bool has_timer(std::string_view text) const;
  /// What stands in front of words that say which timer is to stay: "but leave the chicken".
  std::string_view without_what_stays(std::string_view text) const;

 private:
  const LocaleResources& locale_;
  const DurationReader& durations_;
};

}  // namespace parley::timer
