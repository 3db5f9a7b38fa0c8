#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "terminal.hpp"

namespace parley::command {

/// Rows under headings, each column as wide as it needs to be.
class Table {
 public:
  explicit Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}
  /// Missing cells at the end are empty; more than there are headings is an error of the caller.
  void add(std::vector<std::string> cells);
  bool empty() const noexcept { return rows_.empty(); }
  std::string text(const Paint& paint) const;

 private:
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;

  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

/// How many there are, as the line below a table: "1 pair", "3 pairs".
std::string counted(std::size_t count, std::string_view what);

}  // namespace parley::command
