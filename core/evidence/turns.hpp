#pragma once

#include <vector>

#include "evidence/derive.hpp"
#include "evidence/objects.hpp"

namespace parley::evidence {

/// The events of the turn that `last` belongs to, up to it.
std::vector<Event> events_of_turn(Database& database, const Event& last);

/// What a turn that is over leaves: its memory, the task it was part of, a routine, its session's state and
/// transcript.
void derive_turn(Database& database, ObjectWriter& objects, const Event& handled);

}  // namespace parley::evidence
