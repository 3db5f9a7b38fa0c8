#include "values/value_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <parley/language.hpp>
#include <stdexcept>

#include "locale/core_folder.hpp"

namespace parley {

std::optional<std::filesystem::path> value_file(std::string_view lang) {
  if (!is_language_tag(lang)) return std::nullopt;  // it becomes part of a path
  static const std::filesystem::path folder = core_folder() / "values";
  std::filesystem::path file = folder / (primary_language(lang) + ".yaml");
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure)) return std::nullopt;
  return file;
}

void read_value_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read) {
  try {
    read(YAML::LoadFile(file.string()));
  } catch (const YAML::BadFile&) {
    throw std::runtime_error(fmt::format("{}: can't be read; it belongs to the core", file.string()));
  } catch (const YAML::Exception& problem) {
    const std::string line = problem.mark.is_null() ? "" : fmt::format(":{}", problem.mark.line + 1);
    throw std::runtime_error(fmt::format("{}{}: {}", file.string(), line, problem.msg));
  }
}

}  // namespace parley
