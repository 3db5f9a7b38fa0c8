#pragma once

#include <span>
#include <string_view>

namespace parley {

/// A text file of the source tree that is part of this library: the build writes the table.
struct EmbeddedFile {
  std::string_view name;  ///< Below the top of the tree, e.g. "tools/console/app.js".
  std::string_view sum;   ///< Another one for every content.
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

}  // namespace parley
