#include "settings/text.hpp"

#include <fmt/format.h>
#include <unicode/utf8.h>

#include <cstdint>

namespace parley::config {
namespace {

constexpr UChar32 kFirstPrintable = 0x20;
constexpr UChar32 kDelete = 0x7F;

// Reads one code point and moves `at` past it; negative for a byte that is not UTF-8.
UChar32 next_code_point(std::string_view text, std::int32_t& at) {
  const auto size = static_cast<std::int32_t>(text.size());
  UChar32 point = 0;
// The macro narrows on purpose.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
  U8_NEXT(text.data(), at, size, point);  // NOLINT
#pragma GCC diagnostic pop
  return point;
}

bool is_control(UChar32 point) {
  return point < kFirstPrintable || point == kDelete;
}

}  // namespace

std::optional<BadText> find_bad_text(std::string_view text) {
  int line = 1;
  int column = 1;
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    const auto byte = static_cast<unsigned char>(text[static_cast<std::size_t>(at)]);
    const UChar32 point = next_code_point(text, at);
    if (point < 0) return BadText(line, column, fmt::format("byte 0x{:02x} is not UTF-8", byte));
    if (is_control(point) && point != '\t' && point != '\n' && point != '\r') {
      return BadText(line, column, fmt::format("control character 0x{:02x} is not allowed", byte));
    }
    line += point == '\n' ? 1 : 0;
    column = point == '\n' ? 1 : column + 1;
  }
  return std::nullopt;
}

std::string printable(std::string_view text) {
  std::string clean;
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    const auto from = static_cast<std::size_t>(at);
    const UChar32 point = next_code_point(text, at);
    if (point < 0 || is_control(point)) {
      clean += '?';
    } else {
      clean += text.substr(from, static_cast<std::size_t>(at) - from);
    }
  }
  return clean;
}

}  // namespace parley::config
