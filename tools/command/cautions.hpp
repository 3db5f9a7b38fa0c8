#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/config.hpp"

namespace parley::command {

/// What works and is dangerous all the same, a sentence each with the file and what to do: a certificate that
/// is not valid today, a token file that everybody can read, a plugin or its folder that others can write.
/// @param config_file  relative names start beside it
std::vector<std::string> cautions(const Config& config, const std::filesystem::path& config_file);

}  // namespace parley::command
