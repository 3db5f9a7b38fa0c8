#pragma once

#include <cstddef>
#include <parley/phrases.hpp>
#include <string>

#include "list_in_sentence.hpp"
#include "sentence_words.hpp"
#include "wish_words.hpp"

namespace parley::lists {

/// Which words of a sentence are the things that somebody wants on a list or off it. What it was given
/// outlives it.
class ThingsInSentence {
 public:
  ThingsInSentence(const SentenceWords& words, const WishWords& by, const ListInSentence& list)
      : words_(words), by_(by), list_(list), place_(list.place) {}

  /// What goes on a list that there is, as it was said.
  std::string to_add() const;
  /// What stands beside such a phrase, and is no thing itself.
  Part beside(const PhraseSet& cues) const;
  /// What goes on a list that is begun, whose name ends before a word.
  Part on_new(std::size_t end) const;
  /// What a list that is begun is called; empty: nothing leads to a name.
  Part new_name() const;

  /// "A new list camping and then a tent on it".
  bool is_filled_there() const;

  /// Such a phrase that begins the clause with the list, but for words that say nothing.
  Part begins_with(const PhraseSet& cues) const;
  /// "Christmas gifts list, a scarf for Rosie".
  bool is_heading() const;
  /// "On the shopping list please ten rolls".
  bool is_said_first() const;
  /// Whether further things stand behind the list: "soil on the list and a cup of cream".
  bool has_more() const { return !behind_list().empty(); }
  /// Whether what goes on a list ends with what a household buys.
  bool has_groceries() const { return is_of_groceries(added()); }

 private:
  static constexpr std::size_t kLongestShort = 5;

  Part find(const PhraseSet& set, std::size_t from = 0) const {
    return words_.find(set, {from, words_.size()}, place_);
  }
  Part around(Part cue) const;
  Part added() const;
  Part lacking(Part lacks, Part cue) const;
  Part behind_list() const;
  bool is_of_groceries(Part things) const;
  Part with_clauses_before(Part part) const;
  bool is_short(std::size_t last) const;
  bool leads_to_things(std::size_t at) const;
  bool is_up_to_there(std::size_t at) const;
  Part name_before_verb() const;

  const SentenceWords& words_;
  const WishWords& by_;
  const ListInSentence& list_;
  const Part place_;
};

}  // namespace parley::lists
