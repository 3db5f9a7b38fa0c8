#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "language/joined.hpp"
#include "language/named_day.hpp"

namespace YAML {
class Node;
}

namespace parley {

/// What a word, or several, means in a date.
struct DateWord {
  enum class Kind {
    kIgnore,
    kNumber,    ///< value: the number, cardinal or ordinal
    kOne,       ///< An article: "a week", and alone no day.
    kMonth,     ///< value: 1–12
    kWeekday,   ///< value: 0 (Sunday) – 6
    kUnit,      ///< value: days, or months negated
    kRelative,  ///< value: days from today
    kNamed,     ///< value: index of DateWords::named_day
    kNext,
    kThis,
    kLast,
    kFuture,
    kPast,
  };
  Kind kind = Kind::kIgnore;
  int value = 0;
};

/// The words of dates in one language: section `dates` of its file, with month, day and number words by ICU.
/// Immutable once built.
class DateWords {
 public:
  /// @throws std::runtime_error naming the file, and the line where there is one
  DateWords(const std::filesystem::path& file, std::string lang);

  const NamedDay& named_day(int index) const { return named_days_.at(static_cast<std::size_t>(index)); }

  /// The meaning of each word, longest phrases first, without those to ignore.
  /// @return nothing when a word has no meaning in a date
  std::optional<std::vector<DateWord>> read(std::string_view text) const;

  /// What it has a meaning for, folded.
  std::vector<std::string> phrases() const { return keys_of(words_); }

 private:
  void read_file(const YAML::Node& root);
  void read_words(const YAML::Node& words);
  void read_units(const YAML::Node& units);
  void read_days(const YAML::Node& days);
  void add_all(const YAML::Node& phrases, DateWord::Kind kind, int value = 0);

  std::optional<DateWord> word(const std::string& folded) const;
  std::optional<std::vector<DateWord>> read_folded(const std::string& folded) const;
  void add_calendar_words();
  void add_number_words();

  std::string lang_;
  std::vector<NamedDay> named_days_;
  std::vector<std::string> ordinal_endings_;
  std::unordered_map<std::string, DateWord> words_;  ///< By folded phrase.
};

}  // namespace parley
