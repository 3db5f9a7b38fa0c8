#include "config/overrides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "settings/text.hpp"
#include "settings/values.hpp"

namespace parley::config {
namespace {

constexpr std::string_view kPrefix = "PARLEY_";
constexpr std::string_view kSeparator = "__";

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string as_variable(std::string_view key) {
  std::string name(key);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c == '.' || c == '-' ? '_' : upper(c); });
  return name;
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.emplace_back(text);
  return parts;
}

/// Splits `a."b.c".d` at the dots outside of quotes. Nothing when a part is empty or a quote is open.
std::optional<std::vector<Segment>> parse_path(std::string_view text) {
  std::vector<Segment> path;
  while (true) {
    const bool is_quoted = text.starts_with('"');
    if (is_quoted) text.remove_prefix(1);
    const std::size_t found = text.find(is_quoted ? '"' : '.');
    if (is_quoted && found == std::string_view::npos) return std::nullopt;
    const std::size_t end = std::min(found, text.size());
    if (end == 0) return std::nullopt;
    path.emplace_back(std::string(text.substr(0, end)), is_quoted);
    text.remove_prefix(is_quoted ? end + 1 : end);
    if (text.empty()) return path;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
}

bool is_override(std::string_view name, const std::vector<std::string>& top) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  if (name.find(kSeparator) != std::string_view::npos) return true;
  // Others may use the prefix too: orchestrators of containers set PARLEY_PORT for a service `parley`.
  return std::any_of(top.begin(), top.end(),
                     [&](const std::string& key) { return as_variable(key) == name; });
}

/// The levels of the document a path has come through; knows where names are free.
class Levels {
 public:
  explicit Levels(const HasNames& has_names) : has_names_(has_names) {}
  void enter(const std::string& key) { keys_.push_back(key); }

  /// How many of `parts` a name takes that the document does not have.
  /// @param is_all  no parts follow these
  std::size_t length_of_new_name(std::size_t parts, bool is_all, bool is_map) const {
    const bool is_skill = is("skills", "settings") || is("skills", "options");
    if (is_skill && is_all && !is_map) return std::max<std::size_t>(parts - 1, 1);
    return is_skill || has_names_(keys_) ? parts : 1;
  }

  std::string path() const { return fmt::format("{}", fmt::join(keys_, ".")); }

 private:
  bool is(std::string_view first, std::string_view second) const {
    return keys_.size() == 2 && keys_[0] == first && keys_[1] == second;
  }

  const HasNames& has_names_;
  std::vector<std::string> keys_;
};

std::string joined(const std::vector<Segment>& path, std::size_t from, std::size_t count) {
  std::string name = path[from].text;
  for (std::size_t i = from + 1; i < from + count; ++i) name += "." + path[i].text;
  return name;
}

/// How many parts from `from` on may make up one name.
std::size_t joinable(const std::vector<Segment>& path, std::size_t from) {
  std::size_t count = 1;
  if (path[from].is_whole) return count;
  while (from + count < path.size() && !path[from + count].is_whole) ++count;
  return count;
}

struct Name {
  Name(std::string text, std::size_t parts) : key(std::move(text)), length(parts) {}
  std::string key;
  std::size_t length;
};

Name variable_name(const Node& map, const std::string& part) {
  for (const Member& member : map.members) {
    if (as_variable(member.key) == as_variable(part)) return {member.key, 1};
  }
  std::string key = part;
  std::transform(key.begin(), key.end(), key.begin(), lower);
  return {key, 1};
}

Name next_name(const Override& change, std::size_t from, const Node& map, const Levels& levels) {
  if (change.is_variable) return variable_name(map, change.path[from].text);
  const std::size_t most = joinable(change.path, from);
  for (std::size_t length = most; length > 0; --length) {
    std::string key = joined(change.path, from, length);
    if (map.find(key) != nullptr) return {std::move(key), length};
  }
  const bool is_all = from + most == change.path.size();
  const std::size_t length = levels.length_of_new_name(most, is_all, change.value.is_map());
  return {joined(change.path, from, length), length};
}

Problem without_place(const std::string& origin, std::string message) {
  return {printable(origin), 0, 0, std::move(message)};
}

std::optional<Node> parse_value(const std::string& value, const std::string& origin,
                                std::vector<Problem>& problems) {
  const std::size_t before = problems.size();
  Node node = parse_document(value, origin, Positions::kHidden, problems);
  if (problems.size() != before) return std::nullopt;
  return node;
}

}  // namespace

std::vector<Override> from_environment(const std::map<std::string, std::string>& variables,
                                       const std::vector<std::string>& top, std::vector<Problem>& problems) {
  std::vector<Override> changes;
  for (const auto& [name, value] : variables) {
    if (!is_override(name, top)) continue;
    Override change;
    change.origin = printable(name);
    change.is_variable = true;
    bool is_whole = true;
    for (std::string& part : split(std::string_view(name).substr(kPrefix.size()), kSeparator)) {
      is_whole = is_whole && !part.empty();
      change.path.emplace_back(std::move(part), true);
    }
    if (!is_whole || find_bad_text(name)) {
      problems.push_back(without_place(name, "a level is missing; write PARLEY_SECTION__KEY=value"));
      continue;
    }
    auto node = parse_value(value, change.origin, problems);
    if (!node) continue;
    change.value = std::move(*node);
    changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Override> from_settings(const std::vector<std::string>& settings,
                                    std::vector<Problem>& problems) {
  std::vector<Override> changes;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const std::string_view key = std::string_view(setting).substr(0, equals);
    Override change;
    change.origin = fmt::format("--set {}", printable(key));
    auto path = parse_path(key);
    if (equals == std::string::npos || !path || find_bad_text(key)) {
      problems.push_back(
          without_place(change.origin, "must be key=value, such as orchestrator.match_timeout=5s"));
      continue;
    }
    auto node = parse_value(setting.substr(equals + 1), change.origin, problems);
    if (!node) continue;
    change.path = std::move(*path);
    change.value = std::move(*node);
    changes.push_back(std::move(change));
  }
  return changes;
}

void apply(Override change, Node& root, const HasNames& has_names, std::vector<Problem>& problems) {
  Node* node = &root;
  Levels levels(has_names);
  for (std::size_t at = 0; at < change.path.size();) {
    if (node->is_null()) node->kind = Node::Kind::kMap;
    if (!node->is_map()) {
      problems.push_back(without_place(
          change.origin, fmt::format("can't be set, as '{}' is not a map", shorten(levels.path()))));
      return;
    }
    const Name name = next_name(change, at, *node, levels);
    node = &node->at(name.key, change.value.place);
    levels.enter(name.key);
    at += name.length;
  }
  *node = std::move(change.value);
}

}  // namespace parley::config
