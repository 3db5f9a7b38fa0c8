#pragma once

#include <chrono>
#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "request.hpp"

namespace parley::reminder {

/// A reminder or an alarm that there is, as far as it is known without asking the schedule.
struct Known {
  Known() = default;
  Known(std::string of, std::optional<std::chrono::minutes> at) : what(std::move(of)), time(at) {}
  std::string what;
  std::optional<std::chrono::minutes> time;  ///< Of day.
};

/// What is known in a session: the more, the less has to be said.
struct Talk {
  Talk() = default;
  std::vector<Known> entries;
  std::optional<Known> latest;       ///< What was set or told last.
  std::optional<std::string> asked;  ///< Of what is to be reminded; the user was asked when.
  bool spoke_last = false;           ///< Nobody has answered since.
  /// What merely corrects what was said right before is left to who understands that anew with it.
  bool leaves_corrections = false;
  /// Nobody else was asked yet, who may know better: only what is plainly meant counts.
  bool asked_first = false;
};

/// Reads what is said of reminders that were spoken of before: "make it ten, they're never there at nine",
/// "right well, it'll have to be Monday then at nine", "when do you tell me that about the pills".
class TalkReader {
 public:
  TalkReader(const LocaleResources& locale, std::string lang, RequestReader::FindWhen find_when)
      : locale_(locale), lang_(std::move(lang)), find_when_(std::move(find_when)) {}

  /// Nothing where it is none of these, or but a guess.
  std::optional<Request> read(std::string_view text, const Talk& talk) const;
  /// When it is to be by an answer to "when?"; nothing where it asks for something else.
  std::optional<Request> answer(std::string_view text, const Talk& talk) const;

 private:
  const LocaleResources& locale_;
  std::string lang_;
  RequestReader::FindWhen find_when_;
};

}  // namespace parley::reminder
