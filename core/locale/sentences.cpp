#include <parley/sentences.hpp>

#include <algorithm>
#include <set>

namespace parley {
namespace {

constexpr std::size_t kLongestPolite = 8;  // words

// Matches one sentence against the words of an utterance, a slot taking as few words as it can.
class Matcher {
 public:
  Matcher(std::string_view text, std::span<const Word> words) : text_(text), words_(words) {}

  bool run(std::span<const Token> sentence, std::span<const Word> words, Sentences::Match& match) {
    if (sentence.empty()) return words.empty();
    if (words.size() < sentence.size()) return false;
    const Token& token = sentence.front();
    if (token.kind == Token::Kind::kWord) {
      return token.text == words.front().norm && run(sentence.subspan(1), words.subspan(1), match);
    }
    if (sentence.size() == 1) return fill(token, words, match);
    for (std::size_t taken = 1; taken + sentence.size() - 1 <= words.size(); ++taken) {
      if (run(sentence.subspan(1), words.subspan(taken), match))
        return fill(token, words.first(taken), match);
    }
    return false;
  }

  bool run(std::span<const Token> sentence, Sentences::Match& match) { return run(sentence, words_, match); }

 private:
  bool fill(const Token& slot, std::span<const Word> words, Sentences::Match& match) const {
    match.slots[slot.text] = surface(text_, words);
    return true;
  }

  std::string_view text_;
  std::span<const Word> words_;
};

// The largest number of words for which that is so; 0: none.
std::size_t longest(std::span<const Word> said, const auto& is_so) {
  std::size_t length = std::min(said.size(), kLongestPolite);
  while (length > 0 && !is_so(length)) --length;
  return length;
}

std::size_t fixed_words(const Sentence& sentence) {
  return static_cast<std::size_t>(std::ranges::count(sentence, Token::Kind::kWord, &Token::kind));
}

}  // namespace

Sentences::Sentences(const LocaleResources& locale, const std::string& lang) : lang_(lang) {
  if (const auto* const phrases = locale.vocabulary(lang, "polite")) polite_ = PhraseSet(*phrases, lang);
  for (const std::string& name : locale.intent_names(lang)) {
    for (const std::string& sample : locale.intent(lang, name)->samples) add(name, sample);
  }
  for (auto& [first, forms] : by_first_word_) {
    std::ranges::stable_sort(forms, std::ranges::greater(),
                             [](const Form& form) { return fixed_words(form.sentence); });
  }
}

void Sentences::add(const std::string& name, const std::string& sample) {
  const auto parsed = Template::parse(sample, TemplateOptions::for_intents());
  if (!parsed) return;  // the locale reported it
  for (Sentence& sentence : expand_tokens(*parsed, lang_)) {
    if (sentence.empty()) continue;
    const bool begins_with_slot = sentence.front().kind == Token::Kind::kSlot;
    const std::string first = begins_with_slot ? "" : sentence.front().text;
    by_first_word_[first].push_back(Form{name, std::move(sentence)});
  }
}

void Sentences::find(std::string_view utterance, std::span<const Word> said, Found& found) const {
  for (const std::string& first : {said.front().norm, std::string()}) {
    const auto forms = by_first_word_.find(first);
    if (forms == by_first_word_.end()) continue;
    for (const Form& form : forms->second) {
      Match match{form.name, {}};
      if (Matcher(utterance, said).run(form.sentence, match))
        found.emplace_back(fixed_words(form.sentence), std::move(match));
    }
  }
}

std::span<const Word> Sentences::without_polite_start(std::span<const Word> said) const {
  while (const std::size_t length = longest(said, [&](auto n) { return polite_.equals(said.first(n)); }))
    said = said.subspan(length);
  return said;
}

std::span<const Word> Sentences::without_polite_end(std::span<const Word> said) const {
  while (const std::size_t length = longest(said, [&](auto n) { return polite_.equals(said.last(n)); }))
    said = said.first(said.size() - length);
  return said;
}

std::vector<Sentences::Match> Sentences::match(std::string_view utterance) const {
  const auto said = words(utterance, lang_);
  Found found;
  // "Tell me" may be polite or the question's own; what ends it, as a slot would, is rather polite.
  std::set<std::pair<const Word*, std::size_t>> tried;
  for (const auto begun : {without_polite_start(said), std::span<const Word>(said)}) {
    for (const auto question : {without_polite_end(begun), begun}) {
      if (!question.empty() && tried.emplace(question.data(), question.size()).second)
        find(utterance, question, found);
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &std::pair<std::size_t, Match>::first);
  std::vector<Match> out;
  for (auto& [words_fixed, match] : found) out.push_back(std::move(match));
  return out;
}

}  // namespace parley
