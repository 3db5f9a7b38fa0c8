#pragma once

#include <cstddef>
#include <filesystem>
#include <parley/result.hpp>
#include <string>

namespace parley {

/// Reads a file whole. Opens regular files only: a pipe or a device could keep its reader waiting for ever.
/// @param limit  in bytes; a larger file is an error
/// @return the bytes, or what is wrong: "is a pipe, not a regular file"; the caller names the file
Result<std::string> read_file(const std::filesystem::path& file, std::size_t limit);

/// Fails as read_file() does for what isn't a regular file that can be read. For files that others open.
Result<void> check_regular_file(const std::filesystem::path& file);

/// What a file of data that belongs to a program may have at most.
inline constexpr std::size_t kLargestDataFile = std::size_t{64} << 20U;

}  // namespace parley
