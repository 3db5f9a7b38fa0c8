#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "evidence/object.hpp"

namespace parley::evidence {

/// Who asks or writes, and what the token lets it name.
struct Caller {
  Caller() = default;
  std::string owner = "local";
  bool is_free = true;    ///< There are no tokens: it may name any agent, tenant and workspace.
  bool is_admin = false;  ///< It may name other owners as `agent_id`, and any tenant and workspace.
  std::function<bool(const std::string&)> allows_session;  ///< Null: any.
  std::vector<std::string> skills;                         ///< Agents that anybody may name.
};

/// Whose things are meant by the names in a request.
struct Reach {
  Reach() = default;
  std::string owner;
  std::string agent_id;  ///< Only what is that agent's; empty: all that is the owner's.
};

/// What the caller may reach by these names; nothing: it may not, whether or not there is such a thing.
/// @param tenant_id, workspace_id  empty: not named
std::optional<Reach> reach_of(const Caller& caller, const std::string& agent_id,
                              const std::string& session_id, const std::string& tenant_id,
                              const std::string& workspace_id);

}  // namespace parley::evidence
