#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace parley::child {

/// From here on this process, and what it starts, can write, make and remove files in those folders only, and
/// read and run all that it could before (Landlock). Needs PR_SET_NO_NEW_PRIVS. Call before there are other
/// threads.
/// @return why it can't be done; empty: it holds
std::string allow_writes_only_in(const std::vector<std::filesystem::path>& folders);

}  // namespace parley::child
