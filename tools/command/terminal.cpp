#include "terminal.hpp"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "language/unicode.hpp"
#include "options.hpp"

namespace parley::command {
namespace {

std::string_view environment(const char* name) noexcept {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool is_control(std::int32_t code_point) noexcept {
  return u_charType(code_point) == U_CONTROL_CHAR || code_point == 0x2028 || code_point == 0x2029 ||
         (code_point >= 0x202A && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
}

std::size_t columns_of(std::int32_t code_point) noexcept {
  const int type = u_charType(code_point);
  if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR) return 0;
  const int width = u_getIntPropertyValue(code_point, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

/// @return why not all of it could be written; 0: it was
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

std::atomic<int> print_error{0};  ///< The first that print() met.

}  // namespace

bool is_terminal(int descriptor) noexcept {
  return ::isatty(descriptor) == 1;
}

bool wants_colour(int descriptor) noexcept {
  return is_terminal(descriptor) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::string one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, next] = unicode::decode(text, at);
    if (value < 0) {
      out += "\xEF\xBF\xBD";
    } else if (is_control(value)) {
      out.push_back(' ');
    } else {
      out += text.substr(at, next - at);
    }
    at = next;
  }
  return out;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t end = 0;
  for (std::size_t count = 0; end < text.size(); ++count) {
    if (count == kMost) return one_line(text.substr(0, end)) + "…";
    end = unicode::decode(text, end).next;
  }
  return one_line(text);
}

std::string in_quotes(std::string_view text) {
  return fmt::format("'{}'", shortened(text));
}

std::size_t display_width(std::string_view text) noexcept {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, next] = unicode::decode(text, at);
    width += value < 0 ? 1 : columns_of(value);
    at = next;
  }
  return width;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  const auto taken = display_width(text);
  if (taken < width) out.append(width - taken, ' ');
  return out;
}

std::string Paint::with(std::string_view code, std::string_view text) const {
  return on_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

Progress::Progress(std::string what) : what_(std::move(what)) {
  if (is_terminal(STDERR_FILENO)) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Progress::run() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  int seconds = 0;
  while (!wake_.wait_for(lock, 1s, [this] { return over_; })) {
    write_all(STDERR_FILENO, fmt::format("\r\x1b[K{} … {} s", what_, ++seconds));
  }
  if (seconds > 0) write_all(STDERR_FILENO, "\r\x1b[K");
}

void print(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  int none = 0;
  if (error != 0 && error != EPIPE) print_error.compare_exchange_strong(none, error);
}

int exit_code_after_printing(int code) {
  if (print_error == 0) return code;
  complain(
      fmt::format("writing to standard output failed: {}", std::generic_category().message(print_error)));
  return kFailed;
}

void complain(std::string_view text) {
  write_all(STDERR_FILENO, fmt::format("parley: {}\n", text));
}

}  // namespace parley::command
