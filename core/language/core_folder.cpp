#include "language/core_folder.hpp"

#include <dlfcn.h>

namespace parley {

std::filesystem::path core_folder() {
  Dl_info info{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what dladdr takes
  if (::dladdr(reinterpret_cast<const void*>(&core_folder), &info) == 0) return {};
  std::error_code failure;
  const auto library = std::filesystem::canonical(info.dli_fname, failure);
  return failure ? std::filesystem::path() : library.parent_path() / "parley" / "core";
}

}  // namespace parley
