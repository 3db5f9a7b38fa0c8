#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace YAML {
class Node;
}

namespace parley::date_time {

/// Patterns (LDML) and fixed words to speak with; an empty pattern means the region's usual one.
struct SpeechPatterns {
  std::string whole_hour_12, other_12;
  std::string whole_hour_24, other_24;
  std::string noon, midnight;
  std::string full_date, date_with_year, date_this_year;
  std::string subject, until;  ///< "{0}" is the date.
};

/// How a day with a name of its own is spoken of.
struct DayNames {
  std::string subject;  ///< As it begins a sentence.
  std::string until;    ///< As it follows "until".
};

/// How the skill speaks one language: data/<language>.yaml. Immutable once built.
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
  /// The words for a holiday, its own name where the file has no others.
  DayNames day_names(const std::string& holiday) const;

 private:
  void read(const YAML::Node& root);
  void read_patterns(const YAML::Node& root);

  std::string tag_;
  SpeechPatterns patterns_;
  std::map<std::string, DayNames> days_;
};

}  // namespace parley::date_time
