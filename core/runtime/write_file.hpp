#pragma once

#include <filesystem>
#include <string_view>

namespace parley {

/// Replaces a file's content at once: readers see the old or the new text, never a part. What
/// it may be read and written by stays, a new file is its owner's alone; a symbolic link stays one.
/// @throws std::runtime_error naming the file
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace parley
