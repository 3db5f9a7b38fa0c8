#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "spots.hpp"
#include "topics.hpp"

namespace parley::date_time {

/// What a question about a day wants: its date, its weekday, or how far away it is.
enum class Wanted : std::uint8_t { kDate, kWeekday, kDistance };

/// Understands what leaves out a place or a day that was told before.
class FollowUps : public Spots {
 protected:
  /// What follows what was told before: "and Tehran", "so how many hours is that ahead of New York", "and how
  /// many days till then".
  struct Follows {
    Topic topic;
    std::string place = {};             ///< Empty: the one that was told, or of a difference here.
    std::optional<Wanted> wanted = {};  ///< Of the day that was told.
  };

  std::optional<Follows> asked_lately(const std::string& text, const std::string& lang, const Lately& known);
  /// The day that was told before, where the words for one only stand for it.
  std::optional<DateInWords> day_lately(const Turn& turn, const std::string& date) const;

  /// What is asked of a day that is named, in any words: "Easter next year, which weekday would that be".
  std::optional<Wanted> asked_of_day(const std::string& text, const std::string& lang) const;
  Topics topics_of(const std::string& text, const std::string& lang, std::chrono::local_days today);

 private:
  std::optional<Follows> asked_of_spot(const std::string& text, const std::string& lang, const Lately& known);
  bool knows_day(const std::string& text, const std::string& lang, Wanted wanted);
  std::optional<std::string> place_alone(const std::string& text, const std::string& lang);
};

}  // namespace parley::date_time
