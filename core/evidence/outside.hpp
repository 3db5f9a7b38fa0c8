#pragma once

#include "evidence/derive.hpp"
#include "evidence/objects.hpp"

namespace parley::evidence {

/// Of an event that another program wrote: the event, the memory of its text, the edges it names.
/// @return the id of the memory; empty: there is none
std::string derive_outside(Database& database, ObjectWriter& objects, const Event& event);

/// The id of the memory that came of an event; empty: none.
std::string memory_of(Database& database, const std::string& owner, const std::string& event_id);

}  // namespace parley::evidence
