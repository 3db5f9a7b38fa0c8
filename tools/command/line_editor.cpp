#include "line_editor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <stdexcept>

#include "language/unicode.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

constexpr int kHistoryLength = 1000;

std::string to_utf8(const wchar_t* text, std::size_t length) {
  std::string out;
  for (std::size_t i = 0; i < length; ++i) {
    const auto c = static_cast<char32_t>(text[i]);
    const auto tail = [&](unsigned shift) {
      out.push_back(static_cast<char>(0x80U | ((c >> shift) & 0x3FU)));
    };
    if (c < 0x80) {
      out.push_back(static_cast<char>(c));
    } else if (c < 0x800) {
      out.push_back(static_cast<char>(0xC0U | (c >> 6U)));
      tail(0);
    } else if (c < 0x10000) {
      out.push_back(static_cast<char>(0xE0U | (c >> 12U)));
      tail(6);
      tail(0);
    } else {
      out.push_back(static_cast<char>(0xF0U | (c >> 18U)));
      tail(12);
      tail(6);
      tail(0);
    }
  }
  return out;
}

std::wstring to_wide(std::string_view text) {
  std::wstring out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, next] = unicode::decode(text, at);
    out.push_back(value < 0 ? L'\uFFFD' : static_cast<wchar_t>(value));
    at = next;
  }
  return out;
}

std::size_t terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// How many bytes a UTF-8 sequence with this first byte has.
std::size_t sequence_length(unsigned char first) {
  if (first >= 0xF0) return 4;
  if (first >= 0xE0) return 3;
  return first >= 0xC0 ? 2 : 1;
}

}  // namespace

/// libedit's history and the file it is kept in.
struct LineEditor::History {
  explicit History(std::filesystem::path kept_in)
      : file(std::move(kept_in)), lines(history_winit(), history_wend) {
    HistEventW event{};
    history_w(lines.get(), &event, H_SETSIZE, kHistoryLength);
    history_w(lines.get(), &event, H_SETUNIQUE, 1);
    if (!file.empty()) history_w(lines.get(), &event, H_LOAD, file.c_str());
  }

  void add(const std::wstring& line) const {
    HistEventW event{};
    history_w(lines.get(), &event, H_ENTER, line.c_str());
    if (file.empty()) return;
    // In one piece, so that a program that ends meanwhile does not take the history with it. What can't
    // be kept is no reason to bother anyone.
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    const std::string draft = fmt::format("{}.{}", file.string(), ::getpid());
    if (history_w(lines.get(), &event, H_SAVE, draft.c_str()) >= 0)
      std::filesystem::rename(draft, file, ignored);
  }

  std::filesystem::path file;
  std::unique_ptr<HistoryW, void (*)(HistoryW*)> lines;
};

LineEditor::LineEditor(std::string prompt, std::filesystem::path history, int signals, Hooks hooks)
    : prompt_(to_wide(prompt)),
      signals_(signals),
      hooks_(std::move(hooks)),
      history_(std::make_unique<History>(std::move(history))),
      editor_(el_init("parley", stdin, stdout, stderr), el_end) {
  if (!editor_) throw std::runtime_error("line editing does not work on this terminal");
  EditLine* const editor = editor_.get();
  el_wset(editor, EL_CLIENTDATA, this);
  el_wset(
      editor, EL_PROMPT, +[](EditLine* of) { return self(of).prompt_.data(); });
  el_wset(editor, EL_EDITOR, L"emacs");
  el_wset(editor, EL_HIST, history_w, history_->lines.get());
  el_wset(editor, EL_GETCFN, &LineEditor::get_character);
  el_wset(editor, EL_ADDFN, L"parley-complete", L"completes a command", &LineEditor::complete);
  el_wset(editor, EL_BIND, L"^I", L"parley-complete", nullptr);
  el_wset(editor, EL_BIND, L"^R", L"em-inc-search-prev", nullptr);
  el_source(editor, nullptr);
}

LineEditor::~LineEditor() = default;

LineEditor& LineEditor::self(EditLine* editor) {
  LineEditor* found = nullptr;
  el_wget(editor, EL_CLIENTDATA, &found);
  return *found;
}

