#pragma once

#include <cstdint>
#include <optional>
#include <parley/locale.hpp>
#include <string>
#include <utility>

namespace parley::number_game {

/// What is a guess, by the vocabularies of the skill.
class PlayerWords {
 public:
  explicit PlayerWords(LocaleResources locale) : locale_(std::move(locale)) {}

  /// The guess, when that is all that is said: "fifty", "is it 50?". Nothing for "fifty minutes".
  std::optional<std::int64_t> guess(const std::string& text, const std::string& lang) const;

 private:
  LocaleResources locale_;
};

}  // namespace parley::number_game
