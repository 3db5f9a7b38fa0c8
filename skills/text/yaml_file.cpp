#include "yaml_file.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace parley::text {

void read_yaml_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read) {
  try {
    read(YAML::LoadFile(file.string()));
  } catch (const YAML::BadFile&) {
    throw std::runtime_error(fmt::format("{}: can't be read; it belongs to the skill", file.string()));
  } catch (const YAML::Exception& problem) {
    const std::string line = problem.mark.is_null() ? "" : fmt::format(":{}", problem.mark.line + 1);
    throw std::runtime_error(fmt::format("{}{}: {}", file.string(), line, problem.msg));
  }
}

}  // namespace parley::text
