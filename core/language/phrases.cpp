#include <parley/phrases.hpp>

#include <algorithm>

namespace parley {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// Phrases repeat few words thousands of times: each is split and folded once. Spaces end words in every
/// language, so what stands between them can be read alone.
class Numbering {
 public:
  Numbering(std::unordered_map<std::string, std::uint32_t>& numbers, std::string_view lang)
      : numbers_(numbers), lang_(lang) {}

  Numbers read(std::string_view text) {
    Numbers phrase;
    while (!text.empty()) {
      const std::string_view part = text.substr(0, text.find(' '));
      const Numbers& known = read_part(part);
      phrase.insert(phrase.end(), known.begin(), known.end());
      text.remove_prefix(std::min(part.size() + 1, text.size()));
    }
    return phrase;
  }

 private:
  const Numbers& read_part(std::string_view part) {
    const auto [known, is_new] = parts_.try_emplace(part);
    if (is_new) {
      for (Word& word : words(part, lang_)) {
        const auto next = static_cast<std::uint32_t>(numbers_.size());
        known->second.push_back(numbers_.try_emplace(std::move(word.norm), next).first->second);
      }
    }
    return known->second;
  }

  std::unordered_map<std::string, std::uint32_t>& numbers_;
  std::string_view lang_;
  std::unordered_map<std::string_view, Numbers> parts_;
};

}  // namespace

PhraseSet::PhraseSet(const std::vector<std::string>& phrases, std::string_view lang) {
  Numbering numbering(numbers_, lang);
  for (const std::string& text : phrases) {
    Phrase phrase = numbering.read(text);
    if (!phrase.empty()) phrases_.push_back(std::move(phrase));
  }
  std::sort(phrases_.begin(), phrases_.end());
  phrases_.erase(std::unique(phrases_.begin(), phrases_.end()), phrases_.end());
}

PhraseSet::Phrase PhraseSet::numbers_of(std::span<const Word> said) const {
  Phrase numbers;
  numbers.reserve(said.size());
  for (const Word& word : said) {
    const auto known = numbers_.find(word.norm);
    numbers.push_back(known == numbers_.end() ? static_cast<std::uint32_t>(numbers_.size()) : known->second);
  }
  return numbers;
}

bool PhraseSet::equals(std::span<const Word> said) const {
  return !said.empty() && std::binary_search(phrases_.begin(), phrases_.end(), numbers_of(said));
}

std::size_t PhraseSet::longest_in(std::span<const Word> said) const {
  std::size_t longest = 0;
  const Phrase numbers = numbers_of(said);
  const std::span<const std::uint32_t> all = numbers;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const auto rest = all.subspan(at);
    auto phrase =
        std::lower_bound(phrases_.begin(), phrases_.end(), rest.front(),
                         [](const Phrase& one, std::uint32_t first) { return one.front() < first; });
    for (; phrase != phrases_.end() && phrase->front() == rest.front(); ++phrase) {
      if (phrase->size() > longest && phrase->size() <= rest.size() &&
          std::equal(phrase->begin(), phrase->end(), rest.begin()))
        longest = phrase->size();
    }
  }
  return longest;
}

}  // namespace parley
