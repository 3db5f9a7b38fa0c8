#include <parley/phrases.hpp>

#include <algorithm>

namespace parley {

PhraseSet::PhraseSet(const std::vector<std::string>& phrases, std::string_view lang) {
  for (const std::string& text : phrases) {
    Phrase phrase;
    for (Word& word : words(text, lang)) phrase.push_back(std::move(word.norm));
    if (phrase.empty()) continue;
    std::vector<Phrase>& same_start = by_first_word_[phrase.front()];
    same_start.push_back(std::move(phrase));
  }
  for (auto& [first, same_start] : by_first_word_) {
    std::sort(same_start.begin(), same_start.end());
    same_start.erase(std::unique(same_start.begin(), same_start.end()), same_start.end());
  }
}

bool PhraseSet::equals(std::span<const Word> said) const {
  if (said.empty()) return false;
  const auto found = by_first_word_.find(said.front().norm);
  if (found == by_first_word_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [said](const Phrase& phrase) {
    return phrase.size() == said.size() && starts_with(said, phrase);
  });
}

std::size_t PhraseSet::longest_in(std::span<const Word> said) const {
  std::size_t longest = 0;
  for (; !said.empty(); said = said.subspan(1)) {
    const auto found = by_first_word_.find(said.front().norm);
    if (found == by_first_word_.end()) continue;
    for (const Phrase& phrase : found->second) {
      if (phrase.size() > longest && starts_with(said, phrase)) longest = phrase.size();
    }
  }
  return longest;
}

bool PhraseSet::starts_with(std::span<const Word> said, const Phrase& phrase) {
  return phrase.size() <= said.size() &&
         std::equal(phrase.begin(), phrase.end(), said.begin(),
                    [](const std::string& word, const Word& heard) { return word == heard.norm; });
}

}  // namespace parley
