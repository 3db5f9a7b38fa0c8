#include "language/value_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <parley/files.hpp>
#include <parley/language.hpp>
#include <stdexcept>

#include "language/core_folder.hpp"

namespace parley {

std::optional<std::filesystem::path> value_file(std::string_view lang) {
  static const std::filesystem::path folder = core_folder() / "values";
  return language_file(folder, lang, ".yaml");
}

void read_value_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read) {
  const auto text = read_file(file, kLargestDataFile);
  if (!text)
    throw std::runtime_error(
        fmt::format("{}: {}; it belongs to the core", file.string(), text.error().message));
  try {
    read(YAML::Load(*text));
  } catch (const YAML::Exception& problem) {
    const std::string line = problem.mark.is_null() ? "" : fmt::format(":{}", problem.mark.line + 1);
    throw std::runtime_error(fmt::format("{}{}: {}", file.string(), line, problem.msg));
  }
}

}  // namespace parley
