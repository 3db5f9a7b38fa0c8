#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace parley::testing {

/// Whether the process has a file of that name in its memory.
inline bool is_mapped(std::string_view file_name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.rfind('/');
    if (slash != std::string::npos && std::string_view(line).substr(slash + 1) == file_name) return true;
  }
  return false;
}

}  // namespace parley::testing
