#include "settings/text.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "language/unicode.hpp"

namespace parley::config {
namespace {

constexpr std::int32_t kFirstPrintable = 0x20;
constexpr std::int32_t kDelete = 0x7F;

bool is_control(std::int32_t point) {
  return point < kFirstPrintable || point == kDelete;
}

}  // namespace

std::optional<BadText> find_bad_text(std::string_view text) {
  int line = 1;
  int column = 1;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto [point, next] = unicode::decode(text, at);
    at = next;
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
  for (std::size_t at = 0; at < text.size();) {
    const auto [point, next] = unicode::decode(text, at);
    if (point < 0 || is_control(point)) {
      clean += '?';
    } else {
      clean += text.substr(at, next - at);
    }
    at = next;
  }
  return clean;
}

}  // namespace parley::config
