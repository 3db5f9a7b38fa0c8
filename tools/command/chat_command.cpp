#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <langinfo.h>
#include <array>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>

#include "beside.hpp"
#include "chat.hpp"
#include "line_editor.hpp"
#include "lines.hpp"
#include "logging.hpp"

namespace parley::command {
namespace {

/// Signals that come as something to read while it lives, for this thread and those it starts.
class Signals {
 public:
  Signals() : taken_(chosen()), descriptor_(::signalfd(-1, &taken_, SFD_CLOEXEC | SFD_NONBLOCK)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
    pthread_sigmask(SIG_BLOCK, &taken_, &before_);
  }
  ~Signals() {
    ::close(descriptor_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  int descriptor() const noexcept { return descriptor_; }

 private:
  static sigset_t chosen() noexcept {
    sigset_t set{};
    sigemptyset(&set);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT}) sigaddset(&set, number);
    return set;
  }

  sigset_t taken_;
  sigset_t before_{};
  int descriptor_;
};

std::filesystem::path history_file() {
  const auto folder = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  if (const auto state = folder("XDG_STATE_HOME"); state.is_absolute()) return state / "parley" / "history";
  if (const auto home = folder("HOME"); home.is_absolute())
    return home / ".local" / "state" / "parley" / "history";
  return {};
}

/// Line editing counts columns by the locale; one that is not UTF-8 would spoil every umlaut.
void use_utf8() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread exists yet
  if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::string greeting(const Paint& paint) {
  return fmt::format("{}  Ask away, for example: what time is it in tokyo\n{}\n",
                     paint.bold("parley " PARLEY_VERSION),
                     paint.dim("/help lists what else there is; Ctrl-D ends."));
}

/// Hears what `parley dev` says, if it keeps this chat open.
std::unique_ptr<Beside> hear_beside(const ChatOptions& options, Chat& chat) {
  if (options.beside < 0) return nullptr;
  return std::make_unique<Beside>(options.beside, [&chat](const std::string& line) {
    if (line == kReloadLine) return chat.reload();
    chat.tell(line);
  });
}

Setup chat_setup(const GlobalOptions& global) {
  ConfigSources sources = config_sources(global);
  sources.changes = true;
  Setup setup = load_setup(global, sources);
  setup.options.keeps_as = "parley chat";
  setup.options.languages_sleep = true;
  return setup;
}

int chat_on_terminal(const GlobalOptions& global, const ChatOptions& options) {
  use_utf8();
  Setup setup = chat_setup(global);
  std::optional<Signals> signals(std::in_place);
  // The log would write across the line that is being edited.
  silence_log();
  Mailbox mailbox;
  const std::string level = global.log_level.empty() ? "warning" : global.log_level;
  const LogWatch watch(level, [&](bool, std::string_view who, std::string_view text) {
    mailbox.put(Warned(fmt::format("{}: {}", who, text)));
  });
  Chat chat(std::move(setup), options, mailbox, true);
  const auto beside = hear_beside(options, chat);
  print(greeting(Paint(wants_colour(STDOUT_FILENO))));
  LineEditor* shown = nullptr;
  LineEditor::Hooks hooks;
  hooks.descriptor = mailbox.descriptor();
  hooks.completions = Chat::commands();
  hooks.on_event = [&] {
    const std::string text = chat.news();
    if (!text.empty()) shown->show_above(text);
  };
  LineEditor editor("> ", history_file(), signals->descriptor(), std::move(hooks));
  shown = &editor;
  bool interrupted = false;
  while (true) {
    std::string line;
    const auto outcome = editor.read(line);
    if (outcome == LineEditor::Outcome::kEnd) break;
    if (outcome == LineEditor::Outcome::kInterrupted) {
      if (interrupted) break;
      interrupted = true;
      chat.stop();
      print("  Stopped what was going on. Ctrl-C again, Ctrl-D or /quit ends.\n");
      continue;
    }
    interrupted = false;
    if (!chat.take(line) || !chat.wait_for_turn(signals->descriptor())) break;
  }
  signals.reset();  // from here on Ctrl-C ends it at once, should a skill not let go
  return kGood;
}

/// Waits for input, printing what is said meanwhile.
void wait_for_line(Chat& chat, const Mailbox& mailbox) {
  std::array<pollfd, 2> watched{{{STDIN_FILENO, POLLIN, 0}, {mailbox.descriptor(), POLLIN, 0}}};
  do {
    ::poll(watched.data(), watched.size(), -1);
    if ((watched[1].revents & POLLIN) != 0) print(chat.news());
  } while (watched[0].revents == 0);
}

int chat_on_pipe(const GlobalOptions& global, const ChatOptions& options) {
  Mailbox mailbox;
  Chat chat(chat_setup(global), options, mailbox, false);
  const auto beside = hear_beside(options, chat);
  LineReader reader(STDIN_FILENO);
  while (true) {
    if (!reader.has_line()) wait_for_line(chat, mailbox);
    const auto line = reader.next();
    if (!line) return kGood;
    if (const auto bad = line_problem(*line)) {
      complain(fmt::format("line {}: {}", reader.number(), *bad));
      continue;
    }
    if (!chat.take(*line) || !chat.wait_for_turn(-1)) return kGood;
  }
}

}  // namespace

int chat(const GlobalOptions& global, const ChatOptions& options) {
  const bool terminal = is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO);
  return terminal ? chat_on_terminal(global, options) : chat_on_pipe(global, options);
}

}  // namespace parley::command
