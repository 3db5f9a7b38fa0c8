#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "plugin/error.hpp"

namespace parley {

/// Makes sense of what the dynamic loader says about a file it could not load.
PluginError explain_load_error(const std::filesystem::path& file, std::string_view said);

}  // namespace parley
