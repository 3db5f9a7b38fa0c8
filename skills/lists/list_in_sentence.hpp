#pragma once

#include <cstddef>
#include <optional>
#include <parley/phrases.hpp>
#include <string>
#include <vector>

#include "sentence_words.hpp"
#include "wish_words.hpp"

namespace parley::lists {

/// Where in a sentence a list is named, and how. What it was given outlives it.
class ListInSentence {
 public:
  /// @param names  of the lists there are: they need no word for a list
  ListInSentence(const SentenceWords& words, const WishWords& by, const std::vector<std::string>& names,
                 const std::string& lang);

  /// What was found.
  Part place;             ///< The list's own words; empty: none, and then behind the last word.
  Part name;              ///< Those of `place` that are its name; empty: it has none.
  std::string key;        ///< "shopping" or "todo" where that was said without the word for a list.
  bool has_word = false;  ///< There is a word for a list.
  bool is_same = false;   ///< It is the one that was spoken of last.

  bool found() const { return !place.empty(); }
  bool has(std::size_t at) const { return at >= place.begin && at < place.end; }
  /// "Read me what we need for the workshop, the list I mean": a list's name elsewhere.
  Part named_elsewhere() const;
  /// "On it": what stands for the list that was spoken of last is the list's words then.
  void take_there();

 private:
  static constexpr std::size_t kLongestName = 3;

  bool find_same();
  bool find_by_word();
  bool find_by_meaning();
  bool find_by_name();
  bool is_list_at(std::size_t at);
  void read_behind(std::size_t at, bool& is_plain);
  bool is_new_behind(std::size_t at) const;
  void read_in_front();

  std::size_t ending_of(std::size_t at) const;
  std::size_t known_before(std::size_t at) const;
  bool is_known(Part part) const;
  std::size_t unknown_at(std::size_t at) const;
  bool is_led_to(const PhraseSet& by, std::size_t at) const;
  std::optional<std::size_t> name_before(std::size_t at) const;
  bool occurs(const PhraseSet& set) const { return !words_.find(set, words_.all(), place).empty(); }

  const SentenceWords& words_;
  const WishWords& by_;
  PhraseSet names_;
};

}  // namespace parley::lists
