#include "evidence/access.hpp"

#include <algorithm>

namespace parley::evidence {

std::optional<Reach> reach_of(const Caller& caller, const std::string& agent_id,
                              const std::string& session_id, const std::string& tenant_id,
                              const std::string& workspace_id) {
  const bool any_place = caller.is_free || caller.is_admin;
  if (!any_place && !tenant_id.empty() && tenant_id != kDefaultTenant) return std::nullopt;
  if (!any_place && !workspace_id.empty() && workspace_id != kHousehold) return std::nullopt;
  if (caller.allows_session && !caller.allows_session(session_id)) return std::nullopt;
  Reach reach;
  reach.owner = caller.owner;
  if (agent_id == caller.owner) return reach;
  const bool is_own = agent_id.starts_with(caller.owner + ".") ||
                      std::find(caller.skills.begin(), caller.skills.end(), agent_id) != caller.skills.end();
  if (is_own || caller.is_free) {
    reach.agent_id = agent_id;
    return reach;
  }
  if (!caller.is_admin) return std::nullopt;
  reach.owner = agent_id;
  return reach;
}

}  // namespace parley::evidence
