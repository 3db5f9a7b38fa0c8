#include "names.hpp"

#include <algorithm>
#include <parley/link_words.hpp>
#include <parley/storage.hpp>
#include <parley/text.hpp>
#include <span>

namespace parley::lists {

Which ListNames::named(const std::string& said, const std::string& lang) const {
  const std::string name = without_articles(said, lang);
  if (name.empty() || is("shopping", name, lang) || is("market", name, lang)) return {"shopping", ""};
  if (is("todo", name, lang)) return {"todo", ""};
  for (const char* const one : {"shopping", "todo"})
    if (ending(normalise(name, lang), lang) > 0 && has_any(name, one, lang)) return {one, ""};
  std::string key = "named/" + normalise(name, lang);
  if (key.size() > Storage::kLongestKey) key.resize(Storage::kLongestKey);
  return {std::move(key), name};
}

std::string ListNames::compound_in(const std::string& text, const std::string& lang) const {
  for (const auto& word : words(text, lang))
    if (ending(word.norm, lang) > 0) return std::string(surface(text, std::span(&word, 1)));
  return {};
}

bool ListNames::is_behind(const std::string& name, const std::string& lang) const {
  const auto said = words(name, lang);
  return said.size() > 1 && locale_.vocabulary_equals(lang, "behind", std::span(said).first(1));
}

std::string ListNames::bare(const std::string& name, const std::string& lang) const {
  std::string bare = normalise(name, lang);
  if (const std::size_t length = ending(bare, lang); length > 0) {
    bare.resize(bare.size() - length);
    if (bare.ends_with('s') || bare.ends_with(' ')) bare.pop_back();
  }
  return bare;
}

bool ListNames::has(const std::string& text, const std::string& name, const std::string& lang) const {
  constexpr std::size_t kNear = 4;  // "lista esa de la compra"
  const auto said = words(text, lang);
  const std::string wanted = bare(name, lang);
  const std::size_t length = words(wanted, lang).size();
  const auto is_list = [&](std::size_t at) { return is_word(said[at].norm, lang); };
  for (std::size_t at = 0; length > 0 && at + length <= said.size(); ++at) {
    if (ending(said[at].norm, lang) > 0 && bare(said[at].norm, lang) == wanted) return true;
    const std::string part(surface(text, std::span(said).subspan(at, length)));
    if (normalise(part, lang) != wanted) continue;
    if (at + length < said.size() && is_list(at + length)) return true;
    for (std::size_t before = 1; before <= std::min(kNear, at); ++before)
      if (is_list(at - before)) return true;
  }
  return false;
}

bool ListNames::has_any(const std::string& text, const char* vocabulary, const std::string& lang) const {
  const auto* names = locale_.vocabulary(lang, vocabulary);
  return names != nullptr && std::any_of(names->begin(), names->end(),
                                         [&](const std::string& name) { return has(text, name, lang); });
}

bool ListNames::is_word(const std::string& word, const std::string& lang) const {
  return is("compound", word, lang);
}

bool ListNames::has_word(const std::string& text, const std::string& lang) const {
  const auto said = words(text, lang);
  return std::any_of(said.begin(), said.end(), [&](const Word& word) {
    return is_word(word.norm, lang) || ending(word.norm, lang) > 0;
  });
}

std::string ListNames::without_articles(const std::string& text, const std::string& lang) const {
  return LinkWords(locale_, lang, "articles").strip(text, LinkWords::Ends::kFront);
}

bool ListNames::is(std::string_view vocabulary, const std::string& text, const std::string& lang) const {
  return locale_.vocabulary_equals(lang, vocabulary, words(text, lang));
}

std::size_t ListNames::ending(const std::string& word, const std::string& lang) const {
  const auto* endings = locale_.vocabulary(lang, "compound");
  if (endings == nullptr) return 0;
  for (const std::string& one : *endings)
    if (word.size() > one.size() && word.ends_with(one)) return one.size();
  return 0;
}

}  // namespace parley::lists
