#include "child/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

namespace parley::child {
namespace {

constexpr int kNicer = 10;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// What is done between fork and exec, and what the program inherits.
class SpawnPlan {
 public:
  explicit SpawnPlan(int socket) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, socket, Process::kSocket);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, Process::kSocket + 1);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int run(pid_t& id, std::string program, std::string word) const {
    const std::array<char*, 3> words{program.data(), word.data(), nullptr};
    return ::posix_spawn(&id, program.c_str(), &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

std::string Death::in_words() const {
  if (signal == 0) return fmt::format("ended itself with exit code {}", code);
  const char* const name = ::sigabbrev_np(signal);
  const char* const about = ::sigdescr_np(signal);
  return fmt::format("died of {}{} ({})", name == nullptr ? "signal " : "SIG",
                     name == nullptr ? std::to_string(signal) : name, about == nullptr ? "unknown" : about);
}

Process::Process(const boost::asio::any_io_executor& loop, const std::filesystem::path& program,
                 const std::string& word)
    : ended_(loop) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(errno, "socketpair");
  // One that happens to have the child's number there would be open still in its copy.
  const int theirs = ::fcntl(ends[1], F_DUPFD_CLOEXEC, kSocket + 1);
  ::close(ends[1]);
  const int failed = theirs < 0 ? errno : SpawnPlan(theirs).run(id_, program.string(), word);
  if (theirs >= 0) ::close(theirs);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): as Linux has it
  const int watch = failed != 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
  if (failed != 0 || watch < 0) {
    const int error = failed != 0 ? failed : errno;
    ::close(ends[0]);
    if (failed == 0) {
      ::kill(id_, SIGKILL);
      ::waitpid(id_, nullptr, 0);
    }
    fail(error, "starting " + program.string());
  }
  // What starts again and again, or computes without end, takes what the others leave of the processors.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(id_), ::getpriority(PRIO_PROCESS, 0) + kNicer);
  socket_ = ends[0];
  ended_.assign(watch);
}

Process::~Process() {
  if (socket_ >= 0) ::close(socket_);
  if (death_) return;
  kill();
  death(std::chrono::seconds(10));
}

int Process::take_socket() noexcept {
  return std::exchange(socket_, -1);
}

void Process::when_ended(std::function<void()> callback) {
  ended_.async_wait(Descriptor::wait_read, [callback = std::move(callback)](const auto& failed) {
    if (!failed) callback();
  });
}

std::optional<Death> Process::death(std::chrono::milliseconds patience) {
  if (death_) return death_;
  pollfd ended{ended_.native_handle(), POLLIN, 0};
  if (::poll(&ended, 1, static_cast<int>(patience.count())) <= 0) return std::nullopt;
  int status = 0;
  if (::waitpid(id_, &status, WNOHANG) != id_) return std::nullopt;
  Death how;
  if (WIFSIGNALED(status)) {
    how.signal = WTERMSIG(status);
  } else {
    how.code = WEXITSTATUS(status);
  }
  return death_ = how;
}

void Process::kill() noexcept {
  if (!death_) ::kill(id_, SIGKILL);
}

}  // namespace parley::child
