#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <parley/text.hpp>
#include <span>
#include <string>
#include <vector>

#include "knowledge.hpp"

namespace parley::date_time {

/// What a sentence asks, in whatever words and with whatever is told around it.
enum class Topic : std::uint8_t {
  kTime,
  kDate,
  kWeekday,
  kDifference,
  kSunrise,
  kSunset,
  kLeapYear,
  kMonthDays,
  kWeek,
  kClocks
};

struct Asked {
  Topic topic;
  std::vector<std::string> places;                 ///< As they were said; empty: here.
  std::optional<std::chrono::local_days> on = {};  ///< The day, month or year that is meant.
  std::optional<bool> forward = {};                ///< Which way clocks change; nothing: either.
};

/// Reads a sentence by what it is about, wherever its words stand: "my sister's in Tokyo, would I wake her if
/// I called, what time is it over there". What is not clear is not read.
class Topics {
 public:
  /// Whether the text has a phrase of a vocabulary.
  using Mentions = std::function<bool(const char* vocabulary)>;

  Topics(std::string text, std::string lang, Mentions mentions, Knowledge& knowledge,
         std::chrono::local_days today)
      : text_(std::move(text)),
        lang_(std::move(lang)),
        mentions_(std::move(mentions)),
        knowledge_(knowledge),
        today_(today) {}

  std::optional<Asked> asked() const;
  /// "Three weeks from this Friday".
  std::optional<std::chrono::local_days> counted_from_day() const;
  /// The places that the text names, those only behind a preposition, or all.
  std::vector<std::string> places(bool all = false) const;

 private:
  std::optional<Topic> topic() const;
  std::optional<Asked> of_day(Asked asked) const;
  std::optional<Asked> of_sun(Asked asked) const;
  std::optional<Asked> of_calendar(Asked asked) const;
  std::optional<std::chrono::local_days> year() const;
  std::optional<std::chrono::local_days> month() const;
  std::optional<std::chrono::local_days> after_span() const;
  std::optional<std::chrono::days> span_in_days(const std::string& run) const;
  bool asks_which_of_two_days() const;
  std::optional<unsigned> day_of_month(std::span<const Word> run) const;
  std::optional<std::chrono::local_days> day_in_front(std::span<const Word> said) const;
  bool is_preposition(const std::string& word) const;

  std::string text_, lang_;
  Mentions mentions_;
  Knowledge& knowledge_;
  std::chrono::local_days today_;
};

}  // namespace parley::date_time
