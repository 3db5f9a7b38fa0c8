#include "line_editor.hpp"

#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "terminal.hpp"

namespace {

using parley::command::LineEditor;

/// In the process behind the terminal: tells of one line, and of events above it meanwhile.
[[noreturn]] void edit(int events) {
  std::setlocale(LC_CTYPE, "C.UTF-8");  // NOLINT(concurrency-mt-unsafe): the only thread
  ::setenv("TERM", "xterm", 1);         // NOLINT(concurrency-mt-unsafe)
  sigset_t none{};
  sigemptyset(&none);
  LineEditor* editor = nullptr;
  LineEditor::Hooks hooks;
  hooks.descriptor = events;
  hooks.on_event = [&] {
    std::uint64_t count = 0;
    if (::read(events, &count, sizeof(count)) > 0) editor->show_above("  something came\n");
  };
  LineEditor shown("> ", {}, ::signalfd(-1, &none, 0), std::move(hooks));
  editor = &shown;
  std::string line;
  const auto outcome = shown.read(line);
  parley::command::print(outcome == LineEditor::Outcome::kLine ? "[" + line + "]" : "[end]");
  ::_exit(0);
}

class Terminal {
 public:
  Terminal() : events_(::eventfd(0, 0)) {
    winsize size{};
    size.ws_col = 20;
    size.ws_row = 10;
    child_ = ::forkpty(&master_, nullptr, nullptr, &size);
    if (child_ == 0) edit(events_);
  }
  ~Terminal() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    ::close(master_);
    ::close(events_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(std::string_view keys) const { REQUIRE(::write(master_, keys.data(), keys.size()) > 0); }
  void raise_event() const {
    const std::uint64_t one = 1;
    REQUIRE(::write(events_, &one, sizeof(one)) > 0);
  }
  /// Reads until the text is shown and gives what came up to its end; fails when it never is.
  std::string expect(std::string_view text) {
    while (seen_.find(text) == std::string::npos) {
      pollfd watched{master_, POLLIN, 0};
      std::array<char, 4096> chunk{};
      const bool ready = ::poll(&watched, 1, 30'000) > 0;
      const auto count = ready ? ::read(master_, chunk.data(), chunk.size()) : 0;
      REQUIRE_MESSAGE(count > 0, "never shown: " << text << " after " << seen_);
      seen_.append(chunk.data(), static_cast<std::size_t>(count));
    }
    const auto end = seen_.find(text) + text.size();
    std::string before = seen_.substr(0, end);
    seen_.erase(0, end);
    return before;
  }

 private:
  int events_;
  int master_ = -1;
  pid_t child_ = -1;
  std::string seen_;
};

}  // namespace

TEST_CASE("line editor: what is said meanwhile appears above the line, which can be edited on") {
  Terminal terminal;
  terminal.expect("> ");
  terminal.type("half");
  terminal.expect("half");
  terminal.raise_event();
  CHECK(terminal.expect("something came").find("\r\x1b[J") != std::string::npos);
  terminal.expect("> half");
  terminal.type(
      "\x7f\x7f"
      "t ü\r");
  terminal.expect("[hat ü]");
}

TEST_CASE("line editor: a line of several rows is moved as a whole") {
  Terminal terminal;
  terminal.expect("> ");
  terminal.type("0123456789abcdefghijklmnopqrstuvwxyz");
  terminal.expect("z");
  terminal.raise_event();
  CHECK(terminal.expect("something came").find("\x1b[1A\r\x1b[J") != std::string::npos);
  terminal.type("\r");
  terminal.expect("[0123456789abcdefghijklmnopqrstuvwxyz]");
}

TEST_CASE("line editor: Ctrl-D on an empty line is the end, as soon as the prompt is there") {
  Terminal terminal;
  terminal.expect("> ");
  terminal.type("\x04");
  terminal.expect("[end]");
}
