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
/// Words beside a comparison.
constexpr std::size_t kMostAround = 8;

}  // namespace

bool PlayerWords::surrounds_guess(std::span<const Word> said, const std::string& lang) const {
  constexpr std::size_t kLongest = 6;
  std::vector<bool> reached(said.size() + 1, false);  // up to where phrases follow each other without a gap
  reached[0] = true;
  for (std::size_t from = 0; from < said.size(); ++from) {
    if (!reached[from]) continue;
    for (std::size_t count = 1; count <= std::min(kLongest, said.size() - from); ++count) {
      const std::vector<Word> phrase(said.begin() + static_cast<std::ptrdiff_t>(from),
                                     said.begin() + static_cast<std::ptrdiff_t>(from + count));
      if (locale_.vocabulary_equals(lang, "around_guess", phrase)) reached[from + count] = true;
    }
  }
  return reached[said.size()];
}

std::optional<std::int64_t> PlayerWords::guess(const std::string& text, const std::string& lang) const {
  const std::vector<Word> said = words(text, lang);
  if (said.size() > kMostWords) return std::nullopt;
  for (std::size_t at = 0; at < said.size(); ++at) {
    const auto number = leading_number(std::span(said).subspan(at), lang);
    if (!number || number->value != std::floor(number->value)) continue;
    const std::span all(said);
    const auto before = all.first(at), behind = all.subspan(at + number->words);
    std::vector<Word> around(before.begin(), before.end());
    around.insert(around.end(), behind.begin(), behind.end());
    if (around.empty() || locale_.vocabulary_equals(lang, "around_guess", around) ||
        (surrounds_guess(before, lang) && surrounds_guess(behind, lang)))
      return static_cast<std::int64_t>(number->value);
    // "25, or no, 28": what was said before it was thought better of.
    if (surrounds_guess(before, lang) && !behind.empty() &&
        locale_.vocabulary_occurs(lang, "instead", behind)) {
      const auto later = guess(text.substr(behind.front().begin), lang);
      if (later) return later;
    }
  }
  return std::nullopt;
}

bool PlayerWords::is_of_other_matters(std::span<const Word> said, const std::string& lang) const {
  return locale_.vocabulary_occurs(lang, "elsewhere", said);
}

bool PlayerWords::is_of_other_matters(const std::string& text, const std::string& lang) const {
  return is_of_other_matters(words(text, lang), lang);
}

std::optional<std::int64_t> PlayerWords::guess_within(const std::string& text,
                                                      const std::string& lang) const {
  constexpr std::size_t kMostInStory = 14;
  const std::vector<Word> said = words(text, lang);
  if (said.size() > kMostInStory || is_of_other_matters(said, lang) ||
      locale_.vocabulary_occurs(lang, "not_a_guess", said))
    return std::nullopt;
  std::vector<std::int64_t> numbers;
  std::size_t end = 0;
  bool is_later = false;  // what stands between the last two says that the later one is meant
  for (std::size_t at = 0; at < said.size();) {
    const auto number = leading_number(std::span(said).subspan(at), lang);
    // "A", "un", "ein": most often no number.
    const bool counts = number && number->words > 0 && number->value == std::floor(number->value) &&
                        (number->value > 1 || said[at].norm == "1");
    if (!counts) {
      ++at;
      continue;
    }
    is_later = !numbers.empty() &&
               locale_.vocabulary_occurs(lang, "instead", std::span(said).subspan(end, at - end));
    numbers.push_back(static_cast<std::int64_t>(number->value));
    at += number->words;
    end = at;
  }
  if (numbers.empty()) return std::nullopt;
  const bool is_one = std::ranges::count(numbers, numbers.back()) == std::ssize(numbers);
  return is_one || is_later ? std::optional(numbers.back()) : std::nullopt;
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
  // "Is it more than forty or not": what else is said does not matter, as long as it is nothing else.
  const auto asks = [&](const char* vocabulary) {
    return locale_.vocabulary_equals(lang, vocabulary, around) ||
           (around.size() <= kMostAround && !is_of_other_matters(said, lang) &&
            locale_.vocabulary_occurs(lang, vocabulary, around));
  };
  if (numbers.size() == 2 && asks("between"))
    return Comparison(Comparison::Kind::kBetween, numbers[0], numbers[1]);
  if (numbers.size() != 1) return std::nullopt;
  if (asks("above")) return Comparison(Comparison::Kind::kAbove, numbers[0], numbers[0]);
  if (asks("below")) return Comparison(Comparison::Kind::kBelow, numbers[0], numbers[0]);
  return std::nullopt;
}

}  // namespace parley::number_game
