#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "folder.hpp"

namespace parley::bench {

/// A process of the benchmark, killed with the object.
class Process {
 public:
  /// @param reads_output  what it writes to its standard output can be read with line()
  Process(const std::vector<std::string>& command, bool reads_output);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::string line() const;
  void signal(int number) const;
  /// Waits for its end.
  void wait();

 private:
  pid_t id_ = -1;
  int output_ = -1;
};

/// A `nats-server` with JetStream on a free port of the loopback.
class NatsServer {
 public:
  /// @throws std::runtime_error when it does not start
  NatsServer();
  const std::string& url() const noexcept { return url_; }
  /// Whether there is one on this machine.
  static bool is_installed();

 private:
  Folder folder_;
  std::string url_;
  Process process_;
};

/// A `parley serve` that is one of several; without skills: a turn is matched by nobody, and costs as little
/// as one can.
class Instance {
 public:
  explicit Instance(const NatsServer& nats);
  unsigned short port() const noexcept { return port_; }
  /// Until it is ready for clients. @throws std::runtime_error when that takes too long
  void wait_ready() const;
  /// How many turns went that way: `forwarded`, `hosted`.
  long turns(const std::string& way) const;
  const Process& process() const noexcept { return process_; }
  Process& process() noexcept { return process_; }

 private:
  Folder folder_;
  Process process_;
  unsigned short port_ = 0;
};

}  // namespace parley::bench
