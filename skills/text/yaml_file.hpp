#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <functional>

namespace parley::text {

/// Reads a file of a skill's data folder.
/// @param read  gets the whole of it; may throw YAML::Exception for what it does not like
/// @throws std::runtime_error naming the file, and the line where there is one
void read_yaml_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read);

}  // namespace parley::text
