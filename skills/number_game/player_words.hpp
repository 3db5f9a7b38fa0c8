#pragma once

#include <cstdint>
#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <utility>

namespace parley::number_game {

/// A question with numbers in it, about where the number is.
struct Comparison {
  enum class Kind { kAbove, kBelow, kBetween };
  Comparison(Kind what, std::int64_t first, std::int64_t second) : kind(what), from(first), to(second) {}
  /// Whether it is so; the ends of a range belong to it.
  bool holds_for(std::int64_t number) const noexcept;

  Kind kind;
  std::int64_t from, to;  ///< The same but for kBetween.
};

/// What is a guess, by the vocabularies of the skill.
class PlayerWords {
 public:
  explicit PlayerWords(LocaleResources locale) : locale_(std::move(locale)) {}

  /// The guess, when that is all that is said: "fifty", "is it 50?". Nothing for "fifty minutes".
  std::optional<std::int64_t> guess(const std::string& text, const std::string& lang) const;
  /// A guess with a story around it: the only number that was said, or the one that replaces it, and nothing
  /// beside it that is about other matters. Nothing: none, or it may as well be something else.
  std::optional<std::int64_t> guess_within(const std::string& text, const std::string& lang) const;
  /// The question: "is it above fifty", "is it between 20 and 40 or not".
  std::optional<Comparison> comparison(const std::string& text, const std::string& lang) const;
  /// Whether something in it is said of other matters: a timer, a list, a sum.
  bool is_of_other_matters(const std::string& text, const std::string& lang) const;

 private:
  bool is_of_other_matters(std::span<const Word> said, const std::string& lang) const;
  /// Whether words are nothing but phrases of those that may be said around a guess.
  bool surrounds_guess(std::span<const Word> said, const std::string& lang) const;

  LocaleResources locale_;
};

}  // namespace parley::number_game
