#include "language/value_file.hpp"

#include <parley/language.hpp>

#include "language/core_folder.hpp"

namespace parley {

std::optional<std::filesystem::path> value_file(std::string_view lang) {
  static const std::filesystem::path folder = core_folder() / "values";
  return language_file(folder, lang, ".yaml");
}

}  // namespace parley
