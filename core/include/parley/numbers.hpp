#pragma once

#include <cstddef>
#include <optional>
#include <parley/text.hpp>
#include <span>
#include <string_view>

namespace parley {

/// A number as it was said, and how many words it took.
struct SpokenNumber {
  SpokenNumber(double the_value, std::size_t word_count) : value(the_value), words(word_count) {}
  double value;
  std::size_t words;
};

/// The number at the beginning of `said`, of as many words as possible; nothing when there is none.
///
/// - Digits, with the decimal and grouping signs of the language: "12", "1,000", "2.5"; in German "1.000",
/// "2,5". The grouping sign counts as the decimal sign where it can't group ("2.5" in German).
/// - Spelled out as ICU knows it for the language, in all its cardinal forms, below 10¹²: "forty-two", "two
///   hundred and fifty", "zweihundertfünfzig", "two thousand and five", "zweitausendfünf"; with decimals:
/// "two point five", "zwei Komma fünf". The "one" of a hundred or thousand may be missing.
/// - Both together: "3 million", "1.5 thousand".
///
/// Never negative. "Second" is no number: ordinals are not read.
/// @param said  what words() returned for that language
/// The words of a language are put together at its first use (some milliseconds). Safe from any thread.
std::optional<SpokenNumber> leading_number(std::span<const Word> said, std::string_view lang);

}  // namespace parley
