#pragma once

#include "serve/api.hpp"

namespace parley {

class Assistant;
namespace net {
class RemoteSkills;
}

/// One skill, for operators: what it is, its settings, whether it takes part: `/v1/skills/{id}`.
/// @param assistant, remote  outlive them
api::Endpoints skill_endpoints(Assistant& assistant, const net::RemoteSkills& remote);

}  // namespace parley
