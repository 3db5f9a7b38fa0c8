#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace parley::faq {

/// A question in several phrasings, and its answer.
struct Entry {
  Entry() = default;
  std::vector<std::string> phrasings;
  std::string answer;
};

/// The questions of one language, found by their words: an utterance is compared with every phrasing by BM25
/// over word stems, so that rare words count for more than common ones and inflection for nothing. Immutable
/// but for the stemmer, so one thread at a time may use it.
class QuestionIndex {
 public:
  /// @param ignored  words that say nothing, such as "please", in any form
  /// @param lang     BCP-47; decides how words are split and stemmed. Without a stemmer for it (there is one
  ///                 for most European languages) words are compared as they are.
  QuestionIndex(std::vector<Entry> entries, const std::vector<std::string>& ignored, std::string lang);

  struct Hit {
    Hit(const Entry& found, double how_well) : entry(&found), score(how_well) {}
    const Entry* entry;  ///< Valid as long as the index.
    double score;        ///< 0 to 1; 1: the very words of a phrasing.
  };
  /// The best entry; a score of 0 when no word is known. Of equally good ones the earlier.
  /// @throws std::logic_error when there are no entries
  Hit best(std::string_view utterance) const;

  std::size_t size() const noexcept { return entries_.size(); }

 private:
  using Terms = std::map<std::string, int, std::less<>>;  ///< Stem → how often.
  struct Phrasing {
    Phrasing(std::size_t of, Terms words);
    std::size_t entry;
    Terms terms;
    double length = 0;  ///< In words.
    double full = 0;    ///< The score of its own words.
  };
  struct DeleteStemmer {
    void operator()(sb_stemmer* stemmer) const noexcept;
  };

  Terms terms_of(std::string_view text) const;
  double rarity(std::string_view stem) const;
  double weight(const Phrasing& phrasing, std::string_view stem, int count) const;
  double similarity(const Terms& said, double said_rarity, const Phrasing& phrasing) const;

  std::string lang_;
  std::unique_ptr<sb_stemmer, DeleteStemmer> stemmer_;
  Terms ignored_;
  std::vector<Entry> entries_;
  std::vector<Phrasing> phrasings_;
  Terms found_in_;  ///< Stem → in how many phrasings.
  double mean_length_ = 1;
};

}  // namespace parley::faq
