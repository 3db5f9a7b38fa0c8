#pragma once

#include <filesystem>
#include <optional>
#include <parley/durations.hpp>
#include <parley/text.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace YAML {
class Node;
}

namespace parley {

/// Reads numbers with fractions, and durations, in one language: the words are the sections `numbers` and
/// `durations` of its file. Immutable once built.
class Amounts {
 public:
  /// @throws std::runtime_error naming the file and the line
  Amounts(const std::filesystem::path& file, std::string lang);

  /// See parley::find_duration().
  std::optional<SpokenDuration> find_duration(std::string_view text) const;
  /// All of a text as a duration; words around it that add nothing may stand there.
  std::optional<Duration> duration(std::string_view text) const;
  /// All of a text as a number: "two and a half", "minus five", "zweieinhalb".
  std::optional<double> number(std::string_view text) const;

  /// Whether a word is a number and what it is grown together with: "zweieinhalb", "zehnminütig".
  bool is_compound(const Word& word) const;

 private:
  enum class Kind { kOther, kNumber, kOne, kFraction, kUnit, kAnd, kOf, kMinus, kAround };
  struct Meaning {
    Kind kind = Kind::kOther;
    double value = 0;  ///< The number or fraction; seconds of a unit.
  };
  struct Token {
    Meaning meaning;
    std::size_t begin = 0, end = 0;  ///< Bytes of the text.
  };
  using Tokens = std::vector<Token>;
  struct FoundDuration {
    double seconds;
    std::size_t from, to;  ///< Tokens.
  };
  class Parser;

  void read_numbers(const YAML::Node& numbers);
  void read_units(const YAML::Node& units);
  void add(const YAML::Node& phrases, Meaning meaning);
  void note_endings();
  Tokens tokens(std::string_view text) const;
  /// What some words mean, and how many they are; at least one.
  std::pair<Meaning, std::size_t> meaning(const std::vector<Word>& said, std::size_t at) const;
  std::optional<Meaning> compound(const Word& word, std::optional<Meaning>& unit) const;
  static std::optional<FoundDuration> find(const Tokens& said);
  /// Whether the tokens [from, to) add nothing.
  static bool only_around(const Tokens& said, std::size_t from, std::size_t to);

  std::string lang_;
  std::unordered_map<std::string, Meaning> phrases_;                ///< By normalised words.
  std::size_t longest_ = 1;                                         ///< Words of the longest phrase.
  std::vector<std::pair<std::string, Meaning>> fractions_, units_;  ///< Endings of a word that is a compound.
};

}  // namespace parley
