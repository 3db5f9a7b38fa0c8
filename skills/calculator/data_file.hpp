#pragma once

#include <yaml-cpp/yaml.h>

#include "number.hpp"

namespace parley::calculator {

/// @throws YAML::Exception when it is not one
Number number_in(const YAML::Node& node);

}  // namespace parley::calculator
