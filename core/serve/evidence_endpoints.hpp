#pragma once

#include <functional>
#include <parley/message.hpp>

#include "serve/api.hpp"

namespace parley {

class Assistant;

/// `/v1/query`, `/v1/ingest/events`, `/v1/objects/{id}`, `/v1/evidence/stats`.
api::Endpoints evidence_endpoints(Assistant& assistant);

/// Answers topic::kEvidenceQuery and kEvidenceIngest of a connection. On the loop.
/// @param answer  called once, from any thread
void answer_evidence(Assistant& assistant, const Message& request,
                     std::function<void(const Message&)> answer);

}  // namespace parley
