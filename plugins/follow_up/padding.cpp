#include "padding.hpp"

#include <algorithm>

namespace parley::follow_up {
namespace {

constexpr std::size_t kLongestPadding = 7;  // words

/// How many words at one end are a phrase to be skipped; 0: none. The longest there is.
std::size_t skipped_at(std::span<const Word> said, bool front, const LocaleResources& common,
                       const std::string& lang) {
  for (std::size_t n = std::min(kLongestPadding, said.size() - 1); n > 0; --n) {
    const auto end = front ? said.first(n) : said.last(n);
    if (common.vocabulary_equals(lang, "skip", end)) return n;
    if (front && common.vocabulary_equals(lang, "skip_first", end)) return n;
  }
  return 0;
}

}  // namespace

std::span<const Word> without_padding(std::span<const Word> said, const LocaleResources& common,
                                      const std::string& lang) {
  if (!common.vocabulary_occurs(lang, "skip", said) && !common.vocabulary_occurs(lang, "skip_first", said))
    return said;  // mostly
  for (const bool front : {true, false}) {
    while (said.size() > 1) {
      const std::size_t n = skipped_at(said, front, common, lang);
      if (n == 0) break;
      said = front ? said.subspan(n) : said.first(said.size() - n);
    }
  }
  return said;
}

}  // namespace parley::follow_up
