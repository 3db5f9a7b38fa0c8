#pragma once

#include <string>
#include <vector>

namespace parley::child {

/// What happened when a limit was exceeded on purpose.
struct Probed {
  Probed(std::string which, bool is_held, std::string by)
      : limit(std::move(which)), holds(is_held), how(std::move(by)) {}
  std::string limit;  ///< As in `skills.options.<id>`.
  bool holds;
  std::string how;  ///< By what, or why not.
};

/// Tries each limit of a skill in a child: starts a process that is held to it and does what it should not.
/// Call while there is only one thread.
std::vector<Probed> probe_limits();

}  // namespace parley::child
