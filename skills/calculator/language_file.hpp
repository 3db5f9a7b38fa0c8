#pragma once

#include <string>
#include <string_view>

#include "data_file.hpp"
#include "language.hpp"

namespace parley::calculator {

/// Reads data/<language>.yaml into a Language.
class LanguageFile {
 public:
  LanguageFile(Language& language, std::string tag, const Units& units)
      : language_(&language), tag_(std::move(tag)), units_(&units) {}
  /// @throws YAML::Exception
  void read(const YAML::Node& root);

 private:
  void read_numbers(const YAML::Node& numbers);
  void read_values(const YAML::Node& values, Kind kind);
  void read_words(const YAML::Node& words);
  void read_units(const YAML::Node& units);
  void read_region(const YAML::Node& regions);
  const Unit* unit_named(const YAML::Node& name) const;

  Language* language_;
  std::string tag_;
  const Units* units_;
};

}  // namespace parley::calculator
