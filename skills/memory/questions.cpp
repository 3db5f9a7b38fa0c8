#include "questions.hpp"

#include <algorithm>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <parley/text.hpp>
#include <utility>

namespace parley::memory {
namespace {

using Kind = Question::Kind;

/// The files of questions, and what they ask.
constexpr std::pair<const char*, Kind> kFiles[] = {
    {"q_parked", Kind::kParked}, {"q_allergic", Kind::kAllergic}, {"q_about", Kind::kAbout},
    {"q_where", Kind::kWhere},   {"q_when", Kind::kWhen},         {"q_who", Kind::kWho},
    {"q_what", Kind::kWhat}};

std::set<std::string> folded_words(const LocaleResources& locale, const std::string& tag, const char* name) {
  std::set<std::string> folded;
  if (const auto* const phrases = locale.vocabulary(tag, name)) {
    for (const auto& phrase : *phrases) folded.insert(text::fold(phrase));
  }
  return folded;
}

/// All phrases of a vocabulary, one behind the other.
std::string joined(const LocaleResources& locale, const std::string& tag, const char* name) {
  std::string text;
  if (const auto* const phrases = locale.vocabulary(tag, name)) {
    for (const auto& phrase : *phrases) text += (text.empty() ? "" : " ") + phrase;
  }
  return text;
}

/// "key" and "keys", "Topf" and "Töpfe": the beginning is the same, and little else follows.
bool is_same(const std::string& one, const std::string& other) {
  constexpr std::size_t kShortest = 3, kLongestEnd = 2;
  const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto common = static_cast<std::size_t>(a - one.begin());
  return one == other ||
         (common >= kShortest && one.size() - common <= kLongestEnd && other.size() - common <= kLongestEnd);
}

bool is_within(const std::vector<std::string>& words, const std::vector<std::string>& among) {
  return !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(among.begin(), among.end(),
                       [&](const std::string& other) { return is_same(word, other); });
  });
}

}  // namespace

Questions::Language::Language(const LocaleResources& locale, const std::string& tag)
    : sentences(locale, tag),
      articles(folded_words(locale, tag, "articles")),
      indefinite(folded_words(locale, tag, "indefinite")),
      own(folded_words(locale, tag, "own")),
      parked(joined(locale, tag, "parked")),
      allergic(joined(locale, tag, "allergic")) {}

Questions::Questions(const LocaleResources& locale) : tags_(locale.languages()) {
  for (const auto& tag : tags_) languages_.emplace(tag, Language(locale, tag));
}

const Questions::Language* Questions::language(const std::string& lang) const {
  const auto tag = closest_language(lang, tags_);
  const auto found = tag ? languages_.find(*tag) : languages_.end();
  return found == languages_.end() ? nullptr : &found->second;
}

std::vector<std::string> Questions::content(const Language& by, const std::string& text,
                                            const std::string& lang) {
  std::vector<std::string> content;
  for (const auto& word : words(text, lang)) {
    std::string folded = text::fold(word.norm);
    if (!by.articles.contains(folded) && !by.own.contains(folded) && !by.indefinite.contains(folded))
      content.push_back(std::move(folded));
  }
  return content;
}

std::optional<Question> Questions::read(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return std::nullopt;
  for (const auto& match : by->sentences.match(text)) {
    const auto* const file = std::find_if(std::begin(kFiles), std::end(kFiles),
                                          [&](const auto& one) { return one.first == match.name; });
    if (file == std::end(kFiles)) continue;
    if (file->second == Kind::kParked || file->second == Kind::kAllergic) {
      Question question(file->second, file->second == Kind::kParked ? by->parked : by->allergic);
      question.is_own = true;
      return question;
    }
    const auto thing = match.slots.find("thing");
    const auto mine = match.slots.find("mine");
    const std::string what = thing != match.slots.end()  ? thing->second
                             : mine != match.slots.end() ? mine->second
                                                         : std::string();
    const auto said = words(what, lang);
    if (said.empty() || content(*by, what, lang).empty()) continue;
    const std::string first = text::fold(said.front().norm);
    if (by->indefinite.contains(first)) continue;
    Question question(file->second, what);
    question.is_own = mine != match.slots.end() || by->own.contains(first);
    question.is_definite = question.is_own || by->articles.contains(first);
    return question;
  }
  return std::nullopt;
}

bool Questions::answers(const Question& question, const Fact& fact, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return false;
  if (question.kind == Kind::kParked || question.kind == Kind::kAllergic) return fact.coverage > 0;
  const auto asked = content(*by, question.thing, lang);
  if (question.kind == Kind::kAbout) return is_within(asked, content(*by, fact.text, lang));
  if (fact.subject.empty())
    return (question.kind == Kind::kWhere || question.kind == Kind::kWhen || question.is_own) &&
           is_within(asked, content(*by, fact.text, lang));
  const auto value = content(*by, fact.value, lang);
  if (question.kind == Kind::kWho && is_within(asked, value) && value.size() <= asked.size() + 1) return true;
  const auto subject = content(*by, fact.subject, lang);
  const bool is_it = is_within(asked, subject) && subject.size() <= asked.size() + 1;
  return is_it && (question.kind != Kind::kWhat || question.is_own || fact.relation != "where");
}

bool Questions::is_oneself(const std::string& thing, const std::string& lang) const {
  const Language* const by = language(lang);
  return by != nullptr && !thing.empty() && content(*by, thing, lang).empty();
}

bool Questions::is_just_that(const Question& question, const Fact& fact, const std::string& lang) const {
  const Language* const by = language(lang);
  return by != nullptr && content(*by, question.thing, lang) == content(*by, fact.subject, lang);
}

}  // namespace parley::memory
