#pragma once

#include <cstddef>
#include <filesystem>
#include <parley/result.hpp>
#include <string>

namespace parley {

/// Reads a whole file. Opens regular files only, because reading a pipe or a device could block for ever.
/// @param limit  in bytes; a larger file is an error
/// @return the bytes, or what is wrong: "is a pipe, not a regular file"; the caller names the file
Result<std::string> read_file(const std::filesystem::path& file, std::size_t limit);

/// Fails as read_file() does unless this is a readable regular file. For files that a library will open.
Result<void> check_regular_file(const std::filesystem::path& file);

/// The largest size of a data file that belongs to the program, in bytes.
inline constexpr std::size_t kLargestDataFile = std::size_t{64} << 20U;

}  // namespace parley
