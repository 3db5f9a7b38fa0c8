#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "day_answers.hpp"
#include "sun.hpp"

namespace parley::date_time {

/// Says when the sun rises and sets, and asks where where nobody knows.
class SunAnswers : public DayAnswers {
 protected:
  /// @param spots  the first is meant; none: here
  Task<> sun(Turn turn, SunEvent event, const std::vector<Spot>& spots,
             std::optional<std::chrono::local_days> on);
  Task<> sun_of(Turn turn, SunEvent event, PlaceAndDay where_and_when);
  /// "And when does it rise tomorrow".
  void tell_sun_lately(const Turn& turn, SunEvent event, const Spot& spot);

 private:
  void tell_sun(Turn turn, SunEvent event, const Spot& spot, Coordinates at,
                const std::optional<DateInWords>& on);
};

}  // namespace parley::date_time
