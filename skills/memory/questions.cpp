#include "questions.hpp"

#include <algorithm>
#include <array>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <parley/templates.hpp>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>
#include <utility>

namespace parley::memory {
namespace {

using Kind = Question::Kind;

/// The files of questions, and what they ask.
constexpr std::array kFiles{std::pair{"q_parked", Kind::kParked}, std::pair{"q_allergic", Kind::kAllergic},
                            std::pair{"q_about", Kind::kAbout},   std::pair{"q_where", Kind::kWhere},
                            std::pair{"q_when", Kind::kWhen},     std::pair{"q_birthday", Kind::kWhose},
                            std::pair{"q_whose", Kind::kWhose},   std::pair{"q_who", Kind::kWho},
                            std::pair{"q_what", Kind::kWhat},     std::pair{"q_bare", Kind::kOpen},
                            std::pair{"q_open", Kind::kOpen}};
constexpr std::size_t kLongestDate = 6;  // words
/// Words by which somebody names a thing: "the code of the garage at the lake".
constexpr std::size_t kMostOfThing = 7;

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

/// Of each line all words stand for the first: "mother", "mom".
std::map<std::string, std::string> first_of_lines(const LocaleResources& locale, const std::string& tag,
                                                  const char* name) {
  std::map<std::string, std::string> firsts;
  const auto* const lines = locale.vocabulary_lines(tag, name);
  if (lines == nullptr) return firsts;
  for (const auto& line : *lines) {
    const auto all = words(line, tag);
    for (const auto& word : all) firsts.emplace(text::fold(word.norm), text::fold(all.front().norm));
  }
  return firsts;
}

/// "Doggy" of "dog", "cãozinho" of "cão".
bool is_little(const std::string& longer, const std::string& shorter) {
  constexpr std::array kEndings{"gy",  "y",    "ie",   "zinho", "zinha", "zito", "zita", "ito",
                                "ita", "cito", "cita", "chen",  "lein",  "erl",  "li",   "le"};
  constexpr std::size_t kShortest = 3;
  if (shorter.size() < kShortest || longer.size() <= shorter.size() || !longer.starts_with(shorter))
    return false;
  const std::string end = longer.substr(shorter.size());
  return std::find(kEndings.begin(), kEndings.end(), end) != kEndings.end();
}

/// "key" and "keys", "Topf" and "Töpfe": the beginning is the same, and little else follows.
bool is_same(const std::string& one, const std::string& other) {
  constexpr std::size_t kShortest = 3, kLongestEnd = 2;
  const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto common = static_cast<std::size_t>(a - one.begin());
  return one == other || is_little(one, other) || is_little(other, one) ||
         (common >= kShortest && one.size() - common <= kLongestEnd && other.size() - common <= kLongestEnd);
}

bool is_within(const std::vector<std::string>& words, const std::vector<std::string>& among) {
  return !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(among.begin(), among.end(),
                       [&](const std::string& other) { return is_same(word, other); });
  });
}

std::optional<std::chrono::month_day> day_in(std::string_view text, const std::string& lang,
                                             std::chrono::local_seconds now) {
  const auto date = read_value(SlotType::kDate, text, lang, now);
  if (!date) return std::nullopt;
  const std::chrono::year_month_day day(date->date().day);
  return day.month() / day.day();
}

/// Whether some words of the text name that day, in whichever year.
bool names_day(const std::string& text, std::chrono::month_day day, const std::string& lang,
               std::chrono::local_seconds now) {
  const auto said = words(text, lang);
  for (std::size_t begin = 0; begin < said.size(); ++begin) {
    for (std::size_t n = std::min(kLongestDate, said.size() - begin); n > 0; --n)
      if (day_in(surface(text, std::span(said).subspan(begin, n)), lang, now) == day) return true;
  }
  return false;
}

}  // namespace

bool Questions::is_among(const std::string& word, const std::vector<std::string>& some) {
  return is_within(std::vector<std::string>(1, word), some);
}

