#include "gate.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <vector>

namespace parley::common_query {
namespace {

/// No phrase of the files has more words.
constexpr std::size_t kLongest = 6;

using Said = std::span<const Word>;

/// The number of words of the longest phrase the utterance begins with; 0: none.
std::size_t prefix(const PhraseSet& phrases, Said said) {
  for (std::size_t length = std::min(kLongest, said.size()); length > 0; --length) {
    if (phrases.equals(said.first(length))) return length;
  }
  return 0;
}

bool has_suffix(const PhraseSet& phrases, Said said) {
  for (std::size_t length = std::min(kLongest, said.size()); length > 0; --length) {
    if (phrases.equals(said.last(length))) return true;
  }
  return false;
}

bool ends_with_question_mark(std::string_view utterance) {
  const auto last = utterance.find_last_not_of(" \t\r\n");
  return last != std::string_view::npos && utterance[last] == '?';
}

}  // namespace

const Gate::Language& Gate::language(const std::string& lang) {
  const auto found = languages_.find(lang);
  if (found != languages_.end()) return found->second;
  Language made;
  const auto load = [&](const char* name) {
    const auto* const phrases = locale_.vocabulary(lang, name);
    made.known = made.known || phrases != nullptr;
    return phrases == nullptr ? PhraseSet() : PhraseSet(*phrases, lang);
  };
  made.question_start = load("question_start");
  made.question = load("question");
  made.polite = load("polite");
  made.command_start = load("command_start");
  made.command_end = load("command_end");
  made.chatter = load("chatter");
  return languages_.emplace(lang, std::move(made)).first->second;
}

bool Gate::accepts(std::string_view utterance, const std::string& lang) {
  const Language& knows = language(lang);
  if (!knows.known) return true;
  const std::vector<Word> all = words(utterance, lang);
  Said said(all);
  if (said.empty() || knows.chatter.equals(said)) return false;
  bool polite = false;
  for (std::size_t skip = prefix(knows.polite, said); skip > 0; skip = prefix(knows.polite, said)) {
    said = said.subspan(skip);
    polite = true;
  }
  if (said.empty()) return false;
  if (prefix(knows.question_start, said) > 0 || knows.question.occurs_in(all)) return true;
  if (prefix(knows.command_start, said) > 0 || has_suffix(knows.command_end, said)) return false;
  // "Can you swim?" is a question; "can you" before a command has been looked at.
  return polite || ends_with_question_mark(utterance) || said.size() > 1;
}

}  // namespace parley::common_query
