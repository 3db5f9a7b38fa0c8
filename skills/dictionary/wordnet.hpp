#pragma once

#include <array>
#include <boost/interprocess/mapped_region.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::dictionary {

/// The parts of speech of WordNet; their order is that of preference.
enum class PartOfSpeech : std::uint8_t { kNoun, kVerb, kAdjective, kAdverb };
inline constexpr std::array kPartsOfSpeech{PartOfSpeech::kNoun, PartOfSpeech::kVerb, PartOfSpeech::kAdjective,
                                           PartOfSpeech::kAdverb};

/// A word in one part of speech: where its meanings are, the most common first.
struct Entry {
  std::string lemma;  ///< With spaces: "hot dog".
  PartOfSpeech part = PartOfSpeech::kNoun;
  int tagged = 0;                     ///< How many meanings were met in the texts that were counted.
  std::vector<std::uint32_t> senses;  ///< Offsets of synsets.
};

/// A relation of a synset to another of WordNet: "@" is a hypernym, "@i" what it is an instance of, "!" an
/// opposite.
struct Pointer {
  std::string symbol;
  std::uint32_t target = 0;
  char part = 'n';
};

/// A meaning, with all words that have it.
struct Synset {
  std::vector<std::string> words;
  std::vector<Pointer> pointers;
  std::string gloss;                  ///< The definition, without the examples…
  std::vector<std::string> examples;  ///< …which are phrases or sentences.
};

/// A file mapped into memory: nothing is read but the pages that are looked at, and the system may take them
/// back at any time.
class MappedFile {
 public:
  /// @throws std::runtime_error naming the file when it is not there or empty
  explicit MappedFile(const std::filesystem::path& path);
  std::string_view text() const noexcept {
    return {static_cast<const char*>(region_.get_address()), region_.get_size()};
  }
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  boost::interprocess::mapped_region region_;
};

/// Princeton's WordNet, looked up in its database files (format: the man pages wndb and morphy), which are
/// mapped and sorted, so that opening them costs nothing and a word a few pages. Keeps no global state;
/// several threads may use it at once.
class WordNet {
 public:
  /// Whether all files are there.
  static bool is_installed(const std::filesystem::path& folder);
  /// @throws std::runtime_error naming the file that can't be read
  explicit WordNet(const std::filesystem::path& folder);

  /// A word in its base form.
  std::optional<Entry> find(std::string_view word, PartOfSpeech part) const;
  /// A word as it was said, in every part of speech: "mice" finds "mouse".
  std::vector<Entry> look_up(std::string_view word) const;
  /// The same for one part of speech: the word itself, else its base form.
  std::optional<Entry> look_up(std::string_view word, PartOfSpeech part) const;

  /// @throws std::runtime_error naming the file when there is no such meaning in it
  Synset synset(std::uint32_t offset, PartOfSpeech part) const;

  /// The words of the noun whose definition has all of these words in it and is the shortest such; none:
  /// there is none. Reads all definitions: some milliseconds.
  std::vector<std::string> noun_defined_by(const std::vector<std::string>& words) const;

  /// Whether a meaning of `what`, among its most common ones, is a kind or an instance of one of `kind`; both
  /// nouns.
  bool is_kind_of(const Entry& what, const Entry& kind) const;

 private:
  struct Files {
    MappedFile index, exceptions, data;
  };
  const Files& files(PartOfSpeech part) const { return files_.at(static_cast<std::size_t>(part)); }
  std::optional<Entry> base_form(const std::string& key, PartOfSpeech part) const;

  std::vector<Files> files_;  // by PartOfSpeech
};

}  // namespace parley::dictionary
