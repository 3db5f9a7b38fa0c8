#pragma once

#include "serve/api.hpp"

namespace parley {

class Assistant;

/// The parts of the assistant, for operators: `/v1/system`, `/v1/config`, `/v1/collisions`.
/// @param assistant  outlives them
api::Endpoints system_endpoints(Assistant& assistant);

}  // namespace parley
