#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::config {

/// A key as a path has it: in double quotes when it holds a dot.
std::string printable_key(std::string_view key);

/// The full path of a declared key that ends in `leaf`, for those who put it into the wrong section.
std::optional<std::string> declared_elsewhere(std::string_view leaf);

}  // namespace parley::config
