#pragma once

#include <filesystem>

namespace parley {

/// Where the core's own resources are: `parley/core` beside libparley.so. Empty when that can't be told.
std::filesystem::path core_folder();

}  // namespace parley
