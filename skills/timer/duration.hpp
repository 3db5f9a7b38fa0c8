#pragma once

#include <chrono>
#include <optional>
#include <parley/link_words.hpp>
#include <parley/locale.hpp>
#include <string>
#include <string_view>

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

 private:
  bool is_minus(const std::string& word) const;

  std::string lang_;
  LinkWords links_;
};

}  // namespace parley::timer
