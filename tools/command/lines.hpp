#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::command {

/// Longer utterances are refused: nobody says them, and every stage would have to read them.
inline constexpr std::size_t kMaxUtterance = std::size_t{64} << 10U;

/// Why a line can't be an utterance (not UTF-8, a NUL in it, too long); nothing when it can.
std::optional<std::string> line_problem(std::string_view line);

/// Reads lines from a descriptor as they come.
class LineReader {
 public:
  explicit LineReader(int descriptor) noexcept : descriptor_(descriptor) {}
  /// The next line without its end; a line without one at the end of the input counts. Of a line that is
  /// too long only so much is kept that it shows.
  /// @throws std::runtime_error when reading fails
  std::optional<std::string> next();
  /// Whether next() has one without reading.
  bool has_line() const { return buffer_.find('\n', begin_) != std::string::npos; }
  std::size_t number() const noexcept { return number_; }  ///< Of the line next() gave; the first is 1.

 private:
  bool fill();

  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;
  std::size_t number_ = 0;
};

/// Everything a descriptor gives, at most `limit` bytes. @throws std::runtime_error
std::string read_all(int descriptor, std::size_t limit);
/// The same of a file, a pipe or a device. @throws std::runtime_error naming it
std::string read_all(const std::string& name, std::size_t limit);

}  // namespace parley::command
