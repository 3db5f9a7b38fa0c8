#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parley::countries {

/// What data/world.txt says of a country.
struct Facts {
  std::vector<std::string> continents;  ///< Codes of UN M49: "150" is Europe; the first has most of it.
  std::string dialing;                  ///< "49"; empty: unknown.
  std::string domain;                   ///< "de".
  bool in_union = false;                ///< A member of the European Union.
  bool landlocked = false;
  bool territory = false;  ///< No state of its own: left out where countries are compared and counted.
  bool drives_left = false;
  /// "vertical" or "horizontal" stripes, a "disc" or a "cross"; empty: it is not that plain.
  std::string flag;
  std::vector<std::string> colors;  ///< Of the stripes, from the mast or from above, or of the disc or cross
                                    ///< and of what is around it; in English.
};

/// Where countries are and what belongs to them. Immutable.
class World {
 public:
  /// @throws std::runtime_error naming file and line when something in it is wrong
  explicit World(const std::filesystem::path& file);

  /// Null when nothing is known.
  const Facts* find(std::string_view code) const;

  static constexpr std::string_view kWorld = "001";  ///< As a region.

 private:
  std::map<std::string, Facts, std::less<>> facts_;
};

}  // namespace parley::countries
