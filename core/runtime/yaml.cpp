#include "runtime/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <parley/files.hpp>
#include <parley/yaml.hpp>
#include <stdexcept>
#include <string>

namespace parley {

void name_yaml_faults(const std::filesystem::path& file, const std::function<void()>& read) {
  try {
    read();
  } catch (const YAML::Exception& problem) {
    const std::string line = problem.mark.is_null() ? "" : fmt::format(":{}", problem.mark.line + 1);
    throw std::runtime_error(fmt::format("{}{}: {}", file.string(), line, problem.msg));
  }
}

void read_yaml_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read) {
  const auto text = read_file(file, kLargestDataFile);
  if (!text)
    throw std::runtime_error(
        fmt::format("{}: {}; it belongs to the program", file.string(), text.error().message));
  name_yaml_faults(file, [&] { read(YAML::Load(*text)); });
}

}  // namespace parley
