#pragma once

#include <string_view>

namespace parley::testing {

/// The parts of an input, taken one after the other.
class FuzzInput {
 public:
  explicit FuzzInput(std::string_view input) noexcept : rest_(input) {}

  bool empty() const noexcept { return rest_.empty(); }
  std::string_view rest() const noexcept { return rest_; }
  /// Up to the next line feed, or all; empty when there is no more.
  std::string_view line() noexcept {
    const auto end = rest_.find('\n');
    const auto line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    return line;
  }
  /// Below `count`: by the next byte; 0 when there is no more.
  std::size_t choice(std::size_t count) noexcept {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte % count;
  }

 private:
  std::string_view rest_;
};

}  // namespace parley::testing
