#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "settings/problem.hpp"

namespace parley {

/// What was changed of skills while a server ran. It lies in a file beside the store.
struct SkillChanges {
  SkillChanges() = default;
  /// By skill and key, as a file of configuration has the values; objects, none of them empty.
  std::map<std::string, nlohmann::json, std::less<>> settings;
  /// By skill: false where it was disabled, true where it was enabled although `skills.disabled` lists it.
  std::map<std::string, bool, std::less<>> enabled;
  bool operator==(const SkillChanges&) const = default;
};

/// The file beside a store: `parley.db` has `parley.db.skills.json`.
std::filesystem::path skill_changes_file(const std::filesystem::path& store);

/// Nothing where there is no such file. What can't be read goes to `problems` and is left out.
SkillChanges read_skill_changes(const std::filesystem::path& file, std::vector<Problem>& problems);

/// What a file of them may hold at most, in bytes.
inline constexpr std::size_t kMostSkillChanges = std::size_t{1} << 20U;
/// What the file holds.
std::string text_of(const SkillChanges& changes);
/// Replaces the file in one step; its owner alone may read it. @throws std::runtime_error naming the file
void write_skill_changes(const std::filesystem::path& file, const SkillChanges& changes);

}  // namespace parley
