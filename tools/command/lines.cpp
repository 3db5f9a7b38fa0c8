#include "lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "language/unicode.hpp"

namespace parley::command {
namespace {

std::size_t read_some(int descriptor, std::array<char, 65'536>& chunk) {
  while (true) {
    const auto count = ::read(descriptor, chunk.data(), chunk.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR)
      throw std::runtime_error(fmt::format("reading failed: {}", std::generic_category().message(errno)));
  }
}

}  // namespace

std::optional<std::string> line_problem(std::string_view line) {
  if (line.size() > kMaxUtterance) {
    return fmt::format("an utterance of more than {} KiB; nobody says that much at once",
                       kMaxUtterance >> 10U);
  }
  if (const auto at = line.find('\0'); at != std::string_view::npos) {
    return fmt::format("byte {} is NUL; an utterance is text", at + 1);
  }
  if (const auto at = unicode::first_invalid(line); at != std::string_view::npos) {
    return fmt::format("byte {} is not UTF-8; an utterance is text in UTF-8", at + 1);
  }
  return std::nullopt;
}

bool LineReader::fill() {
  std::array<char, 65'536> chunk{};
  const auto count = read_some(descriptor_, chunk);
  buffer_.append(chunk.data(), count);
  return count > 0;
}

std::optional<std::string> LineReader::next() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  std::size_t searched = 0;
  std::string line;
  while (true) {
    const auto end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line += buffer_.substr(0, end);
      begin_ = end + 1;
      break;
    }
    searched = buffer_.size();
    if (line.size() + buffer_.size() > kMaxUtterance + 1) {
      if (line.empty()) line = buffer_.substr(0, kMaxUtterance + 1);
      buffer_.clear();
      searched = 0;
    }
    if (!fill()) {
      if (buffer_.empty() && line.empty()) return std::nullopt;
      line += buffer_;
      buffer_.clear();
      break;
    }
  }
  ++number_;
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

std::string read_all(int descriptor, std::size_t limit) {
  std::string out;
  std::array<char, 65'536> chunk{};
  while (const auto count = read_some(descriptor, chunk)) {
    if (out.size() + count > limit) throw std::runtime_error(fmt::format("more than {} MiB", limit >> 20U));
    out.append(chunk.data(), count);
  }
  return out;
}

std::string read_all(const std::string& name, std::size_t limit) {
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error(fmt::format("{}: {}", name, std::generic_category().message(errno)));
  try {
    std::string text = read_all(file, limit);
    ::close(file);
    return text;
  } catch (const std::exception& error) {
    ::close(file);
    throw std::runtime_error(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace parley::command
