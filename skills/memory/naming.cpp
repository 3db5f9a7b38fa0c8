#include <algorithm>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>

#include "questions.hpp"

namespace parley::memory {
namespace {

constexpr std::size_t kMostAsked = 30;  // words

std::vector<std::string> folded(const std::string& text, const std::string& lang) {
  std::vector<std::string> all;
  for (const auto& word : words(text, lang)) all.push_back(text::fold(word.norm));
  return all;
}

bool has_any(const std::vector<std::string>& said, const std::set<std::string>& among) {
  return std::any_of(said.begin(), said.end(), [&](const auto& word) { return among.contains(word); });
}

}  // namespace

std::string Questions::widened(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  std::string all = text;
  if (by == nullptr) return all;
  for (const auto& word : folded(text, lang)) {
    const auto found = by->kin.find(word);
    if (found == by->kin.end()) continue;
    for (const auto& [other, first] : by->kin)
      if (first == found->second) all += ' ' + other;
  }
  return all;
}

bool Questions::is_anything(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return true;
  const auto all = content(*by, text, lang);
  return std::any_of(all.begin(), all.end(), [&](const auto& word) { return !by->function.contains(word); });
}

bool Questions::asks(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  const auto said = words(text, lang);
  if (by == nullptr || said.empty() || said.size() > kMostAsked) return false;
  if (by->forgetting.occurs_in(said)) return false;
  const auto some = folded(text, lang);
  return text.find('?') != std::string::npos || has_any(some, by->asking) || has_any(some, by->bare) ||
         by->wants.occurs_in(said);
}

bool Questions::asks_plainly(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  const auto said = words(text, lang);
  if (by == nullptr || said.size() > kMostAsked || by->forgetting.occurs_in(said)) return false;
  return text.find('?') != std::string::npos || has_any(folded(text, lang), by->asking) ||
         by->wants.occurs_in(said);
}

std::string Questions::asked_part(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return text;
  for (const Word& word : words(text, lang)) {
    if (!by->asking.contains(text::fold(word.norm))) continue;
    std::string part = text.substr(word.begin);
    return topic(part, lang).empty() ? text : part;
  }
  return text;
}

bool Questions::begins_as_question(const std::string& text, const std::string& lang) const {
  constexpr std::size_t kFirst = 2;  // "in which", "em que"
  const Language* const by = language(lang);
  if (by == nullptr) return false;
  auto first = folded(text, lang);
  if (first.size() > kFirst) first.resize(kFirst);
  if (first.empty()) return false;
  return by->asking.contains(first.front()) ||
         (by->function.contains(first.front()) && has_any(first, by->asking));
}

bool Questions::names(const std::string& asked, const Fact& fact, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return false;
  const auto question = content(*by, plain(*by, asked, lang), lang);
  const auto told = content(*by, fact.text, lang);
  const bool has_compounds = primary_language(lang) == "de";
  const auto has = [&](const std::vector<std::string>& among, const std::string& word) {
    if (is_among(word, among) || (by->codes.contains(word) && has_any(among, by->codes))) return true;
    return has_compounds && std::any_of(among.begin(), among.end(), [&](const std::string& other) {
             return is_compound(*by, word, other) || is_compound(*by, other, word);
           });
  };
  // What it is about: all of that has to be named.
  auto about = essence(*by, fact.subject.empty() ? fact.text : fact.subject, lang);
  // "My boss" is the new one, unless who asks says which.
  const bool says_which = has_any(question, by->which_one);
  std::erase_if(about, [&](const std::string& word) {
    return by->that.contains(word) || (!says_which && by->which_one.contains(word));
  });
  if (fact.subject.empty() && about.size() > 1) about.resize(1);
  // Not always all of it: "o zé calça o quarenta e três" is read as what "o zé calça o quarenta" is.
  const auto named = static_cast<std::size_t>(
      std::count_if(about.begin(), about.end(), [&](const auto& word) { return has(question, word); }));
  const bool is_about = !about.empty() && has(question, about.front()) && 2 * named > about.size();
  if (!is_about) return false;
  // "The code is 1234 now" tells another one.
  const auto is_new_number = [&](const std::string& word) {
    return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
           !is_among(word, told);
  };
  if (std::any_of(question.begin(), question.end(), is_new_number)) return false;
  // "Of my grandparents": somebody whom the fact does not name.
  const auto said = folded(asked, lang);
  for (std::size_t at = 0; at + 1 < said.size(); ++at) {
    const auto next = content(*by, said[at + 1], lang);
    if (by->possessive.contains(said[at]) && !next.empty() && !by->function.contains(next.front()) &&
        !has(told, next.front()))
      return false;
  }
  std::set<std::string> common;
  for (const auto& word : question)
    if (!by->function.contains(word) && has(told, word)) common.insert(word);
  const bool is_place = has_any(said, by->wheres);
  if (fact.relation == "where") return is_place;
  if (is_place && has_any(folded(fact.text, lang), by->places)) return true;
  return common.size() > 1 || (has_any(said, by->calls) && !is_place);
}

bool Questions::is_compound(const Language& by, const std::string& longer, const std::string& shorter) {
  constexpr std::size_t kShortestEnd = 5, kShortestFront = 3;
  return shorter.size() >= kShortestEnd && longer.size() >= shorter.size() + kShortestFront &&
         longer.ends_with(shorter) && !by.kin.contains(shorter);
}

std::vector<std::string> Questions::topic(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return {};
  auto all = content(*by, text, lang);
  std::erase_if(all, [&](const std::string& word) { return by->function.contains(word); });
  return all;
}

std::size_t Questions::count_in(const std::string& text, const std::vector<std::string>& topic,
                                const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return 0;
  const auto said = content(*by, text, lang);
  return static_cast<std::size_t>(std::count_if(
      topic.begin(), topic.end(), [&](const std::string& word) { return is_among(word, said); }));
}

std::string Questions::kind_of(const std::string& word, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return {};
  const auto found = by->kinds.find(word);
  return found == by->kinds.end() ? std::string() : found->second;
}

}  // namespace parley::memory