Questions::Language::Language(const LocaleResources& locale, const std::string& tag)
    : sentences(locale, tag),
      articles(folded_words(locale, tag, "articles")),
      indefinite(folded_words(locale, tag, "indefinite")),
      own(folded_words(locale, tag, "own")),
      that(folded_words(locale, tag, "that")),
      function(folded_words(locale, tag, "function")),
      bare(folded_words(locale, tag, "bare")),
      asking(folded_words(locale, tag, "asking")),
      possessive(folded_words(locale, tag, "possessive")),
      codes(folded_words(locale, tag, "codes")),
      wheres(folded_words(locale, tag, "wheres")),
      calls(folded_words(locale, tag, "calls")),
      which_one(folded_words(locale, tag, "which_one")),
      places(folded_words(locale, tag, "places")),
      kin(first_of_lines(locale, tag, "kin")),
      kinds(first_of_lines(locale, tag, "recall_kinds")),
      parked(joined(locale, tag, "parked")),
      allergic(joined(locale, tag, "allergic")),
      birthday(joined(locale, tag, "birthday")) {
  if (const auto* const lines = locale.vocabulary_lines(tag, "put_at")) {
    for (const auto& line : *lines)
      if (const auto forms = Template::parse(line, TemplateOptions::for_phrases()); forms.ok())
        put_at.push_back(forms->expand());
  }
  if (const auto* const phrases = locale.vocabulary(tag, "wants")) wants = PhraseSet(*phrases, tag);
  if (const auto* const phrases = locale.vocabulary(tag, "forgetting")) forgetting = PhraseSet(*phrases, tag);
  if (const auto* const phrases = locale.vocabulary(tag, "expletives")) expletives = PhraseSet(*phrases, tag);
}

Questions::Questions(const LocaleResources& locale) : locale_(locale) {}

const Questions::Language* Questions::language(const std::string& lang) const {
  const auto tag = closest_language(lang, locale_.languages());
  return tag ? &languages_.try_emplace(*tag, locale_, *tag).first->second : nullptr;
}

std::vector<std::string> Questions::content(const Language& by, const std::string& text,
                                            const std::string& lang) {
  std::vector<std::string> content;
  for (const auto& word : words(text, lang)) {
    std::string folded = text::fold(word.norm);
    if (by.articles.contains(folded) || by.own.contains(folded) || by.indefinite.contains(folded)) continue;
    const auto kin = by.kin.find(folded);
    content.push_back(kin == by.kin.end() ? std::move(folded) : kin->second);
  }
  return content;
}

std::vector<std::string> Questions::essence(const Language& by, const std::string& text,
                                            const std::string& lang) {
  auto all = content(by, text, lang);
  auto some = all;
  std::erase_if(some, [&](const std::string& word) { return by.function.contains(word); });
  return some.empty() ? all : some;
}

std::optional<Question> Questions::open_in(const std::string& what, const std::string& text,
                                           const std::string& name, const Language& by,
                                           const std::string& lang) {
  constexpr std::size_t kLongestBare = 4;
  const bool is_bare = name == "q_bare";
  const auto said = words(what, lang);
  if (is_bare && said.size() > kLongestBare) return std::nullopt;
  auto asked = content(by, what, lang);
  std::erase_if(asked, [&](const std::string& word) { return by.function.contains(word); });
  // One word alone may be about anything.
  const bool is_own = std::any_of(said.begin(), said.end(),
                                  [&](const Word& word) { return by.own.contains(text::fold(word.norm)); });
  if (asked.empty() || (asked.size() < 2 && !is_own && !is_bare)) return std::nullopt;
  std::string thing;
  for (const auto& word : asked) thing += (thing.empty() ? "" : " ") + word;
  for (const auto& word : words(text, lang)) {
    const std::string folded = text::fold(word.norm);
    if (is_bare && by.bare.contains(folded) && !is_within({folded}, asked)) thing += ' ' + folded;
  }
  return Question(Kind::kOpen, std::move(thing));
}

