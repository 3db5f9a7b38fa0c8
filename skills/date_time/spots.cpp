#include "spots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <parley/lists.hpp>
#include <parley/text.hpp>
#include <utility>

namespace parley::date_time {

std::optional<PlaceAndDay> Spots::place_and_day(const Turn& turn, const std::string& text) {
  if (auto spot = spot_of(text, turn)) return PlaceAndDay{*std::move(spot), std::nullopt};
  const auto said = words(text, turn.lang());
  for (std::size_t at = 1; at < said.size(); ++at) {
    const std::string first = text.substr(0, said[at - 1].end);
    const std::string last = text.substr(said[at].begin);
    for (const auto& [place, day] : {std::pair(first, last), std::pair(last, first)}) {
      auto spot = spot_of(place, turn);
      auto found = spot ? find_date(turn, day, Toward::kFuture) : std::nullopt;
      if (found) return PlaceAndDay{*std::move(spot), std::move(found)};
    }
  }
  return std::nullopt;
}

std::optional<Spot> Spots::known_spot(Turn turn, const char* slot) {
  auto spot = find_spot(turn, slot);
  if (!spot) unknown(turn, "unknown_place", {{"place", *turn.slot(slot)}});
  return spot;
}

std::optional<Spot> Spots::find_spot(const Turn& turn, const char* slot) {
  const auto place = turn.slot(slot);
  return place ? spot_of(*place, turn) : Spot{zone_here(turn), std::nullopt};
}

std::vector<Spot> Spots::spots_in(const std::string& places, const Turn& turn) {
  std::vector<Spot> spots;
  for (const std::string& place : split_list(places, turn.lang())) {
    auto spot = spot_of(place, turn);
    const auto said = words(place, turn.lang());
    if (!spot && said.size() > 1) spot = spot_of(place.substr(said[1].begin), turn);
    if (!spot) return {};
    spots.push_back(std::move(*spot));
  }
  return spots;
}

std::optional<Spot> Spots::spot_of(const std::string& place, const Turn& turn) {
  const auto found = knowledge().places().find(place, turn.lang());
  if (!found) return std::nullopt;
  if (found->is_here()) return Spot{zone_here(turn), std::nullopt};
  if (const auto zone = knowledge().zone(found->zone)) return Spot{*zone, *found};
  log(LogLevel::kWarning,
      fmt::format("'{}' is in the time zone {}, which this machine does not know: install tzdata", place,
                  found->zone));
  return std::nullopt;
}

std::string Spots::where(const Spot& spot, const Answer& answer) {
  return knowledge().places().where(*spot.place, answer.lang());
}

std::optional<Place> Spots::city_of(const Zone& zone) {
  std::string name = zone.id().substr(zone.id().rfind('/') + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  auto found = knowledge().places().find(name, "en");
  if (found && found->zone != zone.id()) found.reset();
  return found;
}

std::optional<Coordinates> Spots::coordinates(const Turn& turn, const Spot& spot) {
  const auto& here = turn.session()->location;
  if (!spot.place && here && here->lat && here->lon) return Coordinates(*here->lat, *here->lon);
  if (spot.place && spot.place->at) return spot.place->at;
  if (spot.place && !spot.place->is_zone_city) return std::nullopt;
  return coordinates_of(spot.zone.id());
}

std::optional<DateInWords> Spots::find_date(const Turn& turn, const std::string& text, Toward toward) {
  return knowledge().tongue(turn.lang()).find_date(text, today_here(turn), toward);
}

std::optional<DateInWords> Spots::date_within(const Turn& turn, Toward toward) {
  return knowledge().tongue(turn.lang()).date_within(turn.text(), today_here(turn), toward);
}

HourCycle Spots::hour_cycle() const {
  const std::string& cycle = settings().text("hour_cycle");
  if (cycle == "12h") return HourCycle::k12;
  return cycle == "24h" ? HourCycle::k24 : HourCycle::kOfRegion;
}

void Spots::note_spot(const Turn& turn, const Spot& spot, bool is_time) {
  if (!spot.place) return;
  Lately known = lately(turn.session_key());
  known.spot = spot;
  known.was_time = is_time;
  known.sun.reset();
  lately_.note(turn.message(), std::move(known), clock().now());
}

void Spots::note_day(const Turn& turn, const DateInWords& day) {
  Lately known = lately(turn.session_key());
  known.day = day;
  known.was_time = false;
  known.sun.reset();
  lately_.note(turn.message(), std::move(known), clock().now());
}

void Spots::note_sun(const Turn& turn, const Spot& spot) {
  note_spot(turn, spot, false);
  Lately known = lately(turn.session_key());
  known.sun = spot;
  lately_.note(turn.message(), std::move(known), clock().now());
}

const Lately& Spots::lately(const SessionKey& session) const {
  const Lately* const known = lately_.find(session, clock().now());
  return known == nullptr ? nothing_lately_ : *known;
}

Zone Spots::zone_of(const std::string& id) {
  if (auto zone = knowledge().zone(id)) return *std::move(zone);
  log(LogLevel::kWarning,
      fmt::format("'{}' is no time zone (in the session's location.tz or in the configuration's); "
                  "expected a name such as Europe/Berlin. Answering in UTC",
                  id));
  return knowledge().zone("UTC").value();
}

void Spots::unknown(Turn turn, const std::string& dialog, const Slots& slots) {
  turn.not_understood();
  turn.speak_dialog(dialog, slots);
}

Knowledge& Spots::knowledge() {
  if (!knowledge_) knowledge_.emplace(std::filesystem::path(folder()) / "data");
  return *knowledge_;
}

}  // namespace parley::date_time
