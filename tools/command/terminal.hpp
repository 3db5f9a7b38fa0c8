#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace parley::command {

/// Whether a person reads what is written there, and wants colour (NO_COLOR, TERM=dumb).
bool is_terminal(int descriptor) noexcept;
bool wants_colour(int descriptor) noexcept;

/// Text as it may go to a terminal or into one line of output: line ends, tabs and other control
/// characters become spaces, bytes that are not UTF-8 become U+FFFD.
std::string one_line(std::string_view text);

/// The beginning of a text, fit for a message: one line, at most 60 characters.
std::string shortened(std::string_view text);
/// The same in single quotes.
std::string in_quotes(std::string_view text);

/// The columns a text takes on a terminal: code points, double for wide ones, none for marks.
std::size_t display_width(std::string_view text) noexcept;
/// `text` with spaces up to `width` columns.
std::string padded(std::string_view text, std::size_t width);

/// Colours, or none.
class Paint {
 public:
  explicit Paint(bool on) noexcept : on_(on) {}
  std::string bold(std::string_view text) const { return with("1", text); }
  std::string dim(std::string_view text) const { return with("2", text); }
  std::string red(std::string_view text) const { return with("31", text); }
  std::string green(std::string_view text) const { return with("32", text); }
  std::string yellow(std::string_view text) const { return with("33", text); }
  std::string cyan(std::string_view text) const { return with("36", text); }

 private:
  std::string with(std::string_view code, std::string_view text) const;
  bool on_;
};

/// While it lives, and once a second has gone by, says on stderr that something is still going on;
/// wipes that again at the end. Does nothing when stderr is no terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void run();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

/// Writes all of it to stdout, in one piece. A reader that has gone ends the program quietly.
void print(std::string_view text);
/// The code to exit with: kFailed when something of what was printed could not be written, which is said
/// then.
int exit_code_after_printing(int code);
/// Writes `parley: TEXT` to stderr.
void complain(std::string_view text);

}  // namespace parley::command
