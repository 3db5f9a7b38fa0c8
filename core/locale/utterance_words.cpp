#include <parley/utterance_words.hpp>

#include <algorithm>
#include <utility>

namespace parley {

UtteranceWords::UtteranceWords(std::string_view text, std::string lang, const LocaleResources& vocabularies)
    : text_(text), lang_(std::move(lang)), vocabularies_(vocabularies), words_(words(text, lang_)) {}

bool UtteranceWords::is(std::string_view vocabulary, WordRun run) const {
  return vocabularies_.vocabulary_equals(lang_, vocabulary, in(run));
}

std::optional<WordRun> UtteranceWords::find(std::string_view vocabulary, WordRun within) const {
  for (std::size_t at = within.begin; at < within.end; ++at) {
    for (std::size_t n = std::min(kLongestPhrase, within.end - at); n > 0; --n) {
      if (is(vocabulary, {at, at + n})) return WordRun(at, at + n);
    }
  }
  return std::nullopt;
}

WordRun UtteranceWords::clause_of(std::size_t at) const {
  WordRun clause(at, at + 1);
  while (clause.begin > 0 && !stops_before(clause.begin)) --clause.begin;
  while (clause.end < words_.size() && !stops_before(clause.end)) ++clause.end;
  return clause;
}

bool UtteranceWords::stops_before(std::size_t at) const {
  const auto gap = text_.substr(words_[at - 1].end, words_[at].begin - words_[at - 1].end);
  return gap.find_first_of(",;:.!?") != std::string_view::npos;
}

SpokenForms::SpokenForms(const LocaleResources& locale, std::string lang, std::string_view vocabulary)
    : lang_(std::move(lang)) {
  const auto* const phrases = locale.vocabulary(lang_, vocabulary);
  if (phrases == nullptr) return;
  for (const std::string& phrase : *phrases) {
    const auto said = words(phrase, lang_);
    if (said.size() < 2) continue;
    std::vector<std::string> spoken;
    for (std::size_t i = 0; i + 1 < said.size(); ++i) spoken.push_back(said[i].norm);
    longest_ = std::max(longest_, spoken.size());
    written_.emplace(std::move(spoken), std::string(surface(phrase, std::span(said).last(1))));
  }
}

std::string SpokenForms::as_written(std::string_view text) const {
  const auto said = words(text, lang_);
  std::string made;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < said.size();) {
    std::size_t taken = 1;
    for (std::size_t count = std::min(longest_, said.size() - at); count > 0; --count) {
      std::vector<std::string> spoken;
      for (std::size_t i = at; i < at + count; ++i) spoken.push_back(said[i].norm);
      const auto found = written_.find(spoken);
      if (found == written_.end()) continue;
      made.append(text.substr(copied, said[at].begin - copied)).append(found->second);
      taken = count;
      copied = said[at + count - 1].end;
      break;
    }
    at += taken;
  }
  return made.append(text.substr(copied));
}

}  // namespace parley
