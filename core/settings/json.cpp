#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "settings/document.hpp"

namespace parley::config {
namespace {

template <class Number, class... Options>
std::optional<Number> whole(std::string_view text, Options... options) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, options...);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return number;
}

std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

// Only what starts like a number is one: `inf`, `nan` and `1e999` stay text, as JSON has none of them.
std::optional<double> real(std::string_view text) {
  const std::size_t first = !text.empty() && text[0] == '-' ? 1 : 0;
  if (first >= text.size() || (text[first] != '.' && (text[first] < '0' || text[first] > '9'))) {
    return std::nullopt;
  }
  return whole<double>(text);
}

// The core schema of YAML 1.2: `yes`, `on` and the like are text.
nlohmann::json plain_scalar(const std::string& written) {
  if (written == "true" || written == "True" || written == "TRUE") return true;
  if (written == "false" || written == "False" || written == "FALSE") return false;
  const std::string_view text = without_plus(written);
  if (const auto number = whole<std::int64_t>(text)) return *number;
  if (text.starts_with("0x")) {
    if (const auto number = whole<std::uint64_t>(text.substr(2), 16)) return *number;
  }
  if (text.starts_with("0o")) {
    if (const auto number = whole<std::uint64_t>(text.substr(2), 8)) return *number;
  }
  if (const auto number = real(text)) return *number;
  return written;
}

}  // namespace

nlohmann::json to_json(const Node& node) {
  nlohmann::json value;
  switch (node.kind) {
    case Node::Kind::kNull:
      break;
    case Node::Kind::kScalar:
      return node.is_quoted ? nlohmann::json(node.text) : plain_scalar(node.text);
    case Node::Kind::kList:
      value = nlohmann::json::array();
      for (const Node& item : node.items) value.push_back(to_json(item));
      break;
    case Node::Kind::kMap:
      value = nlohmann::json::object();
      for (const Member& member : node.members) value[member.key] = to_json(member.value);
      break;
  }
  return value;
}

Node from_json(const nlohmann::json& value, const Place& place) {
  Node node(Node::Kind::kScalar);
  node.place = place;
  if (value.is_null()) {
    node.kind = Node::Kind::kNull;
  } else if (value.is_array()) {
    node.kind = Node::Kind::kList;
    for (const nlohmann::json& item : value) node.items.push_back(from_json(item, place));
  } else if (value.is_object()) {
    node.kind = Node::Kind::kMap;
    for (const auto& [key, inner] : value.items()) node.at(key, place) = from_json(inner, place);
  } else {
    node.is_quoted = value.is_string();
    node.text = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return node;
}

}  // namespace parley::config
