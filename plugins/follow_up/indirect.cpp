#include "indirect.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <span>

#include "padding.hpp"

namespace parley::follow_up {
namespace {

using Said = std::span<const Word>;

constexpr std::size_t kLongestBeginning = 6;  // words
constexpr std::size_t kLongest = 20;

bool is(const char* vocabulary, Said said, const Reader& reader) {
  return reader.common.vocabulary_equals(reader.lang, vocabulary, said);
}

/// The words of a sentence, and what may be done with them.
class Clause {
 public:
  Clause(std::string_view text, Said said, const Reader& reader) : reader_(reader) {
    for (const Word& word : said) add(std::string(surface(text, std::span(&word, 1))));
  }

  std::size_t size() const { return words_.size(); }
  /// Where the first verb is that goes to the front.
  std::optional<std::size_t> verb() const { return first("indirect_verb", 0); }
  /// Where the subject of a question begins, behind its first word.
  std::optional<std::size_t> subject() const { return first("indirect_subject", 1); }
  bool is_verb(std::size_t at) const { return is_any("indirect_verb", words_[at]); }
  /// The sentence with one of its words elsewhere.
  std::string moved(std::size_t from, std::size_t to) const {
    auto moved = words_;
    const auto first = moved.begin();
    const auto at = [first](std::size_t place) { return first + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(to), at(from), at(from + 1));
    return joined(moved);
  }
  std::string text() const { return joined(words_); }

 private:
  /// "There's" is two words.
  void add(std::string word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kShort{
        {{"s", "is"}, {"re", "are"}, {"m", "am"}, {"ve", "have"}, {"ll", "will"}}};
    for (const std::string_view sign : {"'", "’"}) {
      const auto at = word.find(sign);
      if (at == std::string::npos) continue;
      for (const auto& [ending, verb] : kShort) {
        if (std::string_view(word).substr(at + sign.size()) != ending ||
            !is_any("indirect_verb", std::string(verb)))
          continue;
        words_.push_back(word.substr(0, at));
        words_.emplace_back(verb);
        return;
      }
    }
    words_.push_back(std::move(word));
  }
  static std::string joined(std::span<const std::string> some) {
    std::string text;
    for (const std::string& word : some) text += (text.empty() ? "" : " ") + word;
    return text;
  }
  bool is_any(const char* vocabulary, const std::string& word) const {
    return is(vocabulary, words(word, reader_.lang), reader_);
  }
  std::optional<std::size_t> first(const char* vocabulary, std::size_t from) const {
    for (std::size_t at = from; at < words_.size(); ++at)
      if (is_any(vocabulary, words_[at])) return at;
    return std::nullopt;
  }

  const Reader& reader_;
  std::vector<std::string> words_;
};

/// How many words a question begins with before its verb; 0: it begins with "if".
std::optional<std::size_t> asks_with(Said said, const Reader& reader) {
  if (is("indirect_if", said.first(1), reader)) return 0;
  for (std::size_t n = std::min<std::size_t>(said.size(), 2); n > 0; --n)
    if (is("indirect_word_and", said.first(n), reader)) return n + 1;
  if (is("indirect_word", said.first(1), reader)) return 1;
  return std::nullopt;
}

/// What follows the beginning of such an utterance; empty: it is none.
Said within(Said said, const Reader& reader) {
  for (std::size_t n = 1; n <= kLongestBeginning && n + 2 < said.size(); ++n)
    if (asks_with(said.subspan(n), reader) && is("indirect", said.first(n), reader)) return said.subspan(n);
  return {};
}

/// French "que" before a vowel: "est-ce qu'il y a".
std::string elided(std::string text) {
  constexpr std::string_view kQue = "que ";
  for (auto at = text.find(kQue); at != std::string::npos; at = text.find(kQue, at + 1)) {
    const auto next = at + kQue.size();
    if (next < text.size() && std::string_view("aeiouyAEIOUY").find(text[next]) != std::string_view::npos)
      text.replace(at, kQue.size(), "qu'");
  }
  return text;
}

std::vector<std::string> yes_or_no(const Clause& clause, const Reader& reader) {
  const std::string lang = primary_language(reader.lang);
  std::vector<std::string> questions;
  if (const auto verb = clause.verb()) {
    questions.push_back(clause.moved(*verb, 0));
  } else if (lang == "de" || lang == "nl") {  // where the verb is last
    questions.push_back(clause.moved(clause.size() - 1, 0));
  }
  std::string question =
      reader.common.render("indirect_ask", reader.lang, {{"sentence", clause.text()}}).text;
  if (lang == "fr") {  // where it is what people say
    questions.insert(questions.begin(), elided(std::move(question)));
  } else {
    questions.push_back(std::move(question));
  }
  return questions;
}

/// @param asks_with  how many words it begins with before its verb, unless the subject comes first
std::string with_question_word(const Clause& clause, std::size_t asks_with, const Reader& reader) {
  const std::string lang = primary_language(reader.lang);
  const std::size_t last = clause.size() - 1;
  const bool turns =
      lang == "en" || lang == "de" || lang == "nl";  // a verb at the end goes before the subject
  if (!turns || !clause.is_verb(last)) return clause.text();
  return clause.moved(last, std::min(clause.subject().value_or(asks_with), last));
}

}  // namespace

std::vector<std::string> asked_directly(std::string_view utterance, const Reader& reader) {
  const std::vector<Word> all = words(utterance, reader.lang);
  if (all.size() > kLongest) return {};
  const Said found = within(without_padding(all, reader.common, reader.lang), reader);
  if (found.empty()) return {};
  const std::size_t before_verb = asks_with(found, reader).value_or(0);
  if (before_verb == 0) return yes_or_no(Clause(utterance, found.subspan(1), reader), reader);
  return {with_question_word(Clause(utterance, found, reader), before_verb, reader)};
}

}  // namespace parley::follow_up
