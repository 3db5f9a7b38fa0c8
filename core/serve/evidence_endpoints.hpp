#pragma once

#include "serve/api.hpp"

namespace parley {

class Assistant;

/// `/v1/query`, `/v1/ingest/events`, `/v1/objects/{id}`, `/v1/evidence/stats`.
api::Endpoints evidence_endpoints(Assistant& assistant);

}  // namespace parley
