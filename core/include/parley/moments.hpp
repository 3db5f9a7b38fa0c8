#pragma once

#include <chrono>
#include <optional>
#include <parley/schedule.hpp>
#include <parley/task.hpp>
#include <parley/values.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace parley {

/// When something repeats: "every weekday at seven", "jeden Montag".
struct SpokenRepeat {
  explicit SpokenRepeat(ScheduleRule::Kind which, unsigned weekday = 0) : kind(which), day(weekday) {}
  bool operator==(const SpokenRepeat&) const = default;

  /// The rule; its time is `at` when no time was said. @throws std::invalid_argument as ScheduleRule
  ScheduleRule rule(std::chrono::minutes at) const;

  ScheduleRule::Kind kind;                   ///< kDaily, kWeekdays or kWeekly.
  unsigned day;                              ///< For kWeekly: 1 (Monday) to 7; else 0.
  std::optional<std::chrono::minutes> time;  ///< Since midnight, below 24 h. Nothing: only days were said.
};

/// When something should happen, as said at the ends of a text, and the other words. One of the three is set.
struct SpokenMoment {
  explicit SpokenMoment(Duration after) : span(after) {}
  explicit SpokenMoment(CalendarDate on) : date(on) {}
  explicit SpokenMoment(SpokenRepeat again) : repeat(again) {}

  std::optional<Duration> span;        ///< "In twenty minutes".
  std::optional<CalendarDate> date;    ///< "Tomorrow at noon", "at five"; the day may be past ("yesterday").
  std::optional<SpokenRepeat> repeat;  ///< "Every weekday at seven".
  std::string rest;                    ///< The other words, as given: "to check the oven". May be empty.
};

/// Finds when something should happen: at the beginning of a text, at its end, or split over both ("tomorrow
/// to call mum at five"). A number alone is no time. Of two that exclude each other, one with a time of day
/// counts, else the first. The words are those of read_value() and of the section `repeats` in the same file.
/// @param lang  BCP-47
/// @param now   what a clock on the user's wall shows
/// @return nothing without a time or words for the language. Safe on any bytes and from any thread.
/// @throws as read_value()
std::optional<SpokenMoment> find_moment(std::string_view text, std::string_view lang,
                                        std::chrono::local_seconds now);

// Moments as part of a sentence, with their preposition. The words are in the section `spoken` of the same
// files; without it: the time in digits, and ICU's date. `lang` as in <parley/speech.hpp>. Safe
// from any thread. @throws std::runtime_error when ICU can't do it

/// "at 5 PM", "um 17 Uhr", "à midi". @param time  since midnight; whole days are dropped
std::string say_at(std::chrono::minutes time, const std::string& lang);
/// "at 5 PM" (today), "tomorrow at noon", "on Friday at 7 AM" (within a week), "on December 24 at 6 PM".
/// @param when, now  on the user's wall
std::string say_when(std::chrono::local_seconds when, std::chrono::local_seconds now,
                     const std::string& lang);
/// "every weekday at 7 AM". @throws std::invalid_argument for a period, which has no time of day
std::string say_rule(const ScheduleRule& rule, const std::string& lang);

}  // namespace parley
