#include "needed.hpp"

#include <parley/link_words.hpp>
#include <parley/lists.hpp>
#include <parley/text.hpp>
#include <utility>

namespace parley::lists {
std::string lacking_in(std::string_view text, const LocaleResources& locale, const std::string& lang) {
  using Ends = LinkWords::Ends;
  const auto count = [&lang](std::string_view some) { return words(some, lang).size(); };
  const std::string behind = LinkWords(locale, lang, "needed").strip(text, Ends::kFront);
  if (count(behind) < count(text)) return LinkWords(locale, lang, "needed_end").strip(behind);
  const std::string before = LinkWords(locale, lang, "gone").strip(text);
  return count(before) < count(text) ? before : std::string();
}

std::vector<std::string> needed_in(std::string_view text, const LocaleResources& locale,
                                   const std::string& lang) {
  using Ends = LinkWords::Ends;
  const LinkWords articles(locale, lang, "articles"), amounts(locale, lang, "amounts"),
      groceries(locale, lang, "groceries");
  std::vector<std::string> things;
  for (const std::string& one : split_list(lacking_in(text, locale, lang), lang)) {
    std::string thing = articles.strip(one, Ends::kFront);
    const std::string bare = amounts.strip(thing, Ends::kFront);
    if (bare.empty() || !groceries.strip(bare).empty()) return {};
    things.push_back(std::move(thing));
  }
  return things;
}

}  // namespace parley::lists
