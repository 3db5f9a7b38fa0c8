#pragma once

#include <filesystem>
#include <optional>
#include <parley/moments.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

namespace YAML {
class Node;
}

namespace parley {

/// What comes round again, in one language: section `repeats` of its file. Immutable once built.
class RepeatWords {
 public:
  /// @throws std::runtime_error naming the file and the line
  RepeatWords(const std::filesystem::path& file, std::string lang);

  /// All of a text, apart from its time of day and parts of the day.
  std::optional<SpokenRepeat> read(std::string_view text) const;

 private:
  struct Meaning {
    SpokenRepeat repeat;
    bool needs_part_of_day;  ///< "Every" of "every evening at eight".
  };
  void add(const YAML::Node& phrases, const Meaning& meaning);

  std::string lang_;
  std::unordered_map<std::string, Meaning> phrases_;  ///< By normalised words.
  std::size_t longest_ = 1;
};

}  // namespace parley
