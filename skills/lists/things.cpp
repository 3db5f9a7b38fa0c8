#include "things.hpp"

#include <algorithm>
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
    std::string bare = wishes.bare(names.without_articles(thing, lang), lang);
    if (!bare.empty()) things.push_back(std::move(bare));
  }
  return things;
}

}  // namespace parley::lists
