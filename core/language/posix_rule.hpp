#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace parley {

/// The day of a year on which a clock changes.
struct ChangeDay {
  enum class Kind { kNever, kWeekday, kJulian, kZeroBased };

  Kind kind = Kind::kNever;
  unsigned month = 1;
  unsigned week = 1;  ///< 5 means the last one of the month.
  unsigned weekday = 0;
  int day = 0;                  ///< kJulian: 1–365, 29 February is not counted. kZeroBased: 0–365.
  std::chrono::seconds time{};  ///< Wall clock time of the change; may be negative or exceed a day.

  /// Wall clock moment of the change, taken as if it were UTC.
  std::chrono::sys_seconds in(std::chrono::year year) const;
};

/// A zone's rule for all the future, as the POSIX variable TZ writes it: "CET-1CEST,M3.5.0,M10.5.0/3".
struct PosixRule {
  std::chrono::seconds standard{};  ///< Ahead of UTC.
  std::chrono::seconds summer{};
  ChangeDay begin;  ///< kNever: no summer time.
  ChangeDay end;

  /// @return nothing when the text is no such rule
  static std::optional<PosixRule> parse(std::string_view text);
  std::chrono::seconds offset_at(std::chrono::sys_seconds moment) const;
};

}  // namespace parley
