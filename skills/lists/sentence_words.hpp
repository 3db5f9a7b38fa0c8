#pragma once

#include <cstddef>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <string>
#include <vector>

#include "wish_words.hpp"

namespace parley::lists {

/// Some words of a sentence, from one to before another.
struct Part {
  Part() = default;
  Part(std::size_t from, std::size_t until) : begin(from), end(until) {}
  bool empty() const { return begin >= end; }
  std::size_t size() const { return empty() ? 0 : end - begin; }
  std::size_t begin = 0, end = 0;
};

/// The words and clauses of one utterance, and where in it phrases stand. The text and the vocabularies
/// outlive it.
class SentenceWords {
 public:
  static constexpr std::size_t kLongestPhrase = 6;

  SentenceWords(const std::string& text, const std::string& lang, const WishWords& by);

  std::size_t size() const { return words_.size(); }
  bool empty() const { return words_.empty(); }
  const Word& operator[](std::size_t at) const { return words_[at]; }
  Part all() const { return {0, words_.size()}; }
  std::string surface_of(Part part) const;
  bool is(const PhraseSet& set, Part part) const;

  /// Words of the longest phrase that begins there; 0: none.
  std::size_t at_phrase(const PhraseSet& set, std::size_t at) const;
  /// The first such phrase in a part, outside of another; empty: there is none.
  Part find(const PhraseSet& set, Part within, Part outside = Part()) const;
  /// The phrase that ends before a word; empty: none does.
  Part before(const PhraseSet& set, std::size_t at) const;

  /// Number of the clause that a word is in; of what is behind the last word: the last.
  std::size_t clause_of(std::size_t at) const;
  std::size_t clause_begin(std::size_t at) const;
  /// Behind the last word of the clause that has this one.
  std::size_t clause_end(std::size_t at) const;

  /// Without words around it that are no thing.
  Part bare(Part part) const;

 private:
  void split_clitics();

  const std::string& text_;
  const WishWords& by_;
  std::vector<Word> words_;
  std::vector<std::size_t> clauses_;  ///< Of each word, the number of its clause.
};

}  // namespace parley::lists
