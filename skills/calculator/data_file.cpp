#include "data_file.hpp"

#include <fmt/format.h>

#include <string>

namespace parley::calculator {

Number number_in(const YAML::Node& node) {
  const auto text = node.as<std::string>();
  if (const auto number = Number::parse(text)) return *number;
  throw YAML::Exception(node.Mark(),
                        fmt::format("'{}' is no number; expected one such as 0.3048 or 5/9", text));
}

}  // namespace parley::calculator
