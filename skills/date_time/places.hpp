#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parley::date_time {

/// A place as an answer speaks of it.
struct Place {
  std::string zone;   ///< IANA name; empty: the user means where they are.
  std::string name;   ///< "Tokyo", "the Netherlands", "Hawaii"
  std::string where;  ///< Beginning a sentence: "In Tokyo", "In the Netherlands", "Auf Hawaii"

  bool is_here() const noexcept { return zone.empty(); }
};

/// Finds places by the names people give them, in every language of the file at once.
///
/// Knows the file's places; when those don't help, also the cities of the time zone data and the countries
/// that have one time only (read at the first such look-up). Not for several threads at once.
class Places {
 public:
  /// @param file  data/places.txt of the skill; its head explains the format
  /// @throws std::runtime_error naming file and line when it can't be read
  explicit Places(const std::filesystem::path& file);

  /// @param name  as the user said it: "tokio", "the united states", "Austin, Texas"
  /// @param language  tag the answer is spoken in, "de-DE"; languages without names get the English ones
  /// @return nothing when there is no such place, or the name alone does not settle the time there
  std::optional<Place> find(std::string_view name, std::string_view language);

 private:
  static constexpr std::size_t kLanguages = 2;  // English, German: the columns of the file
  enum class Kind : std::uint8_t { kCity, kRegion, kCountry, kHere, kPrefix };

  struct Entry {
    std::string zone;
    std::array<std::string, kLanguages> spoken;
    Kind kind = Kind::kCity;
  };

  void read_line(const std::string& line);
  void add_names(const std::vector<std::string>& names, std::size_t entry);
  void add(std::string_view name, std::size_t entry);
  void read_zone_names();
  void read_countries(const std::unordered_map<std::string, std::vector<std::string>>& zones_of);

  std::string key(std::string_view name) const;
  const Entry* look_up(const std::string& key) const;
  const Entry* look_up_spelling(const std::string& key) const;
  const Entry* look_up_with_region(const std::string& key) const;
  const Entry* look_up_everywhere(const std::string& key) const;
  Place to_place(const Entry& entry, std::string_view language) const;

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<std::string> prefixes_;  // folded, each with a space behind it, longest first
  bool zone_names_read_ = false;
};

}  // namespace parley::date_time
