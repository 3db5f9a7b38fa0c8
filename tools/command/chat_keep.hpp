#pragma once

#include <cstdint>

#include "app/assistant.hpp"
#include "app/conversation.hpp"

namespace parley::command {

/// The time, in Unix milliseconds.
std::int64_t wall_milliseconds(Assistant& assistant);
/// Keeps what a turn left of its session, where there is a file for it.
void keep_session(Assistant& assistant, const TurnResult& result, std::int64_t began);

}  // namespace parley::command
