#pragma once

#include <unicode/smpdtfmt.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace YAML {
class Node;
}

namespace parley {

/// How moments are said in one language: section `spoken` of its file. Immutable once built.
class MomentSpeech {
 public:
  /// @throws std::runtime_error naming the file and the line
  MomentSpeech(const std::filesystem::path& file, std::string lang);

  /// Whether the file has such a section.
  bool known() const noexcept { return !at_.empty(); }
  std::string at(std::chrono::local_seconds when) const { return say(at_, when); }
  std::string tomorrow() const { return tomorrow_; }
  std::string on_weekday(std::chrono::local_seconds when) const { return say(on_weekday_, when); }
  /// Day and month.
  std::string on_day(std::chrono::local_seconds when) const { return say(on_day_, when); }
  std::string every_day() const { return every_day_; }
  std::string every_workday() const { return every_workday_; }
  std::string every_week(std::chrono::local_seconds when) const { return say(every_week_, when); }
  std::string every_month(std::chrono::local_seconds when) const { return say(every_month_, when); }

 private:
  /// Text, or a pattern of ICU's.
  struct Piece {
    std::string text;
    std::shared_ptr<const icu::SimpleDateFormat> format;
  };
  struct Rule {
    std::vector<int> hours, minutes, weekdays;  ///< Empty: all of them. Monday is 1.
    std::vector<Piece> pieces;
    bool fits(std::chrono::local_seconds when) const;
  };
  using Rules = std::vector<Rule>;

  void read(const YAML::Node& section);
  Rules rules(const YAML::Node& list) const;
  std::vector<Piece> pieces(const std::string& text, const YAML::Node& where) const;
  static std::string say(const Rules& rules, std::chrono::local_seconds when);

  std::string lang_;
  Rules at_, on_weekday_, on_day_, every_week_, every_month_;
  std::string tomorrow_, every_day_, every_workday_;
};

}  // namespace parley
