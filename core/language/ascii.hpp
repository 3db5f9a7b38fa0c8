#pragma once

namespace parley {

constexpr bool is_ascii_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
constexpr bool is_ascii_alphanumeric(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_ascii_digit(c);
}

}  // namespace parley
