#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "settings/problem.hpp"

namespace parley::config {

/// Where something was written: a file with line and column, or an override (line 0).
struct Place {
  Place() = default;
  std::shared_ptr<const std::string> source;
  int line = 0;
  int column = 0;
};

Problem problem_at(const Place& place, std::string message);

struct Member;

/// A YAML value with the place it was written at. Aliases are resolved, duplicate keys are gone.
struct Node {
  enum class Kind { kNull, kScalar, kList, kMap };

  Node();
  explicit Node(Kind of);
  Node(const Node&);
  Node(Node&&) noexcept;
  Node& operator=(const Node&);
  Node& operator=(Node&&) noexcept;
  ~Node();

  Kind kind = Kind::kNull;
  bool is_quoted = false;  ///< A scalar in quotes, or tagged: text whatever it looks like.
  std::string text;        ///< Of a scalar.
  Place place;
  std::vector<Node> items;      ///< Of a list.
  std::vector<Member> members;  ///< Of a map, as written.

  bool is_map() const noexcept { return kind == Kind::kMap; }
  bool is_null() const noexcept { return kind == Kind::kNull; }
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// The value of `key`, added as null at `where` when it was not there.
  Node& at(std::string_view key, const Place& where);
};

struct Member {
  Member() = default;
  std::string key;
  Place place;  ///< Of the key.
  Node value;
};

/// A whole file is refused beyond this many nesting levels, and beyond its limits.
inline constexpr std::size_t kDeepestNesting = 64;

struct DocumentLimits {
  constexpr DocumentLimits(std::size_t most_bytes, std::size_t most_values)
      : bytes(most_bytes), values(most_values) {}
  std::size_t bytes;
  std::size_t values;  ///< After aliases.
};
inline constexpr DocumentLimits kConfiguration(std::size_t{1} << 20U, 20'000);

/// Whether problems name a line and a column.
enum class Positions { kShown, kHidden };

/// Reads one YAML document; never throws for what the text holds. What is wrong goes to `problems`, and
/// what could be read all the same is returned (a null node at worst).
Node parse_document(std::string_view text, const std::string& source, Positions positions,
                    std::vector<Problem>& problems, const DocumentLimits& limits = kConfiguration);

/// The value with its YAML type: null, true/false, numbers, text.
nlohmann::json to_json(const Node& node);

/// A map of maps, lists and scalars as a node at `place`.
Node from_json(const nlohmann::json& value, const Place& place);

}  // namespace parley::config
