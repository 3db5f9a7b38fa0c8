#include <parley/sentences.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace parley {
namespace {

constexpr std::size_t kLongestPolite = 8;  // words

// Finds every sentence of a pattern that the words of an utterance are; each once, its slots as short as they
// can be. Nothing is written out: only what begins like the utterance is looked at.
class Matcher {
 public:
  explicit Matcher(std::span<const Word> words) : words_(words) {}

  /// A word or slot of the sentence, and the words that were said for it.
  struct Step {
    const Pattern* token;
    std::span<const Word> said;
  };
  using Path = std::vector<Step>;

  std::vector<Path> run(const Pattern& pattern) {
    walk({&pattern, 1}, nullptr, 0);
    return std::move(found_);
  }

 private:
  /// What comes after the parts that are looked at.
  struct Rest {
    std::span<const Pattern> parts;
    const Rest* then;
  };

  void walk(std::span<const Pattern> parts, const Rest* then, std::size_t at) {
    if (parts.empty()) {
      if (then != nullptr) return walk(then->parts, then->then, at);
      if (at == words_.size()) accept();
      return;
    }
    const Pattern& part = parts.front();
    const Rest rest{parts.subspan(1), then};
    switch (part.kind) {
      case Pattern::Kind::kWord:
        if (at < words_.size() && words_[at].norm == part.text) step(part, at, at + 1, rest);
        break;
      case Pattern::Kind::kSlot:
        for (std::size_t to = at + 1; to <= words_.size(); ++to) step(part, at, to, rest);
        break;
      case Pattern::Kind::kSequence:
        walk(part.children, &rest, at);
        break;
      case Pattern::Kind::kChoice:
        for (const Pattern& branch : part.children) walk({&branch, 1}, &rest, at);
        break;
    }
  }

  void step(const Pattern& token, std::size_t from, std::size_t to, const Rest& rest) {
    path_.push_back(Step{&token, words_.subspan(from, to - from)});
    walk(rest.parts, rest.then, to);
    path_.pop_back();
  }

  // Of a sentence that fits in several ways, the one with the shortest slots is met first.
  void accept() {
    std::vector<std::pair<Pattern::Kind, std::string_view>> sentence;
    for (const Step& step : path_) sentence.emplace_back(step.token->kind, step.token->text);
    if (seen_.insert(std::move(sentence)).second) found_.push_back(path_);
  }

  std::span<const Word> words_;
  Path path_;
  std::set<std::vector<std::pair<Pattern::Kind, std::string_view>>> seen_;
  std::vector<Path> found_;
};

// The words that sentences of a part begin with, "" for a slot, added to `firsts`. Whether the part can be
// empty.
bool first_words(const Pattern& part, std::set<std::string>& firsts) {
  switch (part.kind) {
    case Pattern::Kind::kWord:
      firsts.insert(part.text);
      return false;
    case Pattern::Kind::kSlot:
      firsts.emplace();
      return false;
    case Pattern::Kind::kSequence:
      return std::ranges::all_of(part.children, [&](const Pattern& one) { return first_words(one, firsts); });
    case Pattern::Kind::kChoice:
      break;
  }
  bool empty = false;
  for (const Pattern& branch : part.children) empty |= first_words(branch, firsts);
  return empty;
}

// The largest number of words for which that is so; 0: none.
std::size_t longest(std::span<const Word> said, const auto& is_so) {
  std::size_t length = std::min(said.size(), kLongestPolite);
  while (length > 0 && !is_so(length)) --length;
  return length;
}

}  // namespace

Sentences::Sentences(const LocaleResources& locale, const std::string& lang) : lang_(lang) {
  if (const auto* const phrases = locale.vocabulary(lang, "polite")) polite_ = PhraseSet(*phrases, lang);
  for (const std::string& name : locale.intent_names(lang)) {
    for (const std::string& sample : locale.intent(lang, name)->samples) add(name, sample);
  }
}

void Sentences::add(const std::string& name, const std::string& sample) {
  const auto parsed = Template::parse(sample, TemplateOptions::for_intents());
  if (!parsed) return;  // the locale reported it
  forms_.push_back(Form{name, word_pattern(*parsed, lang_)});
  const Form& form = forms_.back();
  std::set<std::string> firsts;
  first_words(form.pattern, firsts);
  for (const std::string& first : firsts) by_first_word_[first].push_back(forms_.size() - 1);
}

void Sentences::find(std::string_view utterance, std::span<const Word> said, Found& found) const {
  std::vector<std::size_t> candidates;
  for (const std::string& first : {said.front().norm, std::string()}) {
    const auto known = by_first_word_.find(first);
    if (known != by_first_word_.end())
      candidates.insert(candidates.end(), known->second.begin(), known->second.end());
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  Found begun_with_slot;  // goes behind the others
  for (const std::size_t index : candidates) {
    const Form& form = forms_[index];
    for (const Matcher::Path& path : Matcher(said).run(form.pattern)) {
      Match match{form.name, {}};
      std::size_t fixed = 0;
      for (const Matcher::Step& step : path) {
        if (step.token->kind == Pattern::Kind::kWord)
          ++fixed;
        else
          match.slots.try_emplace(step.token->text, surface(utterance, step.said));
      }
      const bool slot_first = path.front().token->kind == Pattern::Kind::kSlot;
      (slot_first ? begun_with_slot : found).emplace_back(fixed, std::move(match));
    }
  }
  std::ranges::move(begun_with_slot, std::back_inserter(found));
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
