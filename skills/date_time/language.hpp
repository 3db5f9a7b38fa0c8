#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "named_day.hpp"

namespace parley::date_time {

/// What a word, or several, means in a date.
enum class WordKind {
  kIgnore,
  kNumber,    ///< value: the number, cardinal or ordinal
  kMonth,     ///< value: 1–12
  kWeekday,   ///< value: 0 (Sunday) – 6
  kUnit,      ///< value: days, or months negated
  kRelative,  ///< value: days from today
  kNamed,     ///< value: index of Language::named_day
  kNext,
  kThis,
  kLast,
  kFuture,
  kPast,
};

struct Word {
  WordKind kind = WordKind::kIgnore;
  int value = 0;
};

/// Patterns (LDML) and fixed words to speak with; an empty pattern means the region's usual one.
struct SpeechPatterns {
  std::string whole_hour_12, other_12;
  std::string whole_hour_24, other_24;
  std::string noon, midnight;
  std::string full_date, date_with_year, date_this_year;
  std::string subject, until;  ///< "{0}" is the date.
};

/// What the skill knows of one language: data/<language>.yaml, with month, day and number words by ICU.
/// Immutable once built.
class Language {
 public:
  /// @param data  the folder with the language files
  /// @param tag  BCP-47; "de-AT" takes de.yaml. The region decides what the file leaves open.
  /// @throws std::runtime_error naming the file, and the line where there is one
  Language(const std::filesystem::path& data, std::string_view tag);

  /// Is there a file for that tag?
  static bool exists(const std::filesystem::path& data, std::string_view tag);

  const std::string& tag() const noexcept { return tag_; }
  const SpeechPatterns& patterns() const noexcept { return patterns_; }
  const NamedDay& named_day(int index) const { return named_days_.at(static_cast<std::size_t>(index)); }

  /// The meaning of each word, longest phrases first, without those to ignore.
  /// @return nothing when a word has no meaning in a date
  std::optional<std::vector<Word>> read(std::string_view text) const;

 private:
  friend class LanguageFile;

  std::optional<Word> word(const std::string& folded) const;
  std::optional<std::vector<Word>> read_folded(const std::string& folded) const;
  void add(std::string_view phrase, Word word);
  void add_calendar_words();
  void add_number_words();

  std::string tag_;
  SpeechPatterns patterns_;
  std::vector<NamedDay> named_days_;
  std::vector<std::string> ordinal_endings_;
  std::unordered_map<std::string, Word> words_;  // by folded phrase
};

}  // namespace parley::date_time
