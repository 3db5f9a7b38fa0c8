#pragma once

#include <cstdint>
#include <parley/result.hpp>

#include "evidence/access.hpp"
#include "evidence/request.hpp"
#include "evidence/search.hpp"
#include "net/client.hpp"

namespace parley {

class Assistant;

/// What the token of a client lets it name.
evidence::Caller evidence_caller(Assistant& assistant, const net::Client& client);
/// What a query may look at, by the names in it; else FORBIDDEN_SCOPE.
Result<evidence::Reach, evidence::Refusal> reach_of_query(const evidence::Caller& caller,
                                                          const evidence::Request& request);
/// The language and the day of the house.
evidence::Wording evidence_wording(Assistant& assistant);
/// Unix time.
std::int64_t wall_milliseconds(Assistant& assistant);

}  // namespace parley
