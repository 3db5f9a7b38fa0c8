#pragma once

#include <cstddef>
#include <parley/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parley::guide {

/// Where something stands in a text, from 0. Negative: nowhere in particular.
struct YamlPlace {
  YamlPlace() = default;
  YamlPlace(int in_line, int at_column) : line(in_line), column(at_column) {}
  bool is_known() const noexcept { return line >= 0; }
  int line = -1, column = -1;
};

/// A value of a YAML text, with where it stands.
struct YamlNode {
  enum class Kind { kMissing, kNull, kText, kList, kMap };

  bool is_there() const noexcept { return kind != Kind::kMissing; }
  /// Not there, or nothing.
  bool is_empty() const noexcept { return kind == Kind::kMissing || kind == Kind::kNull; }
  bool is_text() const noexcept { return kind == Kind::kText; }
  bool is_list() const noexcept { return kind == Kind::kList; }
  bool is_map() const noexcept { return kind == Kind::kMap; }
  /// The first value of that key; one that is missing where there is none, or this is no map.
  const YamlNode& operator[](std::string_view key) const;
  /// The value at a place of a list or map; one that is missing behind the last.
  const YamlNode& at(std::size_t index) const;

  Kind kind = Kind::kMissing;
  YamlPlace place;
  std::string text;             ///< Of a text.
  std::vector<YamlNode> keys;   ///< Of a map.
  std::vector<YamlNode> items;  ///< Of a list, or for each key of a map.
};

/// Why a text is no YAML.
struct YamlFault {
  YamlFault(YamlPlace where, std::string why) : place(where), message(std::move(why)) {}
  YamlPlace place;
  std::string message;
};

/// The first document of a text; one that is missing when the text has none. What is anchored is copied to
/// where it is named. Values in a task are shallow and few: what is deeper or more than any task needs is a
/// fault. Ten times as fast as yaml-cpp, of which a folder of 10,000 tasks notices.
Result<YamlNode, YamlFault> read_yaml(std::string_view text);

}  // namespace parley::guide
