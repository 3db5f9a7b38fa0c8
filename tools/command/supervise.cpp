#include "supervise.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // sigwaitinfo
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <deque>
#include <system_error>

#include "options.hpp"
#include "runtime/crash_report.hpp"
#include "terminal.hpp"

namespace parley::command {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostCrashes = 5;
constexpr char kOrderly = '\n';
constexpr std::chrono::minutes kPeriod(10);

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// How a child came to its end.
struct Ending {
  int code = 0;
  int signal = 0;                 ///< 0: it was none.
  bool orderly = false;           ///< It returned from what it had to do.
  std::filesystem::path suspect;  ///< Empty: nobody's code was running, or nobody knows.
};

class Supervisor {
 public:
  explicit Supervisor(const SupervisedBackend& backend) : backend_(backend) {
    ::sigemptyset(&signals_);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&signals_, signal);
    if (::sigprocmask(SIG_BLOCK, &signals_, &before_) != 0) fail("sigprocmask");
  }

  int run() {
    for (;;) {
      if (::pipe2(suspect_pipe_.data(), O_CLOEXEC) != 0) fail("pipe");
      child_ = ::fork();
      if (child_ < 0) fail("fork");
      if (child_ == 0) return run_backend();
      ::close(suspect_pipe_[1]);
      const Ending ending = wait_for_child();
      ::close(suspect_pipe_[0]);
      if (asked_to_end_ || ending.orderly) return ending.signal == 0 ? ending.code : kFailed;
      if (!goes_on_after(ending)) return kFailed;
    }
  }

 private:
  int run_backend() {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // NOLINT(cppcoreguidelines-pro-type-vararg): as Linux has it
    ::close(suspect_pipe_[0]);
    report_crashes(suspect_pipe_[1]);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    try {
      const int code = backend_(held_out_);
      say_orderly();
      return code;
    } catch (...) {
      say_orderly();
      throw;
    }
  }

  /// Tells the supervisor that the backend came to its end by itself: exit() in a plugin does not get here.
  void say_orderly() const { static_cast<void>(!::write(suspect_pipe_[1], &kOrderly, 1)); }

  Ending wait_for_child() {
    for (;;) {
      siginfo_t info{};
      const int signal = ::sigwaitinfo(&signals_, &info);
      if (signal == SIGCHLD) {
        int status = 0;
        if (::waitpid(child_, &status, WNOHANG) != child_) continue;
        Ending ending;
        if (WIFEXITED(status)) ending.code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
        std::string told = read_pipe();
        ending.orderly = ending.signal == 0 && told == std::string_view(&kOrderly, 1);
        if (!ending.orderly) ending.suspect = std::move(told);
        return ending;
      }
      if (signal < 0) continue;
      asked_to_end_ = asked_to_end_ || signal != SIGHUP;
      // What is typed at a terminal reaches both of us.
      if (info.si_code != SI_KERNEL) ::kill(child_, signal);
    }
  }

  std::string read_pipe() const {
    std::string text;
    std::array<char, 512> part{};
    for (ssize_t got = 0; (got = ::read(suspect_pipe_[0], part.data(), part.size())) > 0;)
      text.append(part.data(), static_cast<std::size_t>(got));
    return text;
  }

  bool goes_on_after(const Ending& ending) {
    const auto now = Clock::now();
    crashes_.push_back(now);
    while (crashes_.front() + kPeriod < now) crashes_.pop_front();
    const std::string died =
        ending.signal == 0
            ? fmt::format("the backend was ended by a call of exit, code {}", ending.code)
            : fmt::format("the backend died of signal {} ({})", ending.signal, ::sigdescr_np(ending.signal));
    if (crashes_.size() >= kMostCrashes) {
      complain(fmt::format("{}: {} times within {} minutes is too often, so it stays down", died,
                           crashes_.size(), kPeriod.count()));
      return false;
    }
    if (ending.suspect.empty()) {
      complain(died + "; it is started again");
    } else {
      complain(fmt::format("{}; it is started again without {}", died, ending.suspect.string()));
      if (std::find(held_out_.begin(), held_out_.end(), ending.suspect) == held_out_.end())
        held_out_.push_back(ending.suspect);
    }
    return true;
  }

  const SupervisedBackend& backend_;
  sigset_t signals_{}, before_{};
  std::array<int, 2> suspect_pipe_{-1, -1};
  pid_t child_ = -1;
  bool asked_to_end_ = false;
  std::vector<std::filesystem::path> held_out_;
  std::deque<Clock::time_point> crashes_;
};

}  // namespace

int supervise(const SupervisedBackend& backend) {
  return Supervisor(backend).run();
}

}  // namespace parley::command
