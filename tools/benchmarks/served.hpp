#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/assistant.hpp"
#include "bus/bus.hpp"

namespace parley::bench {

/// The assistant with the benchmark's skill, served on a free port of the loopback by a thread of its own.
class Served {
 public:
  /// @param settings  values that are to be others, as `--set` takes them
  /// @throws what starting it threw
  explicit Served(std::vector<std::string> settings = {});
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  unsigned short port() const noexcept { return port_; }
  /// Runs something on the loop.
  void post(std::function<void(Assistant&)> work);

 private:
  void run(std::vector<std::string> settings, std::function<void(std::exception_ptr)> ready);

  Assistant* assistant_ = nullptr;
  unsigned short port_ = 0;
  std::thread thread_;
};

}  // namespace parley::bench
