#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::config {

/// Where a text stops being readable, counted from 1, and why.
struct BadText {
  BadText(int at_line, int at_column, std::string why)
      : line(at_line), column(at_column), reason(std::move(why)) {}
  int line;
  int column;
  std::string reason;
};

/// The first byte that is not part of UTF-8, or the first control character other than tab and line end.
/// Nothing when the text is sound.
std::optional<BadText> find_bad_text(std::string_view text);

/// `text` with `?` for each control character and each byte that is not part of UTF-8.
std::string printable(std::string_view text);

}  // namespace parley::config
