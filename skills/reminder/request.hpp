#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <parley/locale.hpp>
#include <parley/moments.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::reminder {

/// What somebody wants of reminders and alarms.
enum class Wish : std::uint8_t {
  kRemind,
  kAlarm,
  kCancel,
  kMove,
  kList,
  kWhen,
  kAnswer,  ///< When it is to be, after that was asked.
};

/// A request as it was read from a whole utterance.
struct Request {
  explicit Request(Wish of) : wish(of) {}
  Wish wish;
  std::string what;  ///< Of what to remind; may be empty.
  std::optional<SpokenMoment> moment;
  std::string when;  ///< The words that the moment was read from.
};

/// Reads a request by the words that say what it is about, wherever they stand: of what and when may be in
/// one clause, and "remind me" in another ("every evening at eight I have to take my pills, will you nag
/// me").
class RequestReader {
 public:
  /// Finds a moment at the ends of a text, from what a clock on the user's wall shows; of an alarm a number
  /// alone is a time.
  using FindWhen = std::function<std::optional<SpokenMoment>(const std::string& text, bool of_alarm)>;

  /// @param locale  its vocabularies `wish_*` are the words
  RequestReader(const LocaleResources& locale, std::string lang, FindWhen find_when)
      : locale_(locale), lang_(std::move(lang)), find_when_(std::move(find_when)) {}

  /// Nothing where what is wanted is but a guess.
  /// @param known  of what there are reminders: "the vet thing, make that five" names one of them
  std::optional<Request> read(std::string_view text, const std::vector<std::string>& known) const;
  /// As read(), of what is known to be a request to remind.
  Request read_reminder(std::string_view text) const;
  /// Whether a time is taken back for another: "at seven, no, nine".
  bool is_put_right(std::string_view text) const;
  /// The day that is named within a text, without a time of day.
  /// @param or_weekly  "Mondays" counts, too: a repetition
  std::optional<SpokenMoment> day_in(std::string_view text, bool or_weekly = false) const;

 private:
  const LocaleResources& locale_;
  std::string lang_;
  FindWhen find_when_;
};

}  // namespace parley::reminder
