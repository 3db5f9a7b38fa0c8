#pragma once

#include <functional>
#include <parley/log.hpp>
#include <string>
#include <string_view>

namespace parley {

/// One line of the log, from any thread. Control characters in `text` and those that change the direction of
/// writing are escaped, so nothing that came from outside can forge a line; it is cut after 4 KiB. `who` is
/// the part of parley that speaks, e.g. "session"; each writes so many lines a second (see set_log_limit).
void log(LogLevel level, std::string_view who, std::string_view text);
inline void log_warning(std::string_view who, std::string_view text) {
  log(LogLevel::kWarning, who, text);
}
inline void log_info(std::string_view who, std::string_view text) {
  log(LogLevel::kInfo, who, text);
}
inline void log_error(std::string_view who, std::string_view text) {
  log(LogLevel::kError, who, text);
}
inline void log_debug(std::string_view who, std::string_view text) {
  log(LogLevel::kDebug, who, text);
}

/// Whether a line of that level is wanted; for lines that cost something to make.
bool is_logged(LogLevel level);

/// Sees every line while it lives, beside the real log. For tests and the command.
class LogListener {
 public:
  using Callback = std::function<void(LogLevel, std::string_view who, std::string_view text)>;
  /// @param wanted  lines from this level on are made for it alone, see is_logged()
  explicit LogListener(Callback callback, LogLevel wanted = LogLevel::kOff);
  ~LogListener();
  LogListener(const LogListener&) = delete;
  LogListener& operator=(const LogListener&) = delete;

 private:
  std::size_t id_;
  LogLevel wanted_;
};

/// Lines below this level go nowhere (default: kWarning).
void set_log_level(LogLevel level);

inline constexpr int kLogLinesPerSecond = 100;
/// How many lines a second each part of the program may write at level info and above; the rest are counted.
/// Listeners hear all the same. From any thread.
/// @param lines_per_second  0: as many as there are
void set_log_limit(int lines_per_second);

/// Where the log goes and in what form: default stderr, as text. Call before there are threads.
/// @param file  appended to; empty: stderr
/// @param json  one object a line: {"time", "level", "who", "text"}
/// @throws std::runtime_error naming the file when it can't be opened
void set_log_target(const std::string& file, bool json);

}  // namespace parley
