#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
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

  bool empty() const noexcept { return by_first_word_.empty(); }

  /// Whether some phrase occurs in `said`.
  bool occurs_in(std::span<const Word> said) const { return longest_in(said) != 0; }
  /// Whether the whole of `said` is one of the phrases.
  bool equals(std::span<const Word> said) const;
  /// The number of words of the longest phrase that occurs in `said`; 0 when none does.
  std::size_t longest_in(std::span<const Word> said) const;

 private:
  using Phrase = std::vector<std::string>;  ///< Normalised words.

  static bool starts_with(std::span<const Word> said, const Phrase& phrase);

  std::map<std::string, std::vector<Phrase>, std::less<>> by_first_word_;
};

}  // namespace parley
