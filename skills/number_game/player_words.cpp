#include "player_words.hpp"

#include <cmath>
#include <parley/numbers.hpp>
#include <parley/text.hpp>
#include <span>
#include <vector>

namespace parley::number_game {
namespace {

constexpr std::size_t kMostWords = 32;

}  // namespace

std::optional<std::int64_t> PlayerWords::guess(const std::string& text, const std::string& lang) const {
  const std::vector<Word> said = words(text, lang);
  if (said.size() > kMostWords) return std::nullopt;
  for (std::size_t at = 0; at < said.size(); ++at) {
    const auto number = leading_number(std::span(said).subspan(at), lang);
    if (!number || number->value != std::floor(number->value)) continue;
    std::vector<Word> around(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(at));
    around.insert(around.end(), said.begin() + static_cast<std::ptrdiff_t>(at + number->words), said.end());
    if (around.empty() || locale_.vocabulary_equals(lang, "around_guess", around))
      return static_cast<std::int64_t>(number->value);
  }
  return std::nullopt;
}

}  // namespace parley::number_game
