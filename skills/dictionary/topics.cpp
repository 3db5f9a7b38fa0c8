#include <algorithm>
#include <array>
#include <parley/text.hpp>
#include <span>
#include <string>

#include "lexicon.hpp"

// Questions in whatever sentence: by what is asked of a word, and which word it is.
namespace parley::dictionary {
namespace {

constexpr std::size_t kMostWordsAsked = 40;

bool is_quote(char c) {
  return c == '"' || c == '*';
}

/// A word in quotation marks; empty: none.
std::string quoted(std::string_view text) {
  const auto from = std::ranges::find_if(text, is_quote);
  if (from == text.end()) return {};
  const auto to = std::find_if(from + 1, text.end(), is_quote);
  return to == text.end() ? std::string() : std::string(from + 1, to);
}

}  // namespace

std::optional<Inquiry> Lexicon::by_topic(std::string_view question) const {
  constexpr std::array kTopics{"synonyms", "opposite", "spelling", "definition"};
  constexpr std::size_t kLongestPhrase = 4, kLongestWord = 3;
  const auto all = words(question, lang_);
  if (all.size() > kMostWordsAsked) return std::nullopt;
  const std::span said(all);
  const auto is = [&](const std::string& vocabulary, std::size_t at, std::size_t count) {
    return at + count <= said.size() && locale_.vocabulary_equals(lang_, vocabulary, said.subspan(at, count));
  };
  const auto word_at = [&](const char* topic, std::size_t begin) -> std::optional<Inquiry> {
    while (begin < said.size() && is("topic_between", begin, 1)) ++begin;
    for (std::size_t count = std::min(kLongestWord, said.size() - begin); count > 0; --count) {
      const std::string word(surface(question, said.subspan(begin, count)));
      if (auto inquiry = look_up(Sentences::Match{topic, {{"word", word}}})) return inquiry;
    }
    return std::nullopt;
  };
  for (std::size_t at = 0; at < said.size(); ++at) {
    for (const char* const topic : kTopics) {
      for (std::size_t length = kLongestPhrase; length > 0; --length) {
        if (!is(std::string("topic_") + topic, at, length)) continue;
        if (auto inquiry = word_at(topic, at + length)) return inquiry;
      }
    }
  }
  return std::nullopt;
}

/// "What's that word when somebody's scared to death of spiders": a word is asked for, and what is feared
/// stands behind.
std::optional<Inquiry> Lexicon::by_fear(std::string_view question) const {
  constexpr std::size_t kLongestPhrase = 5, kLongestFear = 3;
  const auto all = words(question, lang_);
  const std::span said(all);
  if (said.size() > kMostWordsAsked || !locale_.vocabulary_occurs(lang_, "asks_word", said))
    return std::nullopt;
  for (std::size_t at = 0; at < said.size(); ++at) {
    for (std::size_t length = std::min(kLongestPhrase, said.size() - at); length > 0; --length) {
      if (!locale_.vocabulary_equals(lang_, "afraid_of", said.subspan(at, length))) continue;
      const auto behind = said.subspan(at + length);
      for (std::size_t count = std::min(kLongestFear, behind.size()); count > 0; --count) {
        const std::string feared = without_article(std::string(surface(question, behind.first(count))));
        if (auto inquiry = look_up(Sentences::Match{"fear", {{"meaning", feared}}})) return inquiry;
      }
    }
  }
  return std::nullopt;
}

/// "There's a word for a group of islands, it's on the tip of my tongue": a clause asks, the rest tells.
std::optional<Inquiry> Lexicon::of_a_clause(std::string_view question) const {
  const auto said = words(question, lang_);
  if (said.size() > kMostWordsAsked) return std::nullopt;
  std::size_t begin = 0;
  for (std::size_t at = 1; at <= said.size(); ++at) {
    const bool ends =
        at == said.size() ||
        question.substr(said[at - 1].end, said[at].begin - said[at - 1].end).find_first_of(",;:.?!") !=
            std::string_view::npos;
    if (!ends) continue;
    const auto clause = std::span(said).subspan(begin, at - begin);
    begin = at;
    if (clause.size() == said.size()) return std::nullopt;
    for (const Sentences::Match& match : questions_.match(surface(question, clause))) {
      const bool is_vague = match.name == "thing" || match.name == "person" || match.name == "subject" ||
                            match.name == "again" || match.name == "kind";
      if (is_vague) continue;
      if (auto inquiry = look_up(match)) return inquiry;
    }
  }
  return std::nullopt;
}

/// "I can never get rhythm right, spell it out": `asks_<question>.voc` anywhere, and the word that is in
/// quotation marks or behind a phrase of `points_at.voc`.
std::optional<Inquiry> Lexicon::by_pointed_word(std::string_view question) const {
  constexpr std::array kAsked{"spelling", "example", "part_of_speech", "opposite", "synonyms", "definition"};
  const auto said = words(question, lang_);
  if (said.size() > kMostWordsAsked) return std::nullopt;
  for (const std::string asked : kAsked) {
    if (!locale_.vocabulary_occurs(lang_, "asks_" + asked, said)) continue;
    for (const std::string& word : pointed_at(question, said)) {
      if (auto inquiry = look_up(Sentences::Match{asked, {{"word", word}}})) return inquiry;
    }
  }
  return std::nullopt;
}

std::optional<Inquiry> Lexicon::of_part_of_speech(std::string_view question) const {
  constexpr std::size_t kLongestPhrase = 6;
  const auto all = words(question, lang_);
  const std::span said(all);
  if (said.size() > kMostWordsAsked) return std::nullopt;
  for (std::size_t length = std::min(kLongestPhrase, said.size()); length > 1; --length) {
    if (!locale_.vocabulary_equals(lang_, "asks_part_of_speech", said.last(length))) continue;
    const std::string word = only_word(question, said.first(said.size() - length));
    if (!word.empty()) return look_up(Sentences::Match{"part_of_speech", {{"word", word}}});
  }
  return std::nullopt;
}

bool Lexicon::is_plain(const Inquiry& inquiry, std::string_view question) const {
  constexpr std::array kPlain{"spelling", "opposite", "synonyms", "part_of_speech", "example"};
  if (std::ranges::find(kPlain, inquiry.question) == kPlain.end()) return false;
  const auto said = words(question, lang_);
  return locale_.vocabulary_occurs(lang_, "asks_" + inquiry.question, said) ||
         locale_.vocabulary_occurs(lang_, "topic_" + inquiry.question, said) ||
         locale_.vocabulary_equals(lang_, "any_" + inquiry.question, said);
}

std::string Lexicon::only_word(std::string_view question, std::span<const Word> said) const {
  std::string only;
  for (std::size_t at = 0; at < said.size(); ++at) {
    const auto word = said.subspan(at, 1);
    const auto is = [&](const char* vocabulary) {
      return locale_.vocabulary_equals(lang_, vocabulary, word);
    };
    if (is("little_words") || is("no_word_asked") || is("polite")) continue;
    const std::string next(surface(question, word));
    if (!only.empty() && next != only) return {};
    only = next;
  }
  return only;
}

std::vector<std::string> Lexicon::pointed_at(std::string_view question, std::span<const Word> said) const {
  constexpr std::size_t kLongestPhrase = 3;
  std::vector<std::string> found;
  if (std::string word = quoted(question); !word.empty()) found.push_back(std::move(word));
  const auto is = [&](const char* vocabulary, std::span<const Word> some) {
    return locale_.vocabulary_equals(lang_, vocabulary, some);
  };
  for (const char* const vocabulary : {"points_surely", "points_at"}) {
    for (std::size_t at = 1; at < said.size(); ++at) {
      const auto word = said.subspan(at, 1);
      if (said[at].norm.size() < 3 || is("little_words", word) || is("no_word_asked", word)) continue;
      for (std::size_t length = 1; length <= std::min(kLongestPhrase, at); ++length) {
        if (is(vocabulary, said.subspan(at - length, length))) found.emplace_back(surface(question, word));
      }
    }
  }
  return found;
}

}  // namespace parley::dictionary
