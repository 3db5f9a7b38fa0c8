#include "gate.hpp"

#include <algorithm>
#include <parley/text.hpp>
#include <span>
#include <vector>

namespace parley::common_query {
namespace {

/// No phrase of the files has more words.
constexpr std::size_t kLongest = 8;

using Said = std::span<const Word>;

/// The number of words of the longest phrase the utterance begins with; 0: none.
std::size_t prefix(const PhraseSet& phrases, Said said) {
  for (std::size_t length = std::min(kLongest, said.size()); length > 0; --length) {
    if (phrases.equals(said.first(length))) return length;
  }
  return 0;
}

/// The same for the end of the utterance.
std::size_t suffix(const PhraseSet& phrases, Said said) {
  for (std::size_t length = std::min(kLongest, said.size()); length > 0; --length) {
    if (phrases.equals(said.last(length))) return length;
  }
  return 0;
}

/// The utterance without the polite words at its beginning, or at its end.
Said without_prefix(const PhraseSet& polite, Said said) {
  while (const std::size_t length = prefix(polite, said)) said = said.subspan(length);
  return said;
}

Said without_suffix(const PhraseSet& polite, Said said) {
  while (const std::size_t length = suffix(polite, said)) said = said.first(said.size() - length);
  return said;
}

/// Whether it is one word at least behind what questions begin with, the polite words aside.
bool begins_and_goes_on(const PhraseSet& polite, const PhraseSet& start, Said said) {
  const Said asked = without_prefix(polite, said);
  const std::size_t length = prefix(start, asked);
  return length > 0 && length < asked.size();
}

/// Whether it begins with a phrase of the one, and goes on with one of the other.
bool begins_with(const PhraseSet& first, const PhraseSet& then, Said said) {
  const std::size_t length = prefix(first, said);
  return length > 0 && prefix(then, said.subspan(length)) > 0;
}

bool is_number(const Word& word) {
  return word.norm.front() >= '0' && word.norm.front() <= '9';
}

/// "add 12 and 30": ends in two numbers with one word between.
bool is_calculation(Said said) {
  return said.size() > 2 && is_number(said.back()) && !is_number(said[said.size() - 2]) &&
         is_number(said[said.size() - 3]);
}

bool ends_with_question_mark(std::string_view utterance) {
  const auto last = utterance.find_last_not_of(" \t\r\n");
  return last != std::string_view::npos && utterance[last] == '?';
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_of_word(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

/// The first word of each phrase, in matching form.
std::vector<std::string> beginnings(const std::vector<std::string>& phrases, const std::string& lang) {
  std::vector<std::string> found;
  for (const std::string& phrase : phrases) {
    const std::vector<Word> all = words(phrase, lang);
    if (!all.empty()) found.push_back(all.front().norm);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
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
  made.command_verb = load("command_verb");
  made.command_object = load("command_object");
  made.chatter = load("chatter");
  made.filler = load("filler");
  made.joint = load("and");
  if (const auto* const joints = locale_.vocabulary(lang, "and"))
    made.joint_starts = beginnings(*joints, lang);
  return languages_.emplace(lang, std::move(made)).first->second;
}

bool Gate::accepts(std::string_view utterance, const std::string& lang) {
  const Language& knows = language(lang);
  if (!knows.known) return true;
  const std::vector<Word> all = words(utterance, lang);
  const Said asked = without_prefix(knows.polite, all);
  const Said said = without_suffix(knows.polite, asked);
  if (said.empty() || knows.chatter.equals(all) || knows.chatter.equals(said)) return false;
  if (prefix(knows.question_start, said) > 0 || knows.question.occurs_in(said) || is_calculation(said))
    return true;
  // "Could you play jazz?" is a command all the same, but no command begins with its verb and ends so.
  if (asked.size() == all.size() && ends_with_question_mark(utterance)) return true;
  return prefix(knows.command_start, said) == 0 && suffix(knows.command_end, said) == 0 &&
         !begins_with(knows.command_verb, knows.command_object, said);
}

std::string Gate::bare(std::string_view utterance, const std::string& lang) {
  const Language& knows = language(lang);
  const std::vector<Word> all = words(utterance, lang);
  const Said asked = without_prefix(knows.polite, all);
  const Said said = without_suffix(knows.polite, asked);
  if (said.empty()) return std::string(utterance);
  // Signs between the words stay: "-5 + 3".
  std::size_t at = asked.size() == all.size() ? 0 : said.front().begin;
  const std::size_t end = said.size() == asked.size() ? utterance.size() : said.back().end;
  std::string kept;
  for (std::size_t i = 0; i < said.size();) {
    const std::size_t length = prefix(knows.filler, said.subspan(i));
    if (length > 0) {
      kept += utterance.substr(at, said[i].begin - at);
      at = std::min(utterance.find_first_not_of(" ,", said[i + length - 1].end), end);
    }
    i += std::max<std::size_t>(length, 1);
  }
  kept += utterance.substr(at, end - at);
  kept.erase(kept.find_last_not_of(" ,") + 1);
  return words(kept, lang).empty() ? std::string(utterance) : kept;
}

bool Gate::begins_like_question(Said said, const std::string& lang) {
  const Language& knows = language(lang);
  return begins_and_goes_on(knows.polite, knows.question_start, said);
}

/// Where all is plain letters, a word is what stands between other signs, and only its case may differ.
bool Gate::may_join(std::string_view utterance, const std::string& lang) {
  const std::vector<std::string>& starts = language(lang).joint_starts;
  if (starts.empty()) return false;
  if (!is_ascii(utterance) || !std::all_of(starts.begin(), starts.end(), is_ascii)) return true;
  for (std::size_t begin = 0; begin < utterance.size();) {
    std::size_t end = begin;
    while (end < utterance.size() && is_of_word(utterance[end])) ++end;
    const std::string_view word = utterance.substr(begin, end - begin);
    const auto is_said = [word](const std::string& start) {
      return std::equal(word.begin(), word.end(), start.begin(), start.end(),
                        [](char said, char norm) { return lower(said) == norm; });
    };
    if (std::any_of(starts.begin(), starts.end(), is_said)) return true;
    begin = end + 1;
  }
  return false;
}

std::size_t Gate::joint_at(Said said, const std::string& lang) {
  return prefix(language(lang).joint, said);
}

}  // namespace parley::common_query
