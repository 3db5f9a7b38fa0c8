#pragma once

#include <parley/message.hpp>

#include "store/scheduler.hpp"

namespace parley {

/// What is kept of the message that something was scheduled with: who spoke to whom, in which session.
Json kept_context(const Message& by);

/// The dispatch that tells of it, `<skill_id>:due` (K-3), a turn of its own.
Message due_message(const Occurrence& occurrence);

}  // namespace parley
