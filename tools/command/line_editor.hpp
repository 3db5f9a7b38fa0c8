#pragma once

#include <histedit.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::command {

/// Reads lines from a terminal with editing and history, and lets others speak meanwhile.
class LineEditor {
 public:
  enum class Outcome { kLine, kEnd, kInterrupted };

  struct Hooks {
    Hooks() = default;
    int descriptor = -1;                   ///< While it is readable, `on_event` is called between keys.
    std::function<void()> on_event;        ///< May call show_above().
    std::vector<std::string> completions;  ///< What Tab completes at the start of a line.
  };

  /// @param history  kept there between runs; empty: nowhere
  /// @param signals  a signalfd for SIGINT, SIGTERM, SIGHUP, SIGWINCH and SIGCONT
  LineEditor(std::string prompt, std::filesystem::path history, int signals, Hooks hooks);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// The next line, without its end. kInterrupted: Ctrl-C; kEnd: Ctrl-D, or a signal that ends the
  /// program.
  Outcome read(std::string& line);

  /// Prints lines above the one that is being edited. From within `on_event` only.
  void show_above(std::string_view lines);

 private:
  struct History;

  static int get_character(EditLine* editor, wchar_t* out);
  static unsigned char complete(EditLine* editor, int key);
  static LineEditor& self(EditLine* editor);

  int next_character(wchar_t& out);
  bool wait_for_input();
  bool take_signal();
  int read_character(wchar_t& out) const;
  unsigned char complete_word();
  std::size_t rows_above_cursor() const;

  std::wstring prompt_;
  int signals_;
  Hooks hooks_;
  Outcome outcome_ = Outcome::kLine;
  std::unique_ptr<History> history_;
  std::unique_ptr<EditLine, void (*)(EditLine*)> editor_;
};

}  // namespace parley::command
