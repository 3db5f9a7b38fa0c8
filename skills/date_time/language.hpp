#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace YAML {
class Node;
}

namespace parley::date_time {

/// What is said at certain times of day. Texts are those of Phrase.
struct TimeRule {
  std::vector<int> hours;    ///< 0 to 23; empty: any.
  std::vector<int> minutes;  ///< 0 to 59; empty: any.
  std::string say;
};

/// How the times of one clock are said. The first rule that fits holds; the last one fits always.
struct ClockSpeech {
  std::vector<std::string> hours;  ///< What {hour} and {next} say, by the hour: 12 or 24 of them, or none.
  std::vector<TimeRule> rules;
};

/// Something with two forms: as it begins a sentence, and after "until".
struct DayNames {
  std::string subject, until;
};

/// How a language speaks; texts are those of Phrase, and an empty one means the region's usual way.
struct SpeechPatterns {
  ClockSpeech clock_12, clock_24;
  std::string usual_clock;   ///< "12h", "24h", or empty: the region's.
  std::string number_rules;  ///< ICU's rule set that spells {minute} and {left} out; empty: digits.
  bool time_begins = false;  ///< Whether a sentence of its own begins with the time: "Son las tres."
  std::string full_date, date_with_year, date_this_year;
  std::map<int, std::string> days;  ///< What {day} says, where that is not its digits: "1er".
  DayNames date, weekday;           ///< "{0}" is the date or the weekday.
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
  /// What may stand before the words of a place that is no place, but a time: "in" of "in two weeks".
  const std::vector<std::string>& before_times() const noexcept { return before_times_; }
  /// What stands before the name of a place in a sentence.
  const std::vector<std::string>& before_places() const noexcept { return before_places_; }

 private:
  void read(const YAML::Node& root);
  void read_time(const YAML::Node& time);
  void read_date(const YAML::Node& date);

  std::string tag_;
  SpeechPatterns patterns_;
  std::map<std::string, DayNames> days_;
  std::vector<std::string> before_times_, before_places_;
};

}  // namespace parley::date_time
