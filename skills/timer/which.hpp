#pragma once

#include <cstddef>
#include <parley/locale.hpp>
#include <parley/utterance_words.hpp>
#include <string>
#include <vector>

#include "duration.hpp"
#include "timers.hpp"

namespace parley::timer {

/// Which of the timers that run an utterance names, in any short form: "the eggs" for "soft boiled eggs",
/// "eiertimer" for "Eier". Where one is named by more of its words than others, only that one is.
class NamedTimers {
 public:
  /// @param said  outlives it
  NamedTimers(const UtteranceWords& said, const std::vector<Timer>& running, const LocaleResources& locale,
              const DurationReader& durations);

  bool none() const noexcept { return ids_.empty(); }
  /// In the order in which they were set.
  const std::vector<Id>& ids() const noexcept { return ids_; }
  /// Whether a word of the utterance belongs to a name.
  bool has(std::size_t at) const { return in_name_[at]; }
  /// Whether all words of a run do.
  bool have(WordRun run) const;
  /// The place of the first word of a name; only where there is one.
  std::size_t first() const;
  std::size_t last() const;

 private:
  std::vector<Id> ids_;
  std::vector<bool> in_name_;
};

}  // namespace parley::timer
