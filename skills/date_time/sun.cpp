#include "sun.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <parley/files.hpp>
#include <sstream>
#include <string>

namespace parley::date_time {
namespace {

namespace ch = std::chrono;

constexpr double kFullTurn = 360, kMinutesOfDegree = 4, kNoon = 720, kDayMinutes = 1440;
constexpr double kZenith = 90.833;  // of the upper edge at the horizon, with refraction
constexpr std::size_t kLargestTable = std::size_t{1} << 20U;

double rad(double degrees) {
  return degrees * std::numbers::pi / (kFullTurn / 2);
}
double deg(double radians) {
  return radians / rad(1);
}

/// The sun as it is seen from anywhere at one moment.
struct Sun {
  double declination;       ///< Radians.
  double equation_of_time;  ///< Minutes that a sundial is ahead.
};

/// The formulas of the Solar Calculator of the U.S. NOAA, after Meeus, "Astronomical Algorithms".
/// @param days  since noon UTC of 1 January 2000
Sun sun_at(double days) {
  const double t = days / 36525;  // centuries
  const double longitude = std::fmod(280.46646 + t * (36000.76983 + t * 0.0003032), kFullTurn);
  const double anomaly = rad(357.52911 + t * (35999.05029 - 0.0001537 * t));
  const double eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t);
  const double centre = std::sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) +
                        std::sin(2 * anomaly) * (0.019993 - 0.000101 * t) + std::sin(3 * anomaly) * 0.000289;
  const double node = rad(125.04 - 1934.136 * t);
  const double apparent = rad(longitude + centre - 0.00569 - 0.00478 * std::sin(node));
  const double tilt = rad(23.0 + (26.0 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60 +
                          0.00256 * std::cos(node));
  const double y = std::pow(std::tan(tilt / 2), 2);
  const double mean = rad(longitude);
  const double ahead = y * std::sin(2 * mean) - 2 * eccentricity * std::sin(anomaly) +
                       4 * eccentricity * y * std::sin(anomaly) * std::cos(2 * mean) -
                       y * y * std::sin(4 * mean) / 2 -
                       5 * eccentricity * eccentricity * std::sin(2 * anomaly) / 4;
  return {std::asin(std::sin(tilt) * std::sin(apparent)), kMinutesOfDegree * deg(ahead)};
}

/// "+5230" or "+523000": degrees and minutes, perhaps seconds.
std::optional<double> angle(std::string_view text, std::size_t degree_digits) {
  const auto number = [text](std::size_t from, std::size_t digits) {
    int value = 0;
    std::from_chars(text.data() + from, text.data() + from + digits, value);
    return value;
  };
  const bool has_seconds = text.size() == degree_digits + 5;
  if (text.size() != degree_digits + 3 && !has_seconds) return std::nullopt;
  if (text.find_first_not_of("0123456789", 1) != std::string_view::npos) return std::nullopt;
  const double value = number(1, degree_digits) + number(degree_digits + 1, 2) / 60.0 +
                       (has_seconds ? number(degree_digits + 3, 2) / 3600.0 : 0);
  return text.front() == '-' ? -value : value;
}

}  // namespace

std::optional<ch::sys_seconds> sun_time(SunEvent event, ch::local_days day, Coordinates at) {
  constexpr int kRounds = 3;  // the sun moves on until it sets; after these by less than a second
  const auto epoch = ch::local_days(ch::year(2000) / ch::January / 1);
  const double midnight = static_cast<double>((day - epoch).count()) - 0.5;
  double minutes = kNoon - kMinutesOfDegree * at.lon;
  for (int round = 0; round < kRounds; ++round) {
    const Sun sun = sun_at(midnight + minutes / kDayMinutes);
    const double cosine = std::cos(rad(kZenith)) / (std::cos(rad(at.lat)) * std::cos(sun.declination)) -
                          std::tan(rad(at.lat)) * std::tan(sun.declination);
    if (!(cosine >= -1 && cosine <= 1)) return std::nullopt;
    const double half_day = kMinutesOfDegree * deg(std::acos(cosine));
    minutes = kNoon - kMinutesOfDegree * at.lon - sun.equation_of_time +
              (event == SunEvent::kRise ? -half_day : half_day);
  }
  const auto start = ch::sys_days(day.time_since_epoch());
  return start + ch::seconds(std::llround(minutes * 60));
}

std::optional<Coordinates> coordinates_of(std::string_view zone, const std::filesystem::path& table) {
  const auto text = read_file(table, kLargestTable);
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string country, place, name;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    if (line.empty() || line.front() == '#' || !(fields >> country >> place >> name) || name != zone)
      continue;
    const auto second = place.find_first_of("+-", 1);
    if (second == std::string::npos) return std::nullopt;
    const auto lat = angle(std::string_view(place).substr(0, second), 2);
    const auto lon = angle(std::string_view(place).substr(second), 3);
    if (!lat || !lon) return std::nullopt;
    return Coordinates(*lat, *lon);
  }
  return std::nullopt;
}

}  // namespace parley::date_time
