#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace YAML {
class Node;
}

namespace parley {

/// A time of day in a text.
struct SpokenTime {
  std::chrono::minutes time{};  ///< Since midnight: 0 to 1439.
  bool half_known = false;      ///< Whether it can't be twelve hours later: "five pm", "17:00", "noon".
  bool marked = false;  ///< Whether words say that it is one: "at five"; else it may be a date: "5.12".
  std::string rest;     ///< The other words, as given; may be empty.
};

/// Times of day in one language: section `times` of its file, with its number words. Immutable once built.
class TimeWords {
 public:
  /// @throws std::runtime_error naming the file and the line
  TimeWords(const std::filesystem::path& file, std::string lang);

  /// The first time of day in a text: "at five", "5:30 pm", "half past eight", "halb sechs", "noon". A number
  /// alone is none. Parts of the day ("in the evening") may stand elsewhere; without a time they only are no
  /// part of the rest, and nothing is found.
  std::optional<SpokenTime> find(std::string_view text) const;
  /// The text without parts of the day: "tomorrow" of "tomorrow evening".
  std::string without_part_of_day(std::string_view text) const;

 private:
  enum class Kind {
    kOther,
    kNumber,  ///< value: the number, if whole and below 60
    kClock,   ///< value: minutes since midnight, "17:30"
    kNamed,   ///< value: minutes since midnight, "noon"
    kAt,
    kOClock,
    kShift,    ///< value: minutes from the hour that follows, "half past", "viertel vor"
    kAfter,    ///< value: minutes from the hour before it, "y media", "moins le quart"
    kMinutes,  ///< "30 minutos" behind an hour.
    kAnd,      ///< So many minutes after the hour before it, "y diez".
    kLess,     ///< So many before it, "moins dix".
    kPast,
    kTo,
    kMorning,
    kEvening,
    kNight,
  };
  struct Token {
    Kind kind = Kind::kOther;
    int value = 0;
    std::size_t begin = 0, end = 0;  ///< Bytes of the text.
  };
  using Tokens = std::vector<Token>;
  class Parser;

  void read(const YAML::Node& section);
  void add(const YAML::Node& phrases, Kind kind, int value = 0);
  Tokens tokens(std::string_view text) const;
  static std::string rest_of(std::string_view text, const Tokens& said, std::size_t from, std::size_t to);
  static bool is_part_of_day(Kind kind) noexcept;

  std::string lang_;
  std::unordered_map<std::string, Token> phrases_;  ///< By normalised words.
  std::size_t longest_ = 1;
};

}  // namespace parley
