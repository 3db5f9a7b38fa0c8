#pragma once

#include <filesystem>
#include <parley/locale.hpp>

namespace parley::testing {

/// The locale files in a source folder, as nobody has overridden them.
inline LocaleResources shipped_locale(const std::filesystem::path& folder) {
  LocaleFolders folders;
  folders.skill = folder;
  return LocaleResources(folders);
}

}  // namespace parley::testing
