#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <parley/text.hpp>

namespace parley {

/// Phrases of one language, ready to be looked for in utterances. A phrase occurs only as a contiguous run of
/// whole words (T-6): "art" is not in "start". Immutable, so any thread may read it.
class PhraseSet {
 public:
  PhraseSet() = default;
  /// Phrases that hold no word are left out; so are repetitions.
  PhraseSet(const std::vector<std::string>& phrases, std::string_view lang);

  bool empty() const noexcept { return phrases_.empty(); }

  /// Whether some phrase occurs in `said`.
  bool occurs_in(std::span<const Word> said) const { return longest_in(said) != 0; }
  /// Whether the whole of `said` is one of the phrases.
  bool equals(std::span<const Word> said) const;
  /// The number of words of the longest phrase that occurs in `said`; 0 when none does.
  std::size_t longest_in(std::span<const Word> said) const;

 private:
  using Phrase = std::vector<std::uint32_t>;  ///< The numbers of its words.

  /// One number for each word; one that no phrase has for words that no phrase has.
  Phrase numbers_of(std::span<const Word> said) const;

  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< By normalised word.
  std::vector<Phrase> phrases_;                             ///< Sorted.
};

}  // namespace parley
