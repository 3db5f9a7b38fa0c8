#include <cstdlib>
#include <exception>
#include <parley/cache.hpp>

#include "runtime/write_file.hpp"

namespace parley {
namespace fs = std::filesystem;

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path cache = variable("XDG_CACHE_HOME");
  if (!cache.is_absolute()) cache = variable("HOME") / ".cache";
  return cache.is_absolute() ? cache / "parley" : fs::path();
}

Result<void> write_cache_file(const fs::path& file, std::string_view bytes) {
  try {
    fs::create_directories(file.parent_path());
    write_file(file, bytes);
    return {};
  } catch (const std::exception& problem) {
    return Error(problem.what());
  }
}

}  // namespace parley
