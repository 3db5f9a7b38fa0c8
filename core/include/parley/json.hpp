#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <parley/result.hpp>
#include <string_view>

namespace parley {

using Json = nlohmann::json;

/// JSON nested deeper than this is refused, because copying, comparing and printing it use the stack.
inline constexpr int kMaxNesting = 200;
/// JSON with more values than this, keys included, is refused too: reading and destroying it take time in
/// proportion to their number, on whichever thread does it.
inline constexpr std::size_t kMaxJsonValues = 131'072;

/// Reads one JSON text from outside. Everything that parses JSON goes through here, so that no input exhausts
/// the stack. Time and memory grow with the text, whose size the caller bounds.
/// @return the value, or a short sentence of what is wrong, without the text
Result<Json> parse_json(std::string_view text);

}  // namespace parley
