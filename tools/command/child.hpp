#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace parley::command {

/// How a program ended.
struct Ended {
  Ended() = default;
  int code = 0;        ///< 128 and the signal's number when a signal ended it, as in a shell.
  std::string output;  ///< stdout and stderr, where they were kept.
};

/// Runs a program, found as a shell does, to its end. Its input is empty.
/// @throws std::system_error when it can't be started
Ended run_program(const std::vector<std::string>& words);

/// A program that has this one's terminal. It ends with this object, or with this process.
class Child {
 public:
  static constexpr int kGiven = 3;
  /// @param given  a descriptor that it gets as kGiven; -1: none
  /// @throws std::system_error when it can't be started
  explicit Child(const std::vector<std::string>& words, int given = -1);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Its code once it has ended by itself.
  std::optional<int> ended();

 private:
  pid_t id_;
};

/// Whether a program of that name is there to be run.
bool has_program(const std::string& name);

}  // namespace parley::command
