#include "things.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <parley/lists.hpp>
#include <parley/text.hpp>
#include <span>

namespace parley::lists {
namespace {

/// What takes something back in a thing: words before it, and what is said instead.
struct Instead {
  std::size_t before = 0;
  std::string thing;
};

std::optional<Instead> instead_in(const std::string& thing, const std::string& lang,
                                  const LocaleResources& locale) {
  constexpr std::size_t kLongest = 3;
  const auto said = words(thing, lang);
  const std::span all(said);
  for (std::size_t at = 0; at < said.size(); ++at) {
    for (std::size_t n = std::min(kLongest, said.size() - at); n > 0; --n) {
      if (!locale.vocabulary_equals(lang, "wish_instead", all.subspan(at, n))) continue;
      return Instead{at, at + n < said.size() ? thing.substr(said[at + n].begin) : std::string()};
    }
  }
  return std::nullopt;
}

/// "The boy wants bananas": what is wanted, and not by whom.
std::string wanted_in(const std::string& thing, const std::string& lang, const LocaleResources& locale) {
  constexpr std::size_t kLongestWho = 4;
  const auto said = words(thing, lang);
  for (std::size_t at = 1; at + 1 < said.size() && at <= kLongestWho; ++at)
    if (locale.vocabulary_equals(lang, "wish_wants", std::span(said).subspan(at, 1)))
      return thing.substr(said[at + 1].begin);
  return thing;
}

/// Words of the longest phrase of a vocabulary that begins there; 0: none.
std::size_t phrase_at(const LocaleResources& locale, const std::string& lang, const char* vocabulary,
                      std::span<const Word> said, std::size_t at) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t n = std::min(kLongest, said.size() - at); n > 0; --n)
    if (locale.vocabulary_equals(lang, vocabulary, said.subspan(at, n))) return n;
  return 0;
}

/// "Liquide vaisselle des éponges": words that only stand between things; behind "acheter" they do not.
bool is_joint(const LocaleResources& locale, const std::string& lang, std::span<const Word> said,
              std::size_t at) {
  if (at == 0 || phrase_at(locale, lang, "wish_part", said, at) == 0) return false;
  constexpr std::array kInfinitives{"er", "ir", "re"};
  return std::ranges::none_of(kInfinitives, [&](const char* end) { return said[0].norm.ends_with(end); });
}

/// Where things begin that were said without a word between them: "milk eggs bread"; only the first: it is
/// one.
std::vector<std::size_t> beginnings(std::span<const Word> said, const std::string& lang,
                                    const LocaleResources& locale) {
  std::vector<std::size_t> found(1, 0), joints(1, 0);
  for (std::size_t at = 1; at < said.size(); ++at)
    if (is_joint(locale, lang, said, at)) joints.push_back(at);
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t begin = at;
    while (at < said.size() && phrase_at(locale, lang, "amounts", said, at) > 0)
      at += phrase_at(locale, lang, "amounts", said, at);
    const std::size_t thing = at < said.size() ? phrase_at(locale, lang, "groceries", said, at) : 0;
    // "Tomato soup" is one thing, "eggs soup" are two.
    const bool is_of_kind = begin > 0 && begin == at && thing > 0 && !said[at - 1].norm.ends_with('s') &&
                            phrase_at(locale, lang, "wish_heads", said, at) > 0;
    if (thing == 0 || is_of_kind) return joints;
    // "Pão de alho" is one thing.
    const bool is_of =
        at > begin && locale.vocabulary_equals(lang, "wish_of", said.subspan(begin, at - begin));
    if (begin > 0 && !is_of) found.push_back(begin);
    at += thing;
  }
  return found.size() > 1 ? found : joints;
}

/// Without what joins them.
std::vector<std::string> apart(const std::string& thing, const std::string& lang,
                               const LocaleResources& locale) {
  const auto said = words(thing, lang);
  if (said.size() < 2) return {thing};
  const auto begins = beginnings(said, lang, locale);
  std::vector<std::string> things;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : said.size();
    things.emplace_back(surface(thing, std::span(said).subspan(begins[i], end - begins[i])));
  }
  return things;
}

}  // namespace

std::vector<std::string> things_in(const std::string& text, const std::string& lang,
                                   const LocaleResources& locale, const ListNames& names,
                                   const Wishes& wishes) {
  std::vector<std::string> things;
  for (std::string thing : split_list(text, lang)) {
    while (const auto instead = instead_in(thing, lang, locale)) {
      // "Milk, no wait, eggs": it takes back what came before.
      if (instead->before == 0 && !things.empty()) things.pop_back();
      thing = instead->thing;
    }
    thing = wanted_in(thing, lang, locale);
    for (const std::string& one : apart(thing, lang, locale)) {
      std::string bare = wishes.bare(names.without_articles(one, lang), lang);
      if (!bare.empty()) things.push_back(std::move(bare));
    }
  }
  return things;
}

}  // namespace parley::lists
