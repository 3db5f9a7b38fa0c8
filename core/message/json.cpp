#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>

namespace parley {
namespace {

/// What a JSON text holds, without parsing it.
struct Extent {
  int nesting = 0;         ///< The deepest.
  std::size_t values = 1;  ///< At most; keys count too.
};

Extent extent_of(std::string_view text) {
  int depth = 0;
  Extent extent;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      extent.nesting = std::max(extent.nesting, ++depth);
      ++extent.values;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' || c == ':') {
      ++extent.values;
    }
  }
  return extent;
}

/// The parser's own words without "[json.exception…] " and without the text it quotes, which may be long and
/// isn't ours.
std::string reason_of(const Json::exception& error) {
  std::string_view text = error.what();
  if (const auto name = text.find("] "); name != text.npos) text.remove_prefix(name + 2);
  text = text.substr(0, text.find("; last read"));
  constexpr std::size_t kMost = 200;
  return std::string(text.substr(0, kMost));
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  const Extent extent = extent_of(text);
  if (extent.nesting > kMaxNesting) return Error(fmt::format("nested deeper than {} levels", kMaxNesting));
  if (extent.values > kMaxJsonValues) return Error(fmt::format("more than {} values", kMaxJsonValues));
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    return Error("not JSON: " + reason_of(error));
  }
}

}  // namespace parley
