#include "plugin/find.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>

namespace parley {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStagePrefix = "libparley_stage_";
constexpr std::string_view kSkillPrefix = "libparley_skill_";
constexpr std::string_view kSuffix = ".so";

fs::path whole(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

/// Sorted; empty and `error` set when the folder can't be listed.
std::vector<fs::path> entries_of(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    found.push_back(at->path());
  if (error) return {};
  std::sort(found.begin(), found.end());
  return found;
}

bool is_library(const fs::path& file, std::string_view prefix) {
  std::error_code error;
  return file.extension() == kSuffix && file.filename().string().starts_with(prefix) &&
         !fs::is_directory(file, error);
}

std::string searched(const std::vector<fs::path>& folders) {
  if (folders.empty()) return "no folder at all";
  std::vector<std::string> parts;
  for (const fs::path& folder : folders) {
    std::error_code error;
    const std::string_view remark = fs::is_directory(folder, error) ? "" : " (there is no such folder)";
    parts.push_back(fmt::format("'{}'{}", whole(folder).string(), remark));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<fs::path> skills_in(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> found;
  for (const fs::path& entry : entries_of(folder, error)) {
    std::error_code ignored;
    if (!fs::is_directory(entry, ignored)) {
      if (is_library(entry, "")) found.push_back(entry);
      continue;
    }
    // A subfolder that can't be listed holds no skill of ours.
    for (const fs::path& file : entries_of(entry, ignored))
      if (is_library(file, kSkillPrefix)) found.push_back(file);
  }
  return found;
}

}  // namespace

std::set<std::string> stages_in(const std::vector<fs::path>& folders) {
  std::set<std::string> names;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const fs::path& file : entries_of(folder, error))
      if (is_library(file, kStagePrefix)) names.insert(file.stem().string().substr(kStagePrefix.size()));
  }
  return names;
}

fs::path find_stage_library(const std::string& name, const std::vector<fs::path>& folders,
                            const fs::path& base) {
  if (name.find('/') != std::string::npos) {
    fs::path file = whole(base / name);
    if (fs::exists(file)) return file;
    throw PluginError(file, fmt::format("does not exist: build the stage, or correct its path '{}'", name));
  }
  const std::string file_name = fmt::format("{}{}{}", kStagePrefix, name, kSuffix);
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (fs::exists(folder / file_name, error)) return whole(folder / file_name);
  }
  const std::set<std::string> known = stages_in(folders);
  throw PluginError(file_name,
                    fmt::format("was not found: looked in {}; stages there: {}. Build it, correct "
                                "the name '{}', or add its folder to plugins.directories",
                                searched(folders),
                                known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")), name));
}

SkillLibraries find_skill_libraries(const std::vector<fs::path>& folders) {
  SkillLibraries result;
  for (const fs::path& given : folders) {
    const fs::path folder = whole(given);
    std::error_code error;
    const std::vector<fs::path> found = skills_in(folder, error);
    result.files.insert(result.files.end(), found.begin(), found.end());
    if (error) {
      result.problems.emplace_back(
          folder, fmt::format("can't be searched for skills ({}): create it, or correct skills.directories",
                              error.message()));
    } else if (found.empty()) {
      result.problems.emplace_back(
          folder, fmt::format("holds no skill (looked for *{0} and */{1}*{0}): build the skills, or correct "
                              "skills.directories",
                              kSuffix, kSkillPrefix));
    }
  }
  return result;
}

}  // namespace parley
