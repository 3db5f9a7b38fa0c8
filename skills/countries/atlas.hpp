#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parley::countries {

/// What data/countries.txt says of a country. Empty lists are facts, but for the capitals.
struct Country {
  std::string code;                   ///< ISO 3166-1, two letters.
  std::vector<std::string> capitals;  ///< In English; none: it has none, or it is disputed.
  double population = 0;
  double area = 0;                      ///< In square kilometres.
  std::vector<std::string> currencies;  ///< ISO 4217.
  std::vector<std::string> languages;   ///< ISO 639, the most spoken first.
  std::vector<std::string> neighbours;  ///< Codes of countries.
};

/// The countries. Immutable; they stay where they are.
class Atlas {
 public:
  /// @throws std::runtime_error naming file and line when something in it is wrong
  explicit Atlas(const std::filesystem::path& file);

  /// Null when there is none.
  const Country* find(std::string_view code) const;
  const std::map<std::string, Country, std::less<>>& all() const noexcept { return countries_; }
  /// The year the populations are of.
  int year() const noexcept { return year_; }

 private:
  std::map<std::string, Country, std::less<>> countries_;
  int year_ = 0;
};

}  // namespace parley::countries
