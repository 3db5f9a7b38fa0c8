#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace parley::guide {

/// What is asked for in other ways than by words that a task has.
struct Filters {
  std::set<std::string> tags;        ///< "quick", "vegetarian": the task must have each.
  std::vector<std::string> without;  ///< Stems of what must not be among its requirements.
  std::optional<std::chrono::seconds> most_time;
  std::optional<int> serves;  ///< Asked for, but no reason to leave a task out: amounts can be changed.

  bool any() const { return !tags.empty() || !without.empty() || most_time || serves; }
};

/// What somebody looks for: stems, and filters.
struct Wanted {
  std::vector<std::string> stems;
  Filters filters;
};

/// How a language says what is looked for: its stems, the words that say nothing, synonyms and filters, from
/// `data/search/<lang>.yaml`. Any thread may use it, one at a time.
class SearchWords {
 public:
  /// @throws std::runtime_error naming the file and the line when the file is broken
  SearchWords(const std::filesystem::path& folder, std::string lang);

  Wanted read(const std::string& text) const;
  /// The stems of a text; words that say nothing are left out. Synonyms have one stem.
  std::vector<std::string> stems(const std::string& text) const;
  const std::string& lang() const noexcept { return lang_; }

 private:
  struct DeleteStemmer {
    void operator()(sb_stemmer* stemmer) const noexcept;
  };
  std::string stem(const std::string& word) const;
  /// Empty: the word says nothing about a task.
  std::string canonical(const std::string& word) const;
  void read_filters(std::string& text, Filters& filters) const;
  bool cut(std::string& text, const std::string& phrase) const;
  void cut_without(std::string& text, Filters& filters) const;
  void cut_time(std::string& text, Filters& filters) const;
  void cut_people(std::string& text, Filters& filters) const;

  std::string lang_;
  std::unique_ptr<sb_stemmer, DeleteStemmer> stemmer_;
  std::set<std::string> ignored_;                            // stems
  std::map<std::string, std::string> synonyms_;              // stem → the first one's stem
  std::map<std::string, std::vector<std::string>> tags_;     // tag → phrases, normalised, longest first
  std::vector<std::string> without_, under_, for_, people_;  // phrases, normalised
};

}  // namespace parley::guide