std::optional<Question> Questions::asked_in(const Sentences::Match& match, Kind kind, const Language& by,
                                            const std::string& lang, std::chrono::local_seconds now) {
  const auto slot = [&match](const char* name) {
    const auto found = match.slots.find(name);
    return found == match.slots.end() ? std::string() : found->second;
  };
  if (kind == Kind::kParked || kind == Kind::kAllergic) {
    Question question(kind, kind == Kind::kParked ? by.parked : by.allergic);
    question.is_own = true;
    return question;
  }
  const std::string mine = slot("mine");
  std::string what = mine.empty() ? slot("thing") : mine;
  if (kind == Kind::kWhose && what.empty()) what = by.birthday;
  const auto said = words(what, lang);
  if (said.empty() || content(by, what, lang).empty()) return std::nullopt;
  const std::string first = text::fold(said.front().norm);
  if (by.indefinite.contains(first)) return std::nullopt;
  Question question(kind, std::move(what));
  question.value = slot("value");
  if (!question.value.empty()) question.day = day_in(question.value, lang, now);
  // "The password of my grandparents".
  const bool is_of_own = std::any_of(said.begin() + 1, said.end(), [&](const Word& word) {
    return by.possessive.contains(text::fold(word.norm));
  });
  question.is_own = !mine.empty() || by.own.contains(first) || is_of_own;
  question.is_definite = question.is_own || by.articles.contains(first);
  return question;
}

std::optional<Question> Questions::read(const std::string& text, const std::string& lang,
                                        std::chrono::local_seconds now) const {
  const Language* const by = language(lang);
  if (by == nullptr) return std::nullopt;
  std::optional<Question> open;  // if it is none of the others
  const std::string asked = plain(*by, text, lang);
  for (const auto& match : by->sentences.match(asked)) {
    const auto* const file = std::find_if(std::begin(kFiles), std::end(kFiles),
                                          [&](const auto& one) { return one.first == match.name; });
    if (file == std::end(kFiles)) continue;
    if (file->second == Kind::kOpen) {
      if (!open) open = open_in(match.slots.at("thing"), asked, match.name, *by, lang);
      continue;
    }
    if (auto question = asked_in(match, file->second, *by, lang, now)) return question;
  }
  return open;
}

std::optional<Question> Questions::read_within(const std::string& text, const std::string& lang,
                                               std::chrono::local_seconds now) const {
  constexpr std::size_t kMostWords = 30;
  if (auto whole = read(text, lang, now)) return whole;
  const Language* const by = language(lang);
  const auto said = words(text, lang);
  if (by == nullptr || said.size() > kMostWords) return std::nullopt;
  for (std::size_t at = 1; at + 1 < said.size(); ++at) {
    if (!by->asking.contains(text::fold(said[at].norm)) || is_given_up(*by, said, at)) continue;
    if (auto question = read(text.substr(said[at].begin), lang, now)) return question;
  }
  const auto comma = text.rfind(',');
  return comma == std::string::npos ? std::nullopt : read(text.substr(0, comma), lang, now);
}

std::string Questions::plain(const Language& by, const std::string& text, const std::string& lang) {
  constexpr std::size_t kLongest = 5;  // words of an expletive
  const auto said = words(text, lang);
  for (std::size_t at = 0; at < said.size(); ++at) {
    for (std::size_t n = std::min(kLongest, said.size() - at); n > 0; --n) {
      if (!by.expletives.equals(std::span(said).subspan(at, n))) continue;
      const std::size_t next = at + n < said.size() ? said[at + n].begin : text.size();
      return text.substr(0, said[at].begin) + text.substr(next);
    }
  }
  return text;
}

bool Questions::is_given_up(const Language& by, std::span<const Word> said, std::size_t asking) {
  // "I forget where I put my keys" asks.
  const bool is_own = asking > 1 && by.own.contains(text::fold(said[asking - 2].norm));
  return asking > 0 && !is_own && by.forgetting.equals(said.subspan(asking - 1, 1));
}

bool Questions::is_led_by(const Language& by, const std::vector<std::string>& asked,
                          const std::vector<std::string>& subject, const std::string& lang) {
  if (asked.empty() || asked.size() >= subject.size()) return false;
  for (std::size_t at = 0; at < asked.size(); ++at)
    if (!is_same(asked[at], subject[at])) return false;
  // Of "key fob holder" the last word is what it is, of "óculos de ler" the first.
  const std::string primary = primary_language(lang);
  return (primary != "en" && primary != "de") || by.function.contains(subject[asked.size()]);
}

