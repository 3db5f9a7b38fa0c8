#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "place_names.hpp"
#include "sun.hpp"

namespace parley::date_time {

/// A place that was found.
struct Place {
  std::string zone;                    ///< IANA name; empty: the user means where they are.
  std::size_t entry;                   ///< For Places::where().
  bool is_zone_city = false;           ///< The zone is named after it.
  std::optional<Coordinates> at = {};  ///< Of a city of en.txt.

  bool is_here() const noexcept { return zone.empty(); }
};

/// Finds places by the names people give them, in every language at once.
///
/// Knows the places of the files; when those don't help, also the cities of the time zone data and the
/// countries that have one time only. Each language's file, and what ICU knows in it, is read when a look-up
/// first needs it. Not for several threads at once.
class Places {
 public:
  /// @param folder  data/places of the skill: a file for each language; the head of en.txt explains them
  /// @throws std::runtime_error naming file and line when en.txt can't be read; later calls throw the same
  ///         for the other files
  explicit Places(const std::filesystem::path& folder);

  /// @param name  as the user said it: "tokio", "the united states", "Austin, Texas"
  /// @param language  tag of what the user said; its own names for places come first, then the English ones
  /// @return nothing when there is no such place, or the name alone does not settle the time there
  std::optional<Place> find(std::string_view name, std::string_view language);

  /// The place as a sentence of that language begins with it: "In Tokyo", "Auf Hawaii", "Au Japon".
  /// A language without a file speaks English, and a place it has no name for has its English one.
  std::string where(const Place& place, std::string_view language);

 private:
  enum class Kind : std::uint8_t { kCity, kRegion, kCountry, kHere };
  struct Entry {
    std::string zone;
    std::string region;  ///< ISO 3166 code of a country of ICU's; else empty.
    Kind kind = Kind::kCity;
    bool of_icu = false;
    std::optional<Coordinates> at = {};
  };
  struct Language {
    std::string tag;
    std::filesystem::path file;
    PlaceNames names;
    bool read = false;
    bool icu_read = false;
  };
  using Search = std::vector<const PlaceNames*>;

  Language& language(std::string_view tag);
  void read(Language& language);
  void read_line(Language& language, const std::string& line);
  void read_place(Language& language, const std::vector<std::string>& fields);
  void read_icu(Language& language);
  void find_icu_entries();

  const Entry* look_up(std::string_view name, const Search& search) const;
  const Entry* look_up_with_region(const std::string& key, const Search& search, bool city_needed) const;

  std::vector<Language> languages_;  // English first
  std::vector<Entry> entries_;
  std::size_t first_icu_entry_ = 0;  // when there are any
  bool icu_entries_found_ = false;
};

}  // namespace parley::date_time
