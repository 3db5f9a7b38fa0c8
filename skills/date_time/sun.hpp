#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

namespace parley::date_time {

/// A place on the globe, in degrees.
struct Coordinates {
  Coordinates(double north, double east) : lat(north), lon(east) {}
  double lat;  ///< −90 to 90, north positive.
  double lon;  ///< −180 to 180, east positive.
};

enum class SunEvent { kRise, kSet };

/// When the upper edge of the sun rises or sets that day, to a minute or two where the horizon is flat.
/// @param day  of the calendar at the place
/// @return nothing when it does not, that day (polar day or night)
std::optional<std::chrono::sys_seconds> sun_time(SunEvent event, std::chrono::local_days day, Coordinates at);

/// Where the city is that a time zone is named after.
/// @param zone  an IANA name
/// @param table  zone.tab of the time zone data
/// @return nothing when the table is missing or does not have it
std::optional<Coordinates> coordinates_of(
    std::string_view zone, const std::filesystem::path& table = "/usr/share/zoneinfo/zone.tab");

}  // namespace parley::date_time
