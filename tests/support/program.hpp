#pragma once

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

namespace parley::testing {

/// A program that runs beside the test, and is ended with the object, and with it those that it started. What
/// a test waits for comes within a minute, or it throws.
class Program {
 public:
  /// @param command  the path of the program, and its arguments
  explicit Program(const std::vector<std::string>& command) : name_(command.front()) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for " + name_);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failed =
        ::posix_spawn(&child_, name_.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(ends[1]);
    output_ = ends[0];
    if (failed != 0) {
      ::close(output_);
      throw std::runtime_error("can't start " + name_);
    }
  }
  ~Program() {
    if (child_ > 0) {
      ::kill(-child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    ::close(output_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The next line it says. @throws std::runtime_error when it has ended, or says nothing for a minute
  std::string line() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (;;) {
      const auto end = said_.find('\n');
      if (end != std::string::npos) {
        std::string line = said_.substr(0, end);
        said_.erase(0, end + 1);
        return line;
      }
      pollfd readable{output_, POLLIN, 0};
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      if (left.count() <= 0 || ::poll(&readable, 1, static_cast<int>(left.count())) <= 0)
        throw std::runtime_error(name_ + " said nothing for a minute");
      char chunk[4096];
      const auto got = ::read(output_, chunk, sizeof chunk);
      if (got <= 0) throw std::runtime_error(name_ + " ended without a word more");
      said_.append(chunk, static_cast<std::size_t>(got));
    }
  }

  /// Waits until it says that line; those before it are passed over.
  void wait_for(const std::string& wanted) {
    std::string passed;
    try {
      for (std::string said = line(); said != wanted; said = line()) passed += "\n  " + said;
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(error.what() + (", and never '" + wanted + "', but" + passed));
    }
  }

 private:
  std::string name_, said_;
  pid_t child_ = -1;
  int output_ = -1;
};

}  // namespace parley::testing
