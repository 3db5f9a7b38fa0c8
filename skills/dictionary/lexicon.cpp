#include "lexicon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <parley/fold.hpp>
#include <parley/language.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <span>
#include <stdexcept>
#include <utility>

namespace parley::dictionary {
namespace {

constexpr std::size_t kMaxSynonyms = 5;

// What "what is love" asks for need not be a definition; who asks what a word means wants one. That WordNet
// does not know something as a kind of something else says little.
constexpr double kAskedForMeaning = 0.9;
constexpr double kThing = 0.7;
constexpr double kPerhapsThing = 0.6;
constexpr double kRelated = 0.85;
constexpr double kSpelled = 0.95;
constexpr double kIsKind = 0.85;
constexpr double kIsReverse = 0.7;
constexpr double kNoKind = 0.55;

// The part of speech a word is most used in.
const Entry& most_used(const std::vector<Entry>& entries) {
  return *std::ranges::max_element(entries, {}, &Entry::tagged);
}

// "Berlin" is an instance of a city, no kind of it.
bool is_name(const Synset& meaning) {
  return std::ranges::find(meaning.pointers, "@i", &Pointer::symbol) != meaning.pointers.end();
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

// "dog means …" → "Dog means …", but "pH" stays. WordNet's words are ASCII.
std::string sentence(std::string text) {
  if (text.size() > 1 && is_lower(text[0]) && (is_lower(text[1]) || text[1] == ' '))
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

constexpr std::size_t kMostWords = 40;

// Up to the next comma.
std::span<const Word> first_clause(std::string_view text, std::span<const Word> said) {
  for (std::size_t at = 1; at < said.size(); ++at) {
    const auto gap = text.substr(said[at - 1].end, said[at].begin - said[at - 1].end);
    if (gap.find_first_of(",;:.?!") != std::string_view::npos) return said.first(at);
  }
  return said;
}

// What stands behind a comma, about the word before it where it says "it": "it says benevolent, what is
// that", "accommodate, one m or two, spell it".
//
// A tail about `lately` in which the words before have no part was put together by somebody who took "it" for
// what was spoken of before.
std::vector<std::string> behind_commas(std::string_view text, const LocaleResources& locale,
                                       const std::string& lang, const std::string& lately) {
  const auto said = words(text, lang);
  std::vector<std::string> found;
  if (said.size() > kMostWords) return found;
  std::string named;  // the last word before the first comma, or a word that stands alone
  std::size_t clause = 0;
  constexpr std::size_t kShortClause = 8;
  for (std::size_t at = 1; at < said.size(); ++at) {
    const auto gap = text.substr(said[at - 1].end, said[at].begin - said[at - 1].end);
    if (gap.find_first_of(",;:.?!") == std::string_view::npos) continue;
    // "The army guy, colonel, how is it written": a word that stands alone is meant.
    if (at - clause == 1 || (named.empty() && at - clause <= kShortClause))
      named = surface(text, std::span(said).subspan(at - 1, 1));
    clause = at;
    const auto tail = std::span(said).subspan(at);
    const auto clause_said = first_clause(text, tail);
    const auto is_lately = [&](const Word& word) { return !lately.empty() && word.norm == lately; };
    if (std::ranges::any_of(tail, is_lately) && std::ranges::none_of(std::span(said).first(at), is_lately))
      continue;
    for (std::size_t i = 1; i < tail.size(); ++i) {
      if (named.empty() || !locale.vocabulary_equals(lang, "it", tail.subspan(i, 1))) continue;
      found.push_back(std::string(surface(text, tail.first(i))) + ' ' + named + ' ' +
                      std::string(surface(text, tail.subspan(i + 1))));
      // "Necessary, how do I spell it, is it one c"
      if (i < clause_said.size() && clause_said.size() < tail.size())
        found.push_back(std::string(surface(text, tail.first(i))) + ' ' + named + ' ' +
                        std::string(surface(text, clause_said.subspan(i + 1))));
    }
    found.emplace_back(surface(text, tail));
  }
  return found;
}

}  // namespace

Lexicon::Lexicon(LocaleResources locale, std::shared_ptr<const WordNet> wordnet, std::string lang)
    : locale_(std::move(locale)),
      lang_(std::move(lang)),
      questions_(locale_, lang_),
      wordnet_(std::move(wordnet)) {
  const IntentResource* const definition = locale_.intent(lang_, "definition");
  if (definition != nullptr) translations_ = PhraseSet(definition->blacklist, lang_);
}

std::optional<Inquiry> Lexicon::understand(std::string_view question, std::string_view tag,
                                           const Asked& before) const {
  if (primary_language(tag) != primary_language(lang_)) return std::nullopt;
  if (auto inquiry = of_the_word_before(question, before)) return inquiry;
  auto inquiry = read(question, before);
  // Words of the language that is spoken may be spelt like English ones.
  const bool goes_on = !before.word.empty();
  if (inquiry && primary_language(lang_) != "en" && !is_of_english(*inquiry, question, goes_on))
    return std::nullopt;
  return inquiry;
}

bool Lexicon::is_of_english(const Inquiry& inquiry, std::string_view question, bool goes_on) const {
  const auto all = words(question, lang_);
  if (translations_.occurs_in(all)) return false;
  if (!goes_on && !locale_.vocabulary_occurs(lang_, "asks_english", all)) return false;
  const bool is_little = std::ranges::any_of(inquiry.said, [&](const auto& slot) {
    return locale_.vocabulary_equals(lang_, "little_words", words(slot.second, lang_));
  });
  if (is_little) return false;
  if (inquiry.word.empty()) return true;
  const Entry& entry = most_used(inquiry.word);
  return !is_name(wordnet_->synset(entry.senses.front(), entry.part));
}

std::optional<Inquiry> Lexicon::read(std::string_view question, const Asked& before) const {
  if (auto inquiry = understood(question, before.question)) return inquiry;
  for (const std::string& meant : behind_commas(question, locale_, lang_, text::fold(before.word))) {
    auto inquiry = understood(meant, before.question);
    // "Forget it, what's the answer" asks for no word.
    const bool is_vague = inquiry && (inquiry->question == "thing" || inquiry->question == "person" ||
                                      inquiry->question == "subject");
    if (inquiry && (!is_vague || question.find(meant) == std::string_view::npos)) return inquiry;
  }
  if (auto inquiry = of_a_clause(question)) return inquiry;
  if (auto inquiry = by_fear(question)) return inquiry;
  if (auto inquiry = of_part_of_speech(question)) return inquiry;
  if (auto inquiry = by_topic(question)) return inquiry;
  return by_pointed_word(question);
}

std::optional<Inquiry> Lexicon::of_the_word_before(std::string_view question, const Asked& before) const {
  constexpr std::array<std::pair<const char*, const char*>, 6> kAsked{
      {{"any_definition", "definition"},
       {"any_synonyms", "synonyms"},
       {"any_opposite", "opposite"},
       {"any_example", "example"},
       {"any_spelling", "spelling"},
       {"any_part_of_speech", "part_of_speech"}}};
  if (before.word.empty()) return std::nullopt;
  const auto said = words(question, lang_);
  for (const auto& [vocabulary, asked] : kAsked) {
    if (locale_.vocabulary_equals(lang_, vocabulary, said))
      return look_up(Sentences::Match{asked, {{"word", before.word}}});
  }
  return std::nullopt;
}

std::optional<Inquiry> Lexicon::understood(std::string_view question, const std::string& before) const {
  for (auto& match : questions_.match(question)) {
    if (match.name == "again") {
      if (before.empty()) continue;
      match.name = before;
      match.slots.erase("hint");
    }
    if (auto inquiry = look_up(match)) return inquiry;
  }
  return std::nullopt;
}

std::optional<Inquiry> Lexicon::look_up(const Sentences::Match& match) const {
  Inquiry inquiry{match.name, match.slots, {}, {}};
  if (match.name == "young") {  // "a baby dog"
    inquiry.question = "described";
    inquiry.said["meaning"] = "young " + inquiry.said.at("meaning");
  }
  if (match.name == "fear") {  // "afraid of spiders"
    inquiry.question = "described";
    inquiry.said["meaning"] = "fear of " + inquiry.said.at("meaning");
  }
  if (inquiry.question == "described") {  // no word is given, but what it means
    if (telling(inquiry.said.at("meaning")).empty()) return std::nullopt;
    return inquiry;
  }
  for (auto& [slot, said] : inquiry.said) {
    const std::string word = without_article(said);
    if (word.empty() || locale_.vocabulary_equals(lang_, "not_asked_about", words(word, lang_)))
      return std::nullopt;
    const bool noun = match.name == "kind" || match.name == "kinds" || match.name == "thing" ||
                      match.name == "person" || match.name == "examples" || match.name == "parts" ||
                      match.name == "what_kind";
    auto found = wordnet_->look_up(word);
    if (noun) std::erase_if(found, [](const Entry& entry) { return entry.part != PartOfSpeech::kNoun; });
    if (found.empty()) return std::nullopt;
    (slot == "other" ? inquiry.other : inquiry.word) = std::move(found);
  }
  return inquiry;
}

// Words are looked up in lower case; hyphens and full stops stay, as in "e.g." and "merry-go-round".
std::string Lexicon::without_article(const std::string& said) const {
  const auto parts = words(said, lang_);
  if (parts.empty()) return {};
  const bool article =
      parts.size() > 1 && locale_.vocabulary_equals(lang_, "article", std::span(parts).first(1));
  return said.substr(parts.at(article ? 1 : 0).begin);
}

std::optional<Reply> Lexicon::answer(const Inquiry& inquiry) const {
  if (inquiry.question == "synonyms") return synonyms(inquiry);
  if (inquiry.question == "opposite") return opposite(inquiry);
  if (inquiry.question == "kind" || inquiry.question == "kinds") return kind(inquiry);
  if (inquiry.question == "spelling") return spelling(inquiry);
  if (inquiry.question == "part_of_speech") return part_of_speech(inquiry);
  if (inquiry.question == "example") return example(inquiry);
  if (inquiry.question == "examples") return related(inquiry, "examples", {"~", "~i"});
  if (inquiry.question == "parts") return related(inquiry, "parts", {"%p"});
  if (inquiry.question == "described") return described(inquiry);
  if (inquiry.question == "what_kind") return definition(inquiry, kRelated);
  if (inquiry.question == "definition") return definition(inquiry, kAskedForMeaning);
  return definition(inquiry, inquiry.question == "thing" ? kThing : kPerhapsThing);
}

std::optional<Reply> Lexicon::definition(const Inquiry& inquiry, double confidence) const {
  const Entry& entry = most_used(inquiry.word);
  const Synset meaning = wordnet_->synset(entry.senses.front(), entry.part);
  if (meaning.gloss.empty()) return std::nullopt;
  const auto spelled = std::ranges::find(meaning.words, text::fold(entry.lemma), text::fold);
  const std::string word = spelled == meaning.words.end() ? entry.lemma : *spelled;
  const char* const usual = is_name(meaning) ? "definition_of_name" : "definition";
  return say(entry.part == PartOfSpeech::kVerb ? "definition_of_verb" : usual,
             {{"word", word}, {"meaning", meaning.gloss}}, confidence);
}

std::optional<Reply> Lexicon::synonyms(const Inquiry& inquiry) const {
  const Entry& entry = most_used(inquiry.word);
  std::vector<std::string> found;
  for (const std::uint32_t sense : entry.senses) {
    for (const std::string& word : wordnet_->synset(sense, entry.part).words) {
      const bool known =
          text::fold(word) == text::fold(entry.lemma) || std::ranges::find(found, word) != found.end();
      if (!known && found.size() < kMaxSynonyms) found.push_back(word);
    }
  }
  if (found.empty()) return std::nullopt;
  return say(found.size() == 1 ? "synonym" : "synonyms",
             {{"word", entry.lemma}, {"synonyms", say_list(found, lang_)}}, kRelated);
}

std::optional<Reply> Lexicon::opposite(const Inquiry& inquiry) const {
  std::vector<Entry> entries = inquiry.word;
  std::ranges::stable_sort(entries, std::ranges::greater(), &Entry::tagged);
  for (const Entry& entry : entries) {
    for (const std::uint32_t sense : entry.senses) {
      const auto word = opposite_of(wordnet_->synset(sense, entry.part), entry.part);
      if (word) return say("opposite", {{"word", entry.lemma}, {"opposite", *word}}, kRelated);
    }
  }
  return opposite_of_kin(entries);
}

// "Huge" has none of its own; it is a kind of "large", and that has one. Of several, the one in most use
// counts: "ancient" is "old" rather than "past".
std::optional<Reply> Lexicon::opposite_of_kin(const std::vector<Entry>& entries) const {
  std::optional<Reply> best;
  int most = -1;
  for (const Entry& entry : entries) {
    for (const std::uint32_t sense : entry.senses) {
      for (const Pointer& pointer : wordnet_->synset(sense, entry.part).pointers) {
        if (pointer.symbol != "&") continue;
        const Synset kin = wordnet_->synset(pointer.target, entry.part);
        const auto word = opposite_of(kin, entry.part);
        const auto head = wordnet_->look_up(kin.words.front(), entry.part);
        const int use = head ? head->tagged : 0;
        if (!word || use <= most) continue;
        most = use;
        best = say("opposite", {{"word", entry.lemma}, {"opposite", *word}}, kRelated);
      }
    }
  }
  return best;
}

std::optional<std::string> Lexicon::opposite_of(const Synset& meaning, PartOfSpeech part) const {
  const auto found = std::ranges::find(meaning.pointers, "!", &Pointer::symbol);
  if (found == meaning.pointers.end()) return std::nullopt;
  return wordnet_->synset(found->target, part).words.front();
}

std::optional<Reply> Lexicon::kind(const Inquiry& inquiry) const {
  const Entry& word = inquiry.word.front();
  const Entry& other = inquiry.other.front();
  if (word.lemma == other.lemma) return std::nullopt;
  const bool plural = inquiry.question == "kinds";
  const std::map<std::string, std::string> slots{{"word", inquiry.said.at("word")}, {"kind", other.lemma}};
  if (wordnet_->is_kind_of(word, other)) return say(plural ? "are_kind" : "is_kind", slots, kIsKind);
  if (wordnet_->is_kind_of(other, word)) {
    return say("is_reverse", {{"word", word.lemma}, {"kind", other.lemma}}, kIsReverse);
  }
  // "Pulpy fruit eaten as a vegetable": a tomato is filed under vegetables alone, and yet a fruit.
  if (defined_by(word, other)) return std::nullopt;
  return say(plural ? "are_no_kind" : "is_no_kind", slots, kNoKind);
}

// Letter by letter, as it is written.
std::optional<Reply> Lexicon::spelling(const Inquiry& inquiry) const {
  std::string letters;
  std::string word = without_article(inquiry.said.at("word"));
  for (const char c : word) {
    if (c == ' ') continue;
    const char shown = is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    letters += (letters.empty() ? "" : ", ") + std::string(1, shown);
  }
  return say("spelling", {{"word", word}, {"letters", letters}}, kSpelled);
}

std::optional<Reply> Lexicon::part_of_speech(const Inquiry& inquiry) const {
  std::vector<Entry> entries = inquiry.word;
  std::ranges::stable_sort(entries, std::ranges::greater(), &Entry::tagged);
  std::vector<std::string> parts;
  for (const Entry& entry : entries) {
    constexpr std::array kNames{"noun", "verb", "adjective", "adverb"};
    parts.push_back(locale_.render(kNames.at(static_cast<std::size_t>(entry.part)), lang_, {}).text);
  }
  return say(parts.size() == 1 ? "part_of_speech" : "parts_of_speech",
             {{"word", inquiry.said.at("word")}, {"parts", say_list(parts, lang_)}}, kRelated);
}

std::optional<Reply> Lexicon::example(const Inquiry& inquiry) const {
  std::vector<Entry> entries = inquiry.word;
  std::ranges::stable_sort(entries, std::ranges::greater(), &Entry::tagged);
  for (const Entry& entry : entries) {
    const std::string name = text::fold(entry.lemma);
    for (const std::uint32_t sense : entry.senses) {
      for (const std::string& one : wordnet_->synset(sense, entry.part).examples) {
        if (text::fold(one).find(name) == std::string::npos) continue;  // of another word of that meaning
        return say("example", {{"word", entry.lemma}, {"example", one}}, kRelated);
      }
    }
  }
  return std::nullopt;
}

std::optional<Reply> Lexicon::related(const Inquiry& inquiry, const std::string& dialog,
                                      const std::vector<std::string>& symbols) const {
  constexpr std::size_t kMost = 8;
  const Entry& entry = inquiry.word.front();
  std::vector<std::string> found;
  for (const std::uint32_t sense : entry.senses) {
    for (const Pointer& pointer : wordnet_->synset(sense, entry.part).pointers) {
      if (std::ranges::find(symbols, pointer.symbol) == symbols.end()) continue;
      if (found.size() < kMost)
        found.push_back(wordnet_->synset(pointer.target, PartOfSpeech::kNoun).words.front());
    }
    if (!found.empty()) break;  // its most common meaning that has any
  }
  if (found.empty()) return std::nullopt;
  return say(dialog, {{"word", entry.lemma}, {"list", say_list(found, lang_)}}, kRelated);
}

std::vector<std::string> Lexicon::telling(const std::string& said) const {
  std::vector<std::string> found;
  for (const Word& word : words(said, lang_)) {
    if (locale_.vocabulary_equals(lang_, "little_words", std::span(&word, 1))) continue;
    found.push_back(word.norm);
  }
  return found;
}

// "someone who studies insects" is an entomologist; the noun whose definition says so.
std::optional<Reply> Lexicon::described(const Inquiry& inquiry) const {
  std::vector<std::string> wanted = telling(inquiry.said.at("meaning"));
  for (std::string& word : wanted) {
    const auto noun = wordnet_->look_up(word, PartOfSpeech::kNoun);
    if (noun && word.starts_with(noun->lemma)) word = noun->lemma;  // "insects", as "insect" in a definition
  }
  auto found = wordnet_->noun_defined_by(wanted);
  if (found.empty()) found = person_defined_by(wanted);
  if (found.empty()) return std::nullopt;
  return say("described", {{"word", found.front()}, {"meaning", inquiry.said.at("meaning")}}, kThing);
}

// "A scientist who studies insects" is defined as a zoologist who does.
std::vector<std::string> Lexicon::person_defined_by(std::vector<std::string> wanted) const {
  constexpr std::size_t kFewest = 3;
  const bool is_general = wanted.size() >= kFewest &&
                          locale_.vocabulary_equals(lang_, "general_people", words(wanted.front(), lang_));
  if (!is_general) return {};
  wanted.erase(wanted.begin());
  auto found = wordnet_->noun_defined_by(wanted);
  if (found.empty()) return {};
  const auto who = wordnet_->look_up(found.front(), PartOfSpeech::kNoun);
  const auto person = wordnet_->look_up("person", PartOfSpeech::kNoun);
  const bool is_person = who && person && wordnet_->is_kind_of(*who, *person);
  return is_person ? found : std::vector<std::string>();
}

bool Lexicon::defined_by(const Entry& word, const Entry& other) const {
  const std::string name = ' ' + text::fold(other.lemma) + ' ';
  return std::ranges::any_of(word.senses, [&](std::uint32_t sense) {
    const std::string gloss = ' ' + text::fold(wordnet_->synset(sense, word.part).gloss) + ' ';
    return gloss.find(name) != std::string::npos;
  });
}

Reply Lexicon::say(const std::string& dialog, const std::map<std::string, std::string>& slots,
                   double confidence) const {
  return Reply{sentence(locale_.render(dialog, lang_, slots).text), confidence};
}

}  // namespace parley::dictionary
