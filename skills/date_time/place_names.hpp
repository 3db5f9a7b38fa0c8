#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parley::date_time {

/// What places are called in one language. They are told apart by numbers, the entries of Places.
class PlaceNames {
 public:
  /// How the words of a special line are meant: "prefix", "saint", "other", "city", "region", "preposition",
  /// "icu"; the head of data/places/en.txt explains them.
  /// @return false when there is no such meaning
  bool add_words(std::string_view meaning, const std::vector<std::string>& words);

  /// The first of the names is the one to speak, unless the entry has one already. Who comes first keeps a
  /// name.
  void add(const std::vector<std::string>& names, std::size_t entry);
  /// Names for a place of ICU's, by its English name.
  void add_for_icu(std::string_view english, std::vector<std::string> names);
  /// A place of ICU's: its names of add_for_icu() go before the one ICU has.
  void add_of_icu(std::string_view english, const std::string& name, std::size_t entry);

  /// @param name  folded, or any of keys(); null when there is none
  const std::size_t* find(const std::string& key) const;
  /// Is that a word that makes another place of a name, as in "New England"?
  bool makes_another(std::string_view word) const;

  /// The ways to look a name up, the most complete one first.
  std::vector<std::string> keys(std::string_view name) const;

  /// The place with its preposition: "in Tokyo", "au Japon".
  /// @return nothing (empty) when the language has no name for it
  std::string where(std::size_t entry, bool city) const;
  /// The same with another language's name.
  std::string where(const std::string& name, bool city) const;
  /// The name to speak, without preposition; empty when there is none.
  std::string name(std::size_t entry) const;

  /// Locales of ICU to take names from, the first one's to be spoken; empty: the language's own.
  const std::vector<std::string>& icu_locales() const noexcept { return icu_; }

 private:
  std::string normal(std::string_view name) const;
  void add_name(const std::string& name, std::size_t entry);
  bool has_preposition(std::string_view name) const;

  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::size_t, std::string> spoken_;
  std::unordered_map<std::string, std::vector<std::string>> for_icu_;  // by folded English name
  std::vector<std::string> prefixes_;      // folded, each with a space behind it, longest first
  std::vector<std::string> saints_;        // folded, each with a space behind it
  std::vector<std::string> others_;        // folded
  std::vector<std::string> prepositions_;  // each with what parts it from the name
  std::vector<std::string> icu_;
  std::string before_cities_, before_regions_;
};

}  // namespace parley::date_time
