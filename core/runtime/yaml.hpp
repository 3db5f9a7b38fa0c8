#pragma once

#include <filesystem>
#include <functional>

namespace parley {

/// Runs `read`.
/// @throws std::runtime_error naming `file`, and the line where there is one, for a YAML::Exception of it
void name_yaml_faults(const std::filesystem::path& file, const std::function<void()>& read);

}  // namespace parley
