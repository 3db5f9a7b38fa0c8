#pragma once

#include "serve/api.hpp"

namespace parley {

class Assistant;

/// What the assistant is made of, for whoever runs it: `/v1/system`, `/v1/config`, `/v1/collisions`.
/// @param assistant  outlives them
api::Endpoints system_endpoints(Assistant& assistant);

}  // namespace parley
