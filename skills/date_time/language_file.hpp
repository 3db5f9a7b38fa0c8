#pragma once

#include <filesystem>
#include <string_view>

#include "language.hpp"

namespace YAML {
class Node;
}

namespace parley::date_time {

/// Reads data/<language>.yaml into a Language.
class LanguageFile {
 public:
  LanguageFile(const std::filesystem::path& data, Language& language);
  static std::filesystem::path path(const std::filesystem::path& data, std::string_view tag);
  /// @throws std::runtime_error naming the file, and the line where there is one
  void load();

 private:
  void read(const YAML::Node& root);
  void read_patterns(const YAML::Node& root);
  void read_words(const YAML::Node& root);
  void read_units(const YAML::Node& units);
  void read_days(const YAML::Node& days);
  void add_all(const YAML::Node& phrases, WordKind kind, int value = 0);

  std::filesystem::path file_;
  Language* language_;
};

}  // namespace parley::date_time
