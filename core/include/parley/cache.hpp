#pragma once

#include <filesystem>
#include <parley/result.hpp>
#include <string_view>

namespace parley {

/// Where files may be that can be made again, and may be deleted at any time: `$XDG_CACHE_HOME/parley`, else
/// `~/.cache/parley`. Empty where neither is an absolute path. From any thread.
std::filesystem::path cache_folder();

/// Replaces such a file at once, its folders made where they are missing: who reads it meanwhile, another
/// process too, has the whole of the old one or of the new one. From any thread; blocks.
/// @return why it can't be written
Result<void> write_cache_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace parley
