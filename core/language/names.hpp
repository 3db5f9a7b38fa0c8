#pragma once

#include <filesystem>
#include <optional>
#include <parley/values.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace YAML {
class Node;
}

namespace parley {

/// Names as they are compared: folded, without spaces, so that "light blue" is "lightblue". A name also
/// counts with one of the language's endings: "rotes", "ins Englische".
class Names {
 public:
  /// @param section  `around`: words that may stand before or after a name; `endings`
  void read(const YAML::Node& section);
  /// The first to claim a name keeps it.
  void add(std::string_view name, std::size_t meaning);
  std::optional<std::size_t> find(std::string_view text) const;

 private:
  std::optional<std::size_t> find_folded(std::string folded) const;

  std::unordered_map<std::string, std::size_t> meanings_;
  std::vector<std::string> around_, endings_;  ///< Folded.
};

/// The colours of one language: section `colors` of its file. Immutable once built.
class ColorNames {
 public:
  /// @throws std::runtime_error naming the file and the line
  ColorNames(const std::filesystem::path& file, const std::string& lang);
  /// By name, or as "#ff8000".
  std::optional<Color> find(std::string_view text) const;

 private:
  void read(const YAML::Node& section);

  Names names_;
  std::vector<Color> colors_;
};

/// What languages are called in one language: ICU's names, and section `languages` of its file. Immutable.
class LanguageNames {
 public:
  /// @throws std::runtime_error naming the file and the line
  LanguageNames(const std::filesystem::path& file, const std::string& lang);
  /// The tag.
  std::optional<std::string> find(std::string_view text) const;

 private:
  void add(std::string_view name, std::string tag);
  void add_dialects(const std::string& lang);

  Names names_;
  std::vector<std::string> tags_;
};

}  // namespace parley
