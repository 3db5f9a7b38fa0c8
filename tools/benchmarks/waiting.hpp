#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "terminal.hpp"

namespace parley::bench {

/// How long a benchmark waits for what must come, before it ends without it.
inline constexpr std::chrono::seconds kPatience(30);

/// Says on stderr what takes its time while it lives: with a running count on a terminal, else in one line.
class Waiting {
 public:
  explicit Waiting(const std::string& what) : progress_(what) {
    if (!command::is_terminal(STDERR_FILENO)) command::complain(fmt::format("measuring {} …", what));
  }

 private:
  command::Progress progress_;
};

}  // namespace parley::bench
