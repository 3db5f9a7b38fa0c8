#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace parley::command {

/// Whether fork() copies all of this process: it has one thread and no children, whose connections a copy
/// would share.
bool can_be_copied();

/// Runs `work` in a copy of this process and waits for it; nothing it does is seen here but what it writes
/// and prints. The copy ends at once: the globals are destroyed where they were made. (A search for leaks
/// would touch, and so copy, all of the memory.)
/// @param result  what `work` leaves in it; of the same size here and there
/// @return why it has not come to its end: "signal 11"
/// @throws std::system_error when there can't be another process
std::optional<std::string> run_in_copy(const std::function<void()>& work, std::span<std::byte> result);

}  // namespace parley::command
