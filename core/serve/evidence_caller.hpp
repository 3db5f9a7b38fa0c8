#pragma once

#include <cstdint>

#include "evidence/asking.hpp"
#include "net/client.hpp"

namespace parley {

class Assistant;

/// What the token of a client lets it name.
evidence::Caller evidence_caller(Assistant& assistant, const net::Client& client);
/// The language and the day of the house.
evidence::Wording evidence_wording(Assistant& assistant);
/// What everything that is asked is answered from.
evidence::Source evidence_source(Assistant& assistant);
/// Unix time.
std::int64_t wall_milliseconds(Assistant& assistant);

}  // namespace parley
