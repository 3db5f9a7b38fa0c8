#include "language/value_file.hpp"

#include <parley/language.hpp>
#include <system_error>

#include "language/core_folder.hpp"

namespace parley {
namespace {

/// By language.
std::map<std::string, std::filesystem::path> value_files() {
  std::map<std::string, std::filesystem::path> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(core_folder() / "values", failure)) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() == ".yaml" && entry.is_regular_file(failure))
      files.emplace(file.stem().string(), file);
  }
  return files;
}

}  // namespace

const std::filesystem::path* value_file(std::string_view lang) {
  static const auto files = value_files();
  if (!is_language_tag(lang)) return nullptr;
  const auto file = files.find(primary_language(lang));
  return file == files.end() ? nullptr : &file->second;
}

}  // namespace parley
