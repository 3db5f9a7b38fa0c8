#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "follow_ups.hpp"

namespace parley::date_time {

/// Says the date and the weekday of today and of other days, and how far away a day is.
class DayAnswers : public FollowUps {
 protected:
  std::optional<Asked> asked_of(const Turn& turn);
  /// "The first of September, how many days ago is that": back.
  Toward toward(const std::string& text, const std::string& lang) const;
  std::optional<DateInWords> named_day(const Turn& turn, Toward toward);
  std::optional<DateInWords> named_day(const std::string& text, const std::string& lang,
                                       std::chrono::local_days today, Toward toward);
  /// "Three weeks after Easter" is not Easter.
  std::optional<DateInWords> counted_day(const std::string& text, const std::string& lang,
                                         std::chrono::local_days today);

  /// Of the day that is asked for, or of today at the place that is.
  void tell_said_day(Turn turn, Wanted wanted, Toward toward);
  void tell_today(const Turn& turn, Wanted wanted, const Spot& spot);
  void tell_other_day(const Turn& turn, Wanted wanted, const DateInWords& found);
  void tell_distance(Turn turn, Toward toward);
  void tell_distance_to(const Turn& turn, const DateInWords& found, Toward toward);

 private:
  /// "How long until five pm". @return false: that is no time of day
  bool tell_time_until(const Turn& turn, const std::string& text);
};

}  // namespace parley::date_time
