#include "turn/yes_no.hpp"

#include <algorithm>
#include <cstddef>
#include <parley/offers.hpp>
#include <vector>

namespace parley {
namespace {

constexpr std::size_t kLongestPhrase = 5;
constexpr std::size_t kFewWords = 4;

class Reading {
 public:
  Reading(std::span<const Word> said, const SaysWords& says) : said_(said), says_(says) {}

  std::optional<bool> answer() {
    const std::size_t begin = behind_nothing();
    for (std::size_t at = begin; at < said_.size();) at += take(at, at == begin);
    if ((yes_ == 0) == (no_ == 0)) return std::nullopt;
    return is_half() || begins_ || ends() ? std::optional(yes_ > 0) : std::nullopt;
  }
  /// Where nobody waits for an answer, what only begins with one is for somebody else.
  std::optional<bool> answer_to_offer() {
    const auto said = answer();
    if (!said) return std::nullopt;
    return is_half() || (!*said && ends()) ? said : std::nullopt;
  }

 private:
  bool is_half() const { return (yes_ + no_) * 2 >= said_.size(); }
  bool ends() const { return is_last_ && said_.size() <= kFewWords; }
  bool is(std::string_view name, std::span<const Word> words) const { return says_(name, words); }
  bool says_any(std::span<const Word> words) const { return is("yes", words) || is("no", words); }

  /// How many words there mean nothing: "well", "na gut".
  std::size_t nothing_at(std::size_t at) const {
    for (std::size_t n = std::min(kLongestPhrase, said_.size() - at); n > 0; --n) {
      const auto words = said_.subspan(at, n);
      if (says_any(words)) return 0;
      if (is("skip_first", words) || is("fillers", words)) return n;
    }
    return 0;
  }
  std::size_t behind_nothing() const {
    std::size_t at = 0;
    while (const std::size_t n = nothing_at(at)) at += n;
    return at;
  }

  /// How many words the longest phrase there has; 1: there is none.
  std::size_t take(std::size_t at, bool is_first) {
    for (std::size_t n = std::min(kLongestPhrase, said_.size() - at); n > 0; --n) {
      const auto words = said_.subspan(at, n);
      if (!says_any(words)) continue;
      (is("yes", words) ? yes_ : no_) += n;
      const bool is_polite = is("skip", words);  // "bitte"
      begins_ = begins_ || (is_first && !is_polite);
      is_last_ = at + n == said_.size() && !is_polite;
      return n;
    }
    return 1;
  }

  const std::span<const Word> said_;
  const SaysWords& says_;
  std::size_t yes_ = 0, no_ = 0;  ///< Words.
  bool begins_ = false, is_last_ = false;
};

}  // namespace

std::optional<bool> yes_or_no(std::span<const Word> said, const SaysWords& says) {
  return Reading(said, says).answer();
}

std::optional<bool> yes_or_no(std::span<const Word> said, std::string_view lang, const FindVocabulary& find) {
  return yes_or_no(said, [&](std::string_view name, std::span<const Word> part) {
    return find(name).vocabulary_equals(lang, name, part);
  });
}

std::optional<bool> yes_or_no(std::string_view text, std::string_view lang, const SaysVocabulary& says) {
  if (says("cancel", text)) return false;
  const std::vector<Word> said = words(text, lang);
  const SaysWords says_words = [&](std::string_view name, std::span<const Word> part) {
    return says(name, surface(text, part));
  };
  return Reading(said, says_words).answer_to_offer();
}

}  // namespace parley