LineEditor::Outcome LineEditor::read(std::string& line) {
  outcome_ = Outcome::kLine;
  // libedit would show the prompt first: a Ctrl-D that comes in between would be lost to the terminal.
  el_wset(editor_.get(), EL_PREP_TERM, 1);
  int length = 0;
  const wchar_t* const text = el_wgets(editor_.get(), &length);
  if (outcome_ == Outcome::kInterrupted) {
    print("^C\n");
    return outcome_;
  }
  if (text == nullptr || length <= 0 || outcome_ == Outcome::kEnd) {
    print("\n");
    return Outcome::kEnd;
  }
  std::wstring_view entered(text, static_cast<std::size_t>(length));
  while (!entered.empty() && (entered.back() == L'\n' || entered.back() == L'\r')) entered.remove_suffix(1);
  line = to_utf8(entered.data(), entered.size());
  if (entered.find_first_not_of(L" \t") != std::wstring_view::npos) history_->add(std::wstring(entered));
  return Outcome::kLine;
}

int LineEditor::get_character(EditLine* editor, wchar_t* out) {
  return self(editor).next_character(*out);
}

int LineEditor::next_character(wchar_t& out) {
  while (true) {
    if (!wait_for_input()) return -1;
    const int count = read_character(out);
    if (count >= 0) return count;
  }
}

/// Waits for a key, attending to everything else; false when the line is to be given up.
bool LineEditor::wait_for_input() {
  std::array<pollfd, 3> watched{
      {{STDIN_FILENO, POLLIN, 0}, {signals_, POLLIN, 0}, {hooks_.descriptor, POLLIN, 0}}};
  while (true) {
    std::fflush(stdout);
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return false;
    if ((watched[1].revents & POLLIN) != 0 && !take_signal()) return false;
    if ((watched[2].revents & POLLIN) != 0) hooks_.on_event();
    if (watched[0].revents != 0) return true;
  }
}

bool LineEditor::take_signal() {
  signalfd_siginfo info{};
  if (::read(signals_, &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) return true;
  switch (static_cast<int>(info.ssi_signo)) {
    case SIGWINCH:
      el_resize(editor_.get());
      return true;
    case SIGCONT:
      el_wset(editor_.get(), EL_PREP_TERM, 1);
      el_wset(editor_.get(), EL_REFRESH);
      return true;
    case SIGINT:
      outcome_ = Outcome::kInterrupted;
      return false;
    default:
      outcome_ = Outcome::kEnd;
      return false;
  }
}

/// 1 with a character, 0 at the end of the input, -1 when what came is no character.
int LineEditor::read_character(wchar_t& out) const {
  std::string bytes(1, '\0');
  if (::read(STDIN_FILENO, bytes.data(), 1) <= 0) return 0;
  const std::size_t wanted = sequence_length(static_cast<unsigned char>(bytes[0]));
  while (bytes.size() < wanted) {
    char next = '\0';
    if (::read(STDIN_FILENO, &next, 1) <= 0) return 0;
    bytes.push_back(next);
  }
  const auto [value, next] = unicode::decode(bytes, 0);
  if (value < 0) return -1;
  out = static_cast<wchar_t>(value);
  return 1;
}

std::size_t LineEditor::rows_above_cursor() const {
  const LineInfoW* const line = el_wline(editor_.get());
  const std::wstring before = prompt_ + std::wstring(line->buffer, line->cursor);
  return display_width(to_utf8(before.data(), before.size())) / terminal_columns();
}

void LineEditor::show_above(std::string_view lines) {
  std::fflush(stdout);
  const auto rows = rows_above_cursor();
  const std::string up = rows > 0 ? fmt::format("\x1b[{}A", rows) : std::string();
  print(fmt::format("{}\r\x1b[J{}", up, lines));
  el_wset(editor_.get(), EL_REFRESH);
}

unsigned char LineEditor::complete(EditLine* editor, int /*key*/) {
  return self(editor).complete_word();
}

unsigned char LineEditor::complete_word() {
  const LineInfoW* const line = el_wline(editor_.get());
  const std::string typed = to_utf8(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
  const auto starts = [&](const std::string& word) { return !typed.empty() && word.starts_with(typed); };
  const auto& words = hooks_.completions;
  if (std::count_if(words.begin(), words.end(), starts) != 1) return CC_ERROR;
  const auto word = *std::find_if(words.begin(), words.end(), starts);
  return el_winsertstr(editor_.get(), to_wide(word.substr(typed.size()) + " ").c_str()) == 0 ? CC_REFRESH
                                                                                             : CC_ERROR;
}

}  // namespace parley::command
