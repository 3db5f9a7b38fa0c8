#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// A run of words, by their places: from `begin` to before `end`.
struct WordRun {
  WordRun() = default;
  WordRun(std::size_t from, std::size_t until) : begin(from), end(until) {}
  std::size_t size() const noexcept { return end - begin; }
  bool has(std::size_t at) const noexcept { return at >= begin && at < end; }
  std::size_t begin = 0, end = 0;
};

/// The words of an utterance, and where in it the phrases of vocabularies stand: for skills that read what
/// somebody wants by what it is about, wherever in the sentence that is said. Immutable, so any thread may
/// read it; the text and the vocabularies must outlive it.
class UtteranceWords {
 public:
  /// Words of the longest phrase that is looked for.
  static constexpr std::size_t kLongestPhrase = 6;

  /// @param lang  BCP-47; vocabularies are those of the closest language there is
  UtteranceWords(std::string_view text, std::string lang, const LocaleResources& vocabularies);

  bool empty() const noexcept { return words_.empty(); }
  std::size_t size() const noexcept { return words_.size(); }
  WordRun all() const noexcept { return {0, words_.size()}; }
  const Word& operator[](std::size_t at) const { return words_[at]; }
  std::span<const Word> in(WordRun run) const { return std::span(words_).subspan(run.begin, run.size()); }
  /// As it was said.
  std::string_view surface_of(WordRun run) const { return surface(text_, in(run)); }

  /// Whether a run is a phrase of the vocabulary.
  bool is(std::string_view vocabulary, WordRun run) const;
  /// The first phrase of a vocabulary within a run, as long as it can be; nothing: there is none.
  std::optional<WordRun> find(std::string_view vocabulary, WordRun within) const;
  std::optional<WordRun> find(std::string_view vocabulary) const { return find(vocabulary, all()); }
  /// The words between two stops ("," ";" ":" "." "!" "?") that a word stands among.
  WordRun clause_of(std::size_t at) const;

 private:
  bool stops_before(std::size_t at) const;

  std::string_view text_;
  std::string lang_;
  const LocaleResources& vocabularies_;
  std::vector<Word> words_;
};

/// What is spoken otherwise than it is written, in one language: "siem minutn" is "sieben minuten".
/// Immutable, so any thread may read it.
class SpokenForms {
 public:
  /// @param vocabulary  of `locale`: the last word of each phrase is how those before it are written; without
  ///                    one in that language nothing is spoken otherwise
  /// @param lang        BCP-47
  SpokenForms(const LocaleResources& locale, std::string lang, std::string_view vocabulary);

  /// The text with those words as they are written; all else stays.
  std::string as_written(std::string_view text) const;

 private:
  std::string lang_;
  std::map<std::vector<std::string>, std::string> written_;  ///< By normalised words.
  std::size_t longest_ = 0;                                  ///< Words of the longest phrase.
};

}  // namespace parley
