#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace parley::intent {

/// Numbers, and lists of them, as bytes for the machine that wrote them.
class Packer {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(Number value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(const std::vector<Number>& values) {
    add(std::uint64_t{values.size()});
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
  }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
  }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads them again, in the same order. Once something is missing all that follows is empty.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : left_(bytes) {}

  template <class Number>
  requires std::is_arithmetic_v<Number> Number number() {
    Number value{};
    const std::string_view bytes = taken(1, sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  template <class Number>
  std::vector<Number> numbers() {
    const auto count = number<std::uint64_t>();
    const std::string_view bytes = taken(count, sizeof(Number));
    std::vector<Number> values(bytes.size() / sizeof(Number));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    return std::string(taken(size, 1));
  }

  /// Nothing was missing.
  bool is_good() const noexcept { return good_; }
  /// And nothing is left.
  bool is_done() const noexcept { return good_ && left_.empty(); }

 private:
  std::string_view taken(std::uint64_t count, std::size_t size) {
    good_ = good_ && count <= left_.size() / size;
    if (!good_) return {};
    const std::string_view bytes = left_.substr(0, static_cast<std::size_t>(count) * size);
    left_.remove_prefix(bytes.size());
    return bytes;
  }

  std::string_view left_;
  bool good_ = true;
};

}  // namespace parley::intent
