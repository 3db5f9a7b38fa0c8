#pragma once

#include <cstdint>
#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <utility>

namespace parley::number_game {

/// What a player may say while a game is on, by the vocabularies of the skill.
class PlayerWords {
 public:
  explicit PlayerWords(LocaleResources locale) : locale_(std::move(locale)) {}

  /// The guess, when that is all that is said: "fifty", "is it 50?". Nothing for "fifty minutes".
  std::optional<std::int64_t> guess(const std::string& text, const std::string& lang) const;
  bool wants_hint(const std::string& text, const std::string& lang) const;
  bool gives_up(const std::string& text, const std::string& lang) const;

 private:
  bool says(const std::string& text, const std::string& lang, const char* vocabulary) const;

  LocaleResources locale_;
};

}  // namespace parley::number_game
