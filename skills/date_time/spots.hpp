#pragma once

#include <chrono>
#include <optional>
#include <parley/session_memory.hpp>
#include <parley/skill.hpp>
#include <string>
#include <vector>

#include "answer.hpp"
#include "knowledge.hpp"
#include "sun.hpp"

namespace parley::date_time {

/// Where a question is about.
struct Spot {
  Zone zone;
  std::optional<Place> place;  ///< Nothing: where they are.
};

/// "Sunset in London tomorrow": the words behind "in" may be a place and a day.
struct PlaceAndDay {
  Spot spot;
  std::optional<DateInWords> day;
};

/// What was told last in a session: what is said next may leave it out.
struct Lately {
  std::optional<Spot> spot;  ///< Elsewhere.
  bool was_time = false;     ///< The time there was told.
  std::optional<DateInWords> day;
  std::optional<Spot> sun;  ///< Where sunrise or sunset was told, if that was told last.
};

/// Knows which place and which day a turn is about.
class Spots : public Skill {
 protected:
  std::optional<PlaceAndDay> place_and_day(const Turn& turn, const std::string& text);
  /// The place of a slot, here when it is not filled; else it says so.
  std::optional<Spot> known_spot(Turn turn, const char* slot);
  /// @return nothing when the utterance names a place that is not known
  std::optional<Spot> find_spot(const Turn& turn, const char* slot = "place");
  /// "Tokyo and in London". Empty: one of them is not known.
  std::vector<Spot> spots_in(const std::string& places, const Turn& turn);
  std::optional<Spot> spot_of(const std::string& place, const Turn& turn);
  /// A spot with a place, as the answer says it.
  std::string where(const Spot& spot, const Answer& answer);
  /// The place a zone is named after.
  std::optional<Place> city_of(const Zone& zone);
  /// Where the user is as exactly as the session says, else the city of the zone. Of another place what its
  /// file says, or where it is that city.
  static std::optional<Coordinates> coordinates(const Turn& turn, const Spot& spot);

  std::optional<DateInWords> find_date(const Turn& turn, const std::string& text, Toward toward);
  /// A day that is named anywhere in the utterance.
  std::optional<DateInWords> date_within(const Turn& turn, Toward toward);
  std::chrono::local_days today_here(const Turn& turn) { return zone_here(turn).today(clock().wall()); }
  Zone zone_here(const Turn& turn) { return zone_of(turn.time_zone()); }
  Zone zone_of(const std::string& id);

  HourCycle hour_cycle() const;

  void note_spot(const Turn& turn, const Spot& spot, bool is_time);
  void note_day(const Turn& turn, const DateInWords& day);
  void note_sun(const Turn& turn, const Spot& spot);
  const Lately& lately(const SessionKey& session) const;

  /// Names what is no date or no place: it is not what the question was about, or nothing that is known.
  static void unknown(Turn turn, const std::string& dialog, const Slots& slots);
  /// Read at the first question, so that starting takes no time.
  Knowledge& knowledge();

 private:
  static constexpr std::size_t kMostSessions = 1000;
  static constexpr std::chrono::minutes kLongestLately{10};

  std::optional<Knowledge> knowledge_;
  SessionMemory<Lately> lately_{kMostSessions, kLongestLately};
  const Lately nothing_lately_{};
};

}  // namespace parley::date_time
