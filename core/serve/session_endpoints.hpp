#pragma once

#include "serve/api.hpp"

namespace parley {

class Assistant;

/// What was said, and in which sessions: `/v1/sessions…`, `/v1/turns/{id}`, `/v1/log` and `/v1/forget`
/// (docs/gateway.md). Somebody else's things are as if they were not there, but for who has the right
/// `admin`.
/// @param assistant  outlives them
api::Endpoints session_endpoints(Assistant& assistant);

}  // namespace parley
