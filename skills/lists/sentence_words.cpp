#include "sentence_words.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace parley::lists {
namespace {

/// "Quíta" of "quítala" is "quita".
std::string without_stress(std::string_view word) {
  std::string plain(word);
  for (const auto& [stressed, vowel] : {std::pair("á", "a"), std::pair("é", "e"), std::pair("í", "i"),
                                        std::pair("ó", "o"), std::pair("ú", "u")})
    if (const auto at = plain.find(stressed); at != std::string::npos)
      plain.replace(at, std::string_view(stressed).size(), vowel);
  return plain;
}

}  // namespace

SentenceWords::SentenceWords(const std::string& text, const std::string& lang, const WishWords& by)
    : text_(text), by_(by), words_(words(text, lang)) {
  split_clitics();
  for (std::size_t at = 0; at < words_.size(); ++at) {
    const std::string_view between =
        at == 0 ? std::string_view()
                : std::string_view(text).substr(words_[at - 1].end, words_[at].begin - words_[at - 1].end);
    const bool is_next = between.find_first_of(",;:.?!") != std::string_view::npos;
    clauses_.push_back(at == 0 ? 0 : clauses_.back() + (is_next ? 1 : 0));
  }
}

/// "Quítala" is "quita la", "agregale" is "agrega le": a verb with the pronoun that it ends in.
void SentenceWords::split_clitics() {
  const auto as_verb = [&](std::string_view stem) {
    for (const std::string& form : {std::string(stem), without_stress(stem)})
      for (const PhraseSet* const set : {&by_.add, &by_.remove, &by_.begin, &by_.reads})
        if (set->equals(std::vector<Word>(1, Word(form, 0, 0)))) return form;
    return std::string();
  };
  std::vector<Word> split;
  for (Word& word : words_) {
    std::size_t length = 0;
    std::string verb;
    const bool is_known = !as_verb(word.norm).empty();
    for (const std::string& one : by_.clitics) {
      if (is_known || word.norm.size() <= one.size() + 1 || !word.norm.ends_with(one)) continue;
      verb = as_verb(std::string_view(word.norm).substr(0, word.norm.size() - one.size()));
      length = one.size();
      if (!verb.empty()) break;
    }
    if (verb.empty()) {
      split.push_back(std::move(word));
      continue;
    }
    const std::size_t middle = word.end - length;
    split.emplace_back(std::move(verb), word.begin, middle);
    split.emplace_back(word.norm.substr(word.norm.size() - length), middle, word.end);
  }
  words_ = std::move(split);
}

std::string SentenceWords::surface_of(Part part) const {
  if (part.empty()) return {};
  return std::string(surface(text_, std::span(words_).subspan(part.begin, part.size())));
}

bool SentenceWords::is(const PhraseSet& set, Part part) const {
  return set.equals(std::span(words_).subspan(part.begin, part.size()));
}

std::size_t SentenceWords::at_phrase(const PhraseSet& set, std::size_t at) const {
  for (std::size_t n = std::min(kLongestPhrase, words_.size() - std::min(at, words_.size())); n > 0; --n)
    if (is(set, {at, at + n})) return n;
  return 0;
}

Part SentenceWords::find(const PhraseSet& set, Part within, Part outside) const {
  for (std::size_t at = within.begin; at < within.end; ++at) {
    if (at >= outside.begin && at < outside.end) continue;
    if (const std::size_t length = at_phrase(set, at); length > 0) return {at, at + length};
  }
  return {};
}

Part SentenceWords::before(const PhraseSet& set, std::size_t at) const {
  for (std::size_t n = std::min(kLongestPhrase, at); n > 0; --n)
    if (is(set, {at - n, at})) return {at - n, at};
  return {};
}

std::size_t SentenceWords::clause_of(std::size_t at) const {
  return clauses_[std::min(at, clauses_.size() - 1)];
}

std::size_t SentenceWords::clause_begin(std::size_t at) const {
  const std::size_t clause = clause_of(at);
  while (at > 0 && clauses_[at - 1] == clause) --at;
  return at;
}

std::size_t SentenceWords::clause_end(std::size_t at) const {
  const std::size_t clause = clause_of(at);
  while (at < words_.size() && clauses_[at] == clause) ++at;
  return at;
}

Part SentenceWords::bare(Part part) const {
  const auto is_no_thing = [&](Part some) {
    return is(by_.noise, some) || is(by_.pronoun, some) || is(by_.there, some) || is(by_.swap, some);
  };
  for (bool again = true; again && !part.empty();) {
    again = false;
    for (std::size_t n = std::min(kLongestPhrase, part.size()); n > 0 && !again; --n) {
      if (is_no_thing({part.begin, part.begin + n})) {
        part.begin += n;
        again = true;
      } else if (is_no_thing({part.end - n, part.end})) {
        part.end -= n;
        again = true;
      }
    }
  }
  return part;
}

}  // namespace parley::lists