bool Questions::answers(const Question& question, const Fact& fact, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return false;
  if (question.kind == Kind::kParked || question.kind == Kind::kAllergic) return fact.coverage > 0;
  if (question.kind == Kind::kWhose) return answers_whose(*by, question, fact, lang);
  const auto asked = essence(*by, question.thing, lang);
  if (question.kind == Kind::kAbout || question.kind == Kind::kOpen)
    return is_within(asked, content(*by, fact.text, lang));
  if (fact.subject.empty())
    return (question.kind == Kind::kWhere || question.kind == Kind::kWhen || question.is_own) &&
           is_within(asked, content(*by, fact.text, lang));
  const auto value = content(*by, fact.value, lang);
  if (question.kind == Kind::kWho && is_within(asked, value) && value.size() <= asked.size() + 1) return true;
  const auto subject = content(*by, fact.subject, lang);
  const bool is_short = is_within(asked, subject) && subject.size() <= asked.size() + 1;
  const bool is_place = question.kind == Question::Kind::kWhere && question.is_definite;
  const bool is_it = is_short || (is_place && is_led_by(*by, asked, subject, lang));
  return is_it && (question.kind != Kind::kWhat || question.is_own || fact.relation != "where");
}

/// "My sister's birthday is on the 5th of May", "Anna hat am 5. Mai Geburtstag".
bool Questions::answers_whose(const Language& by, const Question& question, const Fact& fact,
                              const std::string& lang) {
  const auto said = content(by, fact.text, lang);
  const auto asked = content(by, question.thing, lang);
  const bool is_birthday = question.thing == by.birthday;
  const bool is_it = is_birthday ? std::any_of(asked.begin(), asked.end(),
                                               [&](const std::string& word) {
                                                 return is_within(std::vector<std::string>(1, word), said);
                                               })
                                 : is_within(asked, said);
  if (!is_it) return false;
  if (!question.day) return is_within(content(by, question.value, lang), said);
  const std::chrono::local_seconds then(
      std::chrono::floor<std::chrono::seconds>(fact.time).time_since_epoch());
  return names_day(fact.text, *question.day, lang, then);
}

std::optional<Statement> Questions::statement(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return std::nullopt;
  for (const auto& match : by->sentences.match(text)) {
    if (match.name != "statement") continue;
    const std::string& thing = match.slots.at("thing");
    const std::string& value = match.slots.at("value");
    const auto named = words(thing, lang);
    if (named.size() > kMostOfThing) continue;  // "we bought three lamps and the cat" is a story
    const std::string first = text::fold(named.front().norm);
    const bool is_definite = by->articles.contains(first) || by->own.contains(first);
    if (!is_definite || content(*by, thing, lang).empty()) continue;
    const std::size_t begin = text.find(thing);
    const std::size_t end = text.rfind(value) + value.size();
    return Statement(thing, text.substr(begin, end - begin));
  }
  return std::nullopt;
}

std::optional<std::string> Questions::instead(const std::string& text, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return std::nullopt;
  for (const auto& match : by->sentences.match(text)) {
    if (match.name == "instead") return where_it_is(match.slots.at("value"), *by, lang);
  }
  return std::nullopt;
}

std::string Questions::where_it_is(const std::string& where_to, const Language& by, const std::string& lang) {
  const auto said = words(where_to, lang);
  std::size_t longest = 0;
  std::string instead;
  for (const auto& line : by.put_at) {
    for (const std::string& form : line) {
      const auto put = words(form, lang);
      const bool begins =
          put.size() > longest && put.size() < said.size() &&
          std::equal(put.begin(), put.end(), said.begin(),
                     [](const Word& one, const Word& other) { return one.norm == other.norm; });
      if (!begins) continue;
      longest = put.size();
      instead = line.front();
    }
  }
  return longest == 0 ? where_to : instead + where_to.substr(said[longest - 1].end);
}

bool Questions::is_of(const Statement& statement, const Fact& fact, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return false;
  const auto thing = content(*by, statement.thing, lang);
  const auto subject = content(*by, fact.subject, lang);
  return is_within(thing, subject) && is_within(subject, thing);
}

bool Questions::says(const std::string& said, const Fact& fact, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return false;
  const auto words_of = [&](const std::string& text) {
    auto words = content(*by, text, lang);
    std::erase_if(words, [&](const std::string& word) { return by->that.contains(word); });
    std::sort(words.begin(), words.end());
    return words;
  };
  return words_of(said) == words_of(fact.text);
}

bool Questions::is(const std::string& text, const std::string& file, const std::string& lang) const {
  const Language* const by = language(lang);
  if (by == nullptr) return false;
  const auto found = by->sentences.match(text);
  return std::any_of(found.begin(), found.end(), [&](const auto& match) { return match.name == file; });
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
