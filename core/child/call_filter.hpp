#pragma once

#include <string>

namespace parley::child {

/// From here on the kernel refuses this process calls that a skill has no need of: it may not open sockets,
/// not start programs or processes, unless it may; and never look into or signal other processes. Threads
/// start as before. Needs PR_SET_NO_NEW_PRIVS.
/// @return why it can't be done; empty: it holds
std::string filter_calls(bool may_open_sockets, bool may_start_programs);

}  // namespace parley::child
