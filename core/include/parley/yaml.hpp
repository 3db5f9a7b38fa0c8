#pragma once

#include <filesystem>
#include <functional>

namespace YAML {
class Node;
}

namespace parley {

/// Reads a YAML file that belongs to the program: of a plugin's data folder, or of the core. Include
/// <yaml-cpp/yaml.h> and link yaml-cpp to look into the node. From any thread.
/// @param read  gets the whole document; may throw YAML::Exception for what is wrong in it
/// @throws std::runtime_error naming the file, and the line where there is one
void read_yaml_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read);

}  // namespace parley
