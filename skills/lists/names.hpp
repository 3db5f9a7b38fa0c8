#pragma once

#include <cstddef>
#include <parley/locale.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace parley::lists {

/// Which list somebody means: where it is kept, and how it is called if it is not one of the two that
/// everybody has.
struct Which {
  Which(std::string where, std::string given) : key(std::move(where)), name(std::move(given)) {}
  std::string key;
  std::string name;
};

/// What lists are called, in the languages of the skill. Immutable.
class ListNames {
 public:
  /// @param locale  outlives this; its vocabularies `shopping`, `market`, `todo`, `compound`, `behind` and
  ///                `articles` are the words
  explicit ListNames(const LocaleResources& locale) : locale_(locale) {}

  /// The list of that name; of none: the shopping list.
  Which named(const std::string& said, const std::string& lang) const;
  /// "Packliste"; empty: no word of the text is a list's name by itself.
  std::string compound_in(const std::string& text, const std::string& lang) const;
  /// Whether that is no name, but what else was said: "tacha la leche de la lista que ya la ha traído".
  bool is_behind(const std::string& name, const std::string& lang) const;
  /// "Urlaub" of "Urlaubsliste": without the word for a list, and what joins it.
  std::string bare(const std::string& name, const std::string& lang) const;
  /// Whether the text has that name beside the word for a list, or in one with it.
  bool has(const std::string& text, const std::string& name, const std::string& lang) const;
  /// The same of any phrase of a vocabulary.
  bool has_any(const std::string& text, const char* vocabulary, const std::string& lang) const;
  /// Whether that is the word for a list.
  bool is_word(const std::string& word, const std::string& lang) const;
  /// Whether the text has a word for a list at all.
  bool has_word(const std::string& text, const std::string& lang) const;
  std::string without_articles(const std::string& text, const std::string& lang) const;

 private:
  bool is(std::string_view vocabulary, const std::string& text, const std::string& lang) const;
  /// Bytes of the word for a list that a word ends in, as "Urlaubsliste" does; the list's own word does not.
  std::size_t ending(const std::string& word, const std::string& lang) const;

  const LocaleResources& locale_;
};

}  // namespace parley::lists
