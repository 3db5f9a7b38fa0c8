#include <algorithm>
#include <parley/fold.hpp>
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
  const auto question = content(*by, asked, lang);
  const auto told = content(*by, fact.text, lang);
  const auto has = [&](const std::vector<std::string>& among, const std::string& word) {
    return is_among(word, among) || (by->codes.contains(word) && has_any(among, by->codes));
  };
  // What it is about: all of that has to be named.
  auto about = essence(*by, fact.subject.empty() ? fact.text : fact.subject, lang);
  std::erase_if(about, [&](const std::string& word) { return by->that.contains(word); });
  if (fact.subject.empty() && about.size() > 1) about.resize(1);
  const bool is_about = !about.empty() && std::all_of(about.begin(), about.end(),
                                                      [&](const auto& word) { return has(question, word); });
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
  return common.size() > 1 || (has_any(said, by->calls) && !is_place);
}

}  // namespace parley::memory
