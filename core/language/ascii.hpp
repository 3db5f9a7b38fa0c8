#pragma once

namespace parley {

constexpr bool is_ascii_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

}  // namespace parley
