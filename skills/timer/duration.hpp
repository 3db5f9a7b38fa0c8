#pragma once

#include <chrono>
#include <optional>
#include <parley/link_words.hpp>
#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::timer {

/// What was said about a timer: how long, and what for.
struct Spoken {
  Spoken() = default;
  std::optional<std::chrono::seconds> duration;  ///< More than zero.
  bool negative = false;                         ///< "Minus five minutes": there is no duration then.
  std::string rest;  ///< The words that are not about how long, as given: "pasta". May be empty.
};

/// Reads what is said about a timer in one language, with parley::find_duration(). Immutable once built.
class DurationReader {
 public:
  /// @param locale  its vocabulary `link` holds words that only link a duration and a name
  /// @param lang  BCP-47; the vocabulary is that of the closest language there is
  DurationReader(const LocaleResources& locale, std::string lang);

  /// Finds the first duration in a text; what stands before and after it, without words that only link it
  /// ("for the", "called"), is the rest.
  Spoken read(std::string_view text) const;
  /// The same for an answer to "for how long?", where a number alone is minutes.
  Spoken read_answer(std::string_view text) const;
  /// Several timers said at once, "three minutes and one for seven", "an egg timer for 3 minutes and a tea
  /// timer for 5": minutes where nobody says of what. At least one; without a duration when there is none.
  std::vector<Spoken> read_all(std::string_view text) const;
  /// "Two timers for {5} and {10 seconds}": a number without a unit has that of the second, else is minutes.
  std::vector<Spoken> read_two(const std::string& first, const std::string& second) const;
  /// "Three timers for {5, 10 and 15 minutes}": likewise, of the next that has one. At least one.
  std::vector<Spoken> read_many(const std::string& text) const;
  /// What a compound says the timer is for: "Nudel" of "Nudeltimer"; empty: there is none.
  std::string compound_name(std::string_view text) const;
  const std::string& lang() const noexcept { return lang_; }

 private:
  bool is_minus(const std::string& word) const;
  Spoken read_next(std::string_view text) const;
  std::vector<std::string> parts_of(const std::string& text) const;

  std::string lang_;
  LinkWords links_;
  LinkWords next_;  ///< "And one for": what begins another timer.
};

}  // namespace parley::timer
