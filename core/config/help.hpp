#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plugin/catalogue.hpp"

namespace parley::config {

/// The full path of a declared key that ends in `leaf`: for a hint when a key is in the wrong section.
std::optional<std::string> declared_elsewhere(std::string_view leaf, Catalogue& installed);

}  // namespace parley::config
