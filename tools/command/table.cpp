#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace parley::command {

void Table::add(std::vector<std::string> cells) {
  assert(cells.size() <= headings_.size());
  cells.resize(headings_.size());
  for (auto& cell : cells) cell = one_line(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += "  ";
    out += padded(cells[i], widths[i]);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::string Table::text(const Paint& paint) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < headings_.size(); ++column) {
    std::size_t width = display_width(headings_[column]);
    for (const auto& row : rows_) width = std::max(width, display_width(row[column]));
    widths.push_back(width);
  }
  std::string out = paint.bold(line(headings_, widths)) + "\n";
  for (const auto& row : rows_) out += line(row, widths) + "\n";
  return out;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}\n", count, what, count == 1 ? "" : "s");
}

}  // namespace parley::command
