#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <functional>

#include "number.hpp"

namespace parley::calculator {

/// Reads a file of the skill's data folder.
/// @param read  gets the whole of it; may throw YAML::Exception for what it does not like
/// @throws std::runtime_error naming the file, and the line where there is one
void read_data_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read);

/// @throws YAML::Exception when it is not one
Number number_in(const YAML::Node& node);

}  // namespace parley::calculator
