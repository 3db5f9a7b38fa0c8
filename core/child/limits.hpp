#pragma once

#include <string>
#include <vector>

#include "child/plan.hpp"

namespace parley::child {

/// A limit of this machine that is not held, in words: "memory: …".
using Unheld = std::vector<std::string>;

/// From here on this process, and what it starts, is held to these limits, as far as the machine can: there
/// is no way back. Call before there are other threads.
/// @return what can't be held; control groups are the parent's
Unheld hold_to(const Limits& limits);

}  // namespace parley::child
