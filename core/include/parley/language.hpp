#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Whether two BCP-47 tags name the same language: equal but for the case of ASCII letters (L-2).
bool same_language(std::string_view a, std::string_view b) noexcept;

/// The first subtag, lower-cased: "de" for "de-AT". Empty for an empty tag.
std::string primary_language(std::string_view tag);

/// Whether `tag` has the shape of a BCP-47 tag: subtags of 1 to 8 ASCII letters or digits joined by `-`, the
/// first one letters only and at least two of them; no longer than 64 in all.
bool is_language_tag(std::string_view tag) noexcept;

/// The text if it is a language tag, else an empty string. For text from outside.
std::string tag_or_nothing(std::string_view text);

/// The file of a language in a folder with one per language: `de.yaml` for "de-AT". The tag is only compared
/// with the names of the regular files there, so it may come from outside. Nothing when no file matches.
std::optional<std::filesystem::path> language_file(const std::filesystem::path& folder, std::string_view tag,
                                                   std::string_view extension);

/// The member of `available` that serves a speaker of `wanted` best, as it is spelled there: the same tag;
/// else one with the same primary language, the one sharing most leading subtags first, then the shortest,
/// then the earliest. Nothing when no member has that primary language.
std::optional<std::string> closest_language(std::string_view wanted,
                                            const std::vector<std::string>& available);

}  // namespace parley
