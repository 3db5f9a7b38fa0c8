#pragma once

#include <filesystem>
#include <parley/text.hpp>
#include <string>
#include <string_view>
#include <unordered_set>

namespace YAML {
class Node;
}

namespace parley {

class Amounts;

/// The words that times, dates, durations and what comes round again are made of, in one language. Nothing of
/// these holds any other word, so where one stands it need not be read. Immutable once built.
class MomentWords {
 public:
  /// @throws std::runtime_error naming the file and the line
  MomentWords(const std::filesystem::path& file, std::string lang);

  bool contains(const Word& word) const;

 private:
  void add_all(const YAML::Node& node);
  void add(const std::string& phrase);
  bool has_part(std::string_view folded) const;

  std::string lang_;
  const Amounts& amounts_;
  std::unordered_set<std::string> words_;  ///< As they are said, and folded.
};

}  // namespace parley
