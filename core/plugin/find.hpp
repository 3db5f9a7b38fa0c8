#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "plugin/error.hpp"

namespace parley {

/// The library of a stage: `libparley_stage_<name>.so` in the first of `folders` that has it. A name with
/// a '/' is the library's own path, relative to `base` (default: the working directory).
/// @throws PluginError that lists where it was looked for and which stages are there
std::filesystem::path find_stage_library(const std::string& name,
                                         const std::vector<std::filesystem::path>& folders,
                                         const std::filesystem::path& base = {});

/// The names of the stages that have a library in one of the folders.
std::set<std::string> stages_in(const std::vector<std::filesystem::path>& folders);

struct SkillLibraries {
  SkillLibraries() = default;
  /// Absolute, in the order of the folders, sorted within each. A skill's own folder (`locale/`, data) is
  /// the one its file is in.
  std::vector<std::filesystem::path> files;
  std::vector<PluginError> problems;  ///< Folders that are missing, unreadable or without a skill.
};

/// Every `*.so` directly in a folder and every `libparley_skill_*.so` in its subfolders.
SkillLibraries find_skill_libraries(const std::vector<std::filesystem::path>& folders);

}  // namespace parley
