#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::command {

/// Why a skill or stage can't be called that; nothing when it can. A name is what files, targets and classes
/// are called by: small ASCII letters, digits and single underscores.
std::optional<std::string> name_problem(std::string_view name);

/// A text of a template for one of that name: `my_skill`, `my-skill`, `my skill` and `MySkill` become the
/// name in the same form; those of `my_stage` likewise.
std::string with_name(std::string text, std::string_view name);

/// Copies a template to `folder` under that name: the texts of its files, and what files are called.
/// @param folder  missing, or empty; folders above it are made
/// @return the files, relative to `folder`, sorted
/// @throws std::runtime_error naming the file or folder; what was made is removed again
std::vector<std::filesystem::path> make_folder(const std::filesystem::path& from,
                                               const std::filesystem::path& folder, std::string_view name);

}  // namespace parley::command
