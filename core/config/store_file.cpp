#include "config/store_file.hpp"

#include "store/open.hpp"

namespace parley {

std::filesystem::path store_file(const StoreConfig& config,
                                 const std::optional<std::filesystem::path>& config_file) {
  const std::filesystem::path path = config.path;
  if (path.empty()) return default_store_file();
  return path.is_relative() && config_file ? config_file->parent_path() / path : path;
}

}  // namespace parley
