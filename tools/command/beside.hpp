#pragma once

#include <functional>
#include <string>
#include <thread>

namespace parley::command {

/// Reads what `parley dev` has to say to the chat that it keeps open, a line at a time, on a thread of its
/// own.
class Beside {
 public:
  using Heard = std::function<void(const std::string& line)>;
  /// @param descriptor  a pipe or socket; it is closed in the end
  /// @param heard       called on that thread
  Beside(int descriptor, Heard heard);
  ~Beside();
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

 private:
  void read();

  int descriptor_, over_;
  Heard heard_;
  std::thread thread_;
};

/// The line that has the chat load what is others on disk.
inline constexpr char kReloadLine[] = "\x01reload";

}  // namespace parley::command
