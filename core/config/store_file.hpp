#pragma once

#include <filesystem>
#include <optional>

#include "config/config.hpp"

namespace parley {

/// Where `store` of a configuration says that the store is; a relative path starts beside that file.
std::filesystem::path store_file(const StoreConfig& config,
                                 const std::optional<std::filesystem::path>& config_file);

}  // namespace parley
