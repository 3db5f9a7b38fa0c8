#include "child.hpp"

#include <fcntl.h>
#include <signal.h>  // kill
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace parley::command {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Becomes the program, in a process that was forked for it.
[[noreturn]] void become(std::vector<char*>& words, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);     // NOLINT(cppcoreguidelines-pro-type-vararg): as Linux has it
  if (::getppid() != parent) ::_exit(1);  // it ended before that was said
  std::signal(SIGINT, SIG_DFL);           // what is ignored stays so in the program
  std::signal(SIGPIPE, SIG_DFL);
  ::execvp(words.front(), words.data());
  ::_exit(127);
}

std::vector<char*> as_arguments(std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

}  // namespace

Ended run_program(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments = as_arguments(copies);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  const pid_t parent = ::getpid();
  const pid_t id = ::fork();
  if (id < 0) fail("starting " + words.front());
  if (id == 0) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    become(arguments, parent);
  }
  ::close(ends[1]);
  Ended ended;
  std::array<char, 4096> part{};
  for (;;) {
    const auto got = ::read(ends[0], part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    ended.output.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  ended.code = code_of(status);
  return ended;
}

Child::Child(const std::vector<std::string>& words, int given) : id_(0) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments = as_arguments(copies);
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0) fail("starting " + words.front());
  if (id_ != 0) return;
  if (given == kGiven)
    ::fcntl(given, F_SETFD, 0);  // NOLINT(cppcoreguidelines-pro-type-vararg): as POSIX has it
  if (given >= 0 && given != kGiven) ::dup2(given, kGiven);
  become(arguments, parent);
}

Child::~Child() {
  if (id_ <= 0) return;
  ::kill(id_, SIGTERM);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> Child::ended() {
  int status = 0;
  if (::waitpid(id_, &status, WNOHANG) != id_) return std::nullopt;
  id_ = 0;
  return code_of(status);
}

bool has_program(const std::string& name) {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::filesystem::path folder(rest.substr(0, colon));
    if (::access((folder / name).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return false;
}

}  // namespace parley::command
