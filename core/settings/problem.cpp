#include "settings/problem.hpp"

#include <fmt/format.h>

namespace parley {
namespace {

std::string all_lines(const std::vector<Problem>& problems) {
  std::string lines;
  for (const Problem& problem : problems) {
    if (!lines.empty()) lines += '\n';
    lines += to_string(problem);
  }
  return lines;
}

}  // namespace

std::string to_string(const Problem& problem) {
  if (problem.line == 0) return fmt::format("{}: {}", problem.file, problem.message);
  return fmt::format("{}:{}:{}: {}", problem.file, problem.line, problem.column, problem.message);
}

ConfigError::ConfigError(std::vector<Problem> problems)
    : std::runtime_error(all_lines(problems)), problems_(std::move(problems)) {}

}  // namespace parley
