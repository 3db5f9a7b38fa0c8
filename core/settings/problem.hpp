#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace parley {

/// One thing that is wrong with the configuration.
struct Problem {
  Problem(std::string where, int at_line, int at_column, std::string what)
      : file(std::move(where)), line(at_line), column(at_column), message(std::move(what)) {}

  std::string file;  ///< A file, or the override it came from: `--set a.b`, `PARLEY_A__B`.
  int line;          ///< From 1; 0 when there is no place to point at.
  int column;        ///< From 1, in characters; 0 when there is no place to point at.
  std::string message;

  bool operator==(const Problem&) const = default;
};

/// `parley.yaml:2:1: unknown key 'prot'; did you mean 'port'?`
std::string to_string(const Problem& problem);

/// Everything that is wrong with a configuration; `what()` has one problem per line.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace parley
