#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "config/config.hpp"

namespace parley::testing {

/// Everything that is wrong with a file of this content, one line each.
inline std::vector<std::string> config_problems(const std::string& yaml) {
  std::vector<std::string> lines;
  for (const auto& problem : check_config_text(yaml, "parley.yaml").problems)
    lines.push_back(to_string(problem));
  return lines;
}

/// The one thing that is wrong; the test ends when there are more, or none.
inline std::string config_problem(const std::string& yaml) {
  const auto lines = config_problems(yaml);
  CAPTURE(yaml.substr(0, 200));
  REQUIRE(lines.size() == 1);
  return lines[0];
}

/// The configuration; fails the test with each problem there is.
inline Config sound_config(const std::string& yaml) {
  const auto checked = check_config_text(yaml, "parley.yaml");
  for (const auto& problem : checked.problems) FAIL_CHECK(to_string(problem));
  return checked.config;
}

}  // namespace parley::testing
