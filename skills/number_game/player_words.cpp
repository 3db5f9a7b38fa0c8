#include "player_words.hpp"

#include <algorithm>
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

bool Comparison::holds_for(std::int64_t number) const noexcept {
  if (kind == Kind::kAbove) return number > from;
  if (kind == Kind::kBelow) return number < from;
  return number >= std::min(from, to) && number <= std::max(from, to);
}

std::optional<Comparison> PlayerWords::comparison(const std::string& text, const std::string& lang) const {
  const std::vector<Word> said = words(text, lang);
  if (said.size() > kMostWords) return std::nullopt;
  std::vector<std::int64_t> numbers;
  std::vector<Word> around;
  for (std::size_t at = 0; at < said.size();) {
    const auto number = leading_number(std::span(said).subspan(at), lang);
    const bool whole = number && number->words > 0 && number->value == std::floor(number->value);
    if (whole) numbers.push_back(static_cast<std::int64_t>(number->value));
    if (!whole) around.push_back(said[at]);
    at += whole ? number->words : 1;
  }
  const auto asks = [&](const char* vocabulary) {
    return locale_.vocabulary_equals(lang, vocabulary, around);
  };
  if (numbers.size() == 2 && asks("between"))
    return Comparison(Comparison::Kind::kBetween, numbers[0], numbers[1]);
  if (numbers.size() != 1) return std::nullopt;
  if (asks("above")) return Comparison(Comparison::Kind::kAbove, numbers[0], numbers[0]);
  if (asks("below")) return Comparison(Comparison::Kind::kBelow, numbers[0], numbers[0]);
  return std::nullopt;
}

}  // namespace parley::number_game
