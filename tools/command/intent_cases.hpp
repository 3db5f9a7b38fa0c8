#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <parley/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terminal.hpp"

namespace parley::command {

/// What an utterance became, or should become.
struct IntentOutcome {
  IntentOutcome() = default;
  std::string intent;                        ///< `skill_id:intent_name`; empty: nobody's.
  std::map<std::string, std::string> slots;  ///< By name, as they were said.
};
/// `music.example:play {what=jazz}`, or `-`.
std::string to_text(const IntentOutcome& outcome);

/// One line of a file of cases.
struct IntentCase {
  IntentCase() = default;
  std::size_t line = 0;  ///< 1-based.
  std::string utterance;
  std::string lang;  ///< Of the last `@ lang`; empty: the configured one.
  IntentOutcome expected;
  bool slots_matter = false;  ///< Braces were given.
};

struct IntentCases {
  IntentCases() = default;
  std::vector<IntentCase> cases;
  std::vector<std::string> problems;  ///< A sentence for each line that can't be read, with its place.
};

/// Reads `skill:intent {slot=value, …} | utterance` a line, with `-` for nobody. Braces left out: whatever
/// the slots are. `@ lang TAG` holds for what follows; `#` begins a comment.
/// @param name  of the file, for the problems
IntentCases read_intent_cases(std::string_view name, std::string_view text);

/// Compares and counts.
class IntentTally {
 public:
  /// Nothing when it is as expected; else what differs, indented, in lines.
  std::string add(const IntentCase& one, const IntentOutcome& got);
  bool all_good() const noexcept { return good_ == cases_; }
  /// The totals, and which intent was taken for which how often.
  std::string report(const Paint& paint) const;

 private:
  std::size_t cases_ = 0, good_ = 0, right_intent_ = 0;
  std::map<std::pair<std::string, std::string>, std::size_t> confusions_;  ///< Expected and got.
};

}  // namespace parley::command
