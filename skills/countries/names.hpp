#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "atlas.hpp"
#include "records.hpp"

namespace parley::countries {

/// A country in the forms a language needs: "die Schweiz", "in der Schweiz", "der Schweiz", "die Schweiz".
struct Spoken {
  std::string subject;
  std::string in;
  std::string of;
  std::string object;
};

/// The names of countries and capitals in one language, to understand and to speak: data/names.<language>.txt
/// and ICU. Immutable; refers to the atlas.
class Names {
 public:
  /// @param tag  BCP-47
  /// @throws std::runtime_error naming file and line when something in it is wrong
  Names(const std::filesystem::path& data, const std::string& tag, const Atlas& atlas);

  /// data/names.<language>.txt, which need not exist.
  static std::filesystem::path file(const std::filesystem::path& data, std::string_view tag);

  /// The country of that name, or of which it is the genitive; null when there is none.
  const Country* country(std::string_view name) const { return find(by_name_, name); }
  /// The country that has this capital, null when there is none.
  const Country* with_capital(std::string_view city) const { return find(by_capital_, city); }

  /// The country of an adjective or of its people: "japanese", "isländischen"; null when there is none.
  const Country* of_adjective(std::string_view word) const;

  const Spoken& spoken(const Country& country) const { return spoken_.at(country.code); }
  /// The code of a part of the world of that name (UN M49); empty when there is none.
  std::string region(std::string_view name) const;
  /// @throws std::out_of_range when the language's file does not have it
  const Spoken& spoken_region(const std::string& code) const { return regions_.at(code); }
  /// A colour as it is spoken of.
  std::string color(const std::string& english) const;
  /// A capital as it is spoken of.
  std::string city(const std::string& english) const;

 private:
  using Index = std::unordered_map<std::string, const Country*>;

  void read_line(const Record& record);
  void add_country(const Country& country, const Record& record);
  void add_name(std::string_view name, const Country& country);
  void add_region(const Record& record);
  void add_capital(const Country& country);
  void add(Index& names, std::string_view name, const Country& country);
  const Country* find(const Index& names, std::string_view name) const;
  std::string key(std::string_view name) const;

  const Atlas* atlas_;
  std::string tag_;
  Spoken patterns_;  // "in {0}"
  std::vector<std::string> articles_;
  std::unordered_map<std::string, Spoken> spoken_;                    // by code
  std::unordered_map<std::string, std::vector<std::string>> cities_;  // by English name: spoken, then others
  std::unordered_map<std::string, Spoken> regions_;                   // by code
  std::unordered_map<std::string, std::string> by_region_;            // name to code
  std::unordered_map<std::string, std::string> colors_;               // by English name
  std::vector<std::pair<std::string, const Country*>> adjectives_;    // how they begin, folded
  std::vector<std::pair<std::string, std::string>> endings_;          // as said in dialect, as written
  Index by_name_;
  Index by_capital_;
};

}  // namespace parley::countries
