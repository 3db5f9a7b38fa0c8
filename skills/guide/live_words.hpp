#pragma once

#include <array>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "search_words.hpp"

namespace parley::guide {

/// What may be meant while something is offered or under way, the more telling first: "read the ingredients
/// again" asks for the ingredients. Words for each are in `topic_<meaning>.voc`, those that say it beyond
/// doubt in `surely_<meaning>.voc`.
inline constexpr std::array kLiveMeanings{"cancel",   "lack",   "amount", "requirements", "left", "where",
                                          "previous", "repeat", "begin",  "next",         "go_on"};

/// Looks the words of an utterance up in the vocabularies of its language. What it is made of must outlive
/// it.
class LiveWords {
 public:
  LiveWords(const LocaleResources& locale, std::string lang, std::span<const Word> said)
      : locale_(locale), lang_(std::move(lang)), said_(said) {}

  bool has(const std::string& vocabulary) const;
  /// Whether the first word is one of a vocabulary, and not of a phrase that changes nothing: "está bem".
  bool begins(const std::string& vocabulary) const;
  /// Whether it is about other matters: lists, timers, songs. Not by a word of what moves on in a task: the
  /// "lista" of "estoy lista".
  bool is_elsewhere() const;
  bool is_surely(const std::string& meaning) const { return has("surely_" + meaning); }
  bool may_mean(const std::string& meaning) const { return has("topic_" + meaning) || is_surely(meaning); }
  /// Whether one of the words is among the stems of `names`.
  bool has_name(const std::set<std::string>& names, const SearchWords& how) const;
  /// How many words say something that is neither of a task nor of going on with it.
  /// @param names  the stems of what belongs to the task
  std::size_t strange(const std::set<std::string>& names, const SearchWords& how) const;
  /// Whether "how much is left" asks for a time, not for steps: "of the rice", "how many minutes".
  bool asks_for_time(const SearchWords& how) const;

 private:
  /// @param fewest  words of the phrases that count
  void cover(const std::string& vocabulary, std::vector<bool>& covered, std::size_t fewest = 1) const;

  const LocaleResources& locale_;
  std::string lang_;
  std::span<const Word> said_;
};

}  // namespace parley::guide
