#pragma once

#include <cstddef>
#include <parley/locale.hpp>
#include <parley/phrases.hpp>
#include <string>
#include <string_view>

namespace parley {

/// Words of a vocabulary that only link what was said to the rest of a sentence: "for", "called", "to the".
/// Immutable, so any thread may read it.
class LinkWords {
 public:
  /// Which end of a text they are taken from.
  enum class Ends { kBoth, kFront };

  /// @param vocabulary  the name of a `.voc` file of `locale`; without one in that language nothing links
  /// @param lang        BCP-47; the vocabulary is that of the closest language there is
  LinkWords(const LocaleResources& locale, std::string lang, const std::string& vocabulary);

  /// `text` without linking words, the longest phrases first; empty when it holds nothing else.
  std::string strip(std::string_view text, Ends ends = Ends::kBoth) const;

 private:
  std::string lang_;
  PhraseSet links_;
  std::size_t longest_ = 1;  ///< Words in the longest phrase.
};

}  // namespace parley
