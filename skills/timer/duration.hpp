#pragma once

#include <chrono>
#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parley::timer {

/// What was said about a timer: how long, and what for.
struct Spoken {
  Spoken() = default;
  std::optional<std::chrono::seconds> duration;  ///< More than zero.
  std::string rest;  ///< The words that are not about how long, as given: "pasta". May be empty.
};

/// Reads durations in one language: "an hour and a half", "1h30", "zweieinhalb Minuten". The words for
/// units, halves and so on are vocabularies of the skill's `locale/`. Immutable once built.
class DurationReader {
 public:
  /// @param lang  BCP-47; vocabularies are those of the closest language there is
  DurationReader(const LocaleResources& locale, std::string lang);

  /// Finds the first duration in a text; what stands before and after it, without words that only link it
  /// ("for the", "called"), is the rest. A unit alone ("hour" of "an hour timer") is one of it.
  Spoken read(std::string_view text) const;
  /// The same for an answer to "for how long?", where a number alone is minutes.
  Spoken read_answer(std::string_view text) const;

 private:
  enum class Kind { kOther, kNumber, kOne, kFraction, kUnit, kAnd, kOf, kLink };
  struct Meaning {
    Kind kind = Kind::kOther;
    double value = 0;  ///< The number or fraction; seconds of a unit.
  };
  struct Token {
    Meaning meaning;
    std::size_t begin = 0, end = 0;  ///< Bytes of the text.
  };
  using Tokens = std::vector<Token>;
  class Parser;

  void add(const LocaleResources& locale, std::string_view vocabulary, Meaning meaning);
  Tokens tokens(std::string_view text) const;
  /// What some words mean, and how many they are; at least one.
  std::pair<Meaning, std::size_t> meaning(const std::vector<Word>& said, std::size_t at) const;
  std::optional<Meaning> compound(const Word& word, std::optional<Meaning>& unit) const;
  static std::string words_between(std::string_view text, const Tokens& tokens, std::size_t from,
                                   std::size_t to);

  std::string lang_;
  std::unordered_map<std::string, Meaning> phrases_;  ///< By normalised words.
  std::size_t longest_ = 1;                           ///< Words of the longest phrase.
};

}  // namespace parley::timer
