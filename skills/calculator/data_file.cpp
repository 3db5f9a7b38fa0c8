#include "data_file.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace parley::calculator {

void read_data_file(const std::filesystem::path& file, const std::function<void(const YAML::Node&)>& read) {
  try {
    read(YAML::LoadFile(file.string()));
  } catch (const YAML::BadFile&) {
    throw std::runtime_error(fmt::format("{}: can't be read; it belongs to the skill", file.string()));
  } catch (const YAML::Exception& problem) {
    const std::string line = problem.mark.is_null() ? "" : fmt::format(":{}", problem.mark.line + 1);
    throw std::runtime_error(fmt::format("{}{}: {}", file.string(), line, problem.msg));
  }
}

Number number_in(const YAML::Node& node) {
  const auto text = node.as<std::string>();
  if (const auto number = Number::parse(text)) return *number;
  throw YAML::Exception(node.Mark(),
                        fmt::format("'{}' is no number; expected one such as 0.3048 or 5/9", text));
}

}  // namespace parley::calculator
