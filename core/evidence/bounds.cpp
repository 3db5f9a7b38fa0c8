#include "evidence/bounds.hpp"

#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

/// A tenant and a workspace.
struct Place {
  explicit Place(const Request& request)
      : tenant_id(request.tenant_id.empty() ? kDefaultTenant : request.tenant_id),
        workspace_id(request.workspace_id.empty() ? kHousehold : request.workspace_id) {}
  std::string tenant_id, workspace_id;
};

/// 0: there is nothing in it.
std::int64_t domain_at(Database& database, const char* kind, const Place& place) {
  Statement found = database.query(
      "SELECT id FROM domain WHERE kind = ? AND owner = '' AND tenant_id = ? AND workspace_id = ?");
  found.bind(kind).bind(place.tenant_id).bind(place.workspace_id);
  return found.step() ? found.number(0) : 0;
}

std::vector<Domain> domains_of(Database& database, const Request& request, const Reach& reach) {
  const Place place(request);
  const bool is_named = !request.tenant_id.empty() || !request.workspace_id.empty();
  const bool is_open = request.scope == "workspace" || request.scope == "shared";
  std::vector<Domain> domains;
  if (request.scope != "shared") {
    Statement found = database.query(
        "SELECT id FROM domain WHERE kind = 'own' AND owner = ? AND (? OR (tenant_id = ? AND workspace_id = "
        "?))");
    found.bind(reach.owner).bind(std::int64_t{is_named || is_open ? 0 : 1});
    found.bind(place.tenant_id).bind(place.workspace_id);
    while (found.step()) {
      Domain& own = domains.emplace_back();
      own.id = found.text(0);
      own.agent_id = reach.agent_id;
      if (!reach.agent_id.empty()) own.agent_token = agent_token(reach.owner, reach.agent_id);
    }
  }
  const std::int64_t opened = is_open ? domain_at(database, "workspace", place) : 0;
  const std::int64_t shared = request.scope == "shared" ? domain_at(database, "shared", place) : opened;
  if (opened == 0 || shared == 0) return domains;
  Domain& open = domains.emplace_back();
  open.id = std::to_string(shared);
  open.opened = opened;
  return domains;
}

std::vector<std::string> kinds_of(const Request& request) {
  std::vector<std::string> kinds;
  // Without object types, the types of memories hold for memories alone.
  const bool is_any = request.object_types.empty() && !request.memory_types.empty();
  const std::vector<std::string> all(kObjectTypes.begin(), kObjectTypes.end());
  for (const auto& type : is_any ? all : request.object_types) {
    if (type != "memory" || request.memory_types.empty()) {
      kinds.push_back(type_token(type));
      continue;
    }
    for (const auto& memory : request.memory_types) kinds.push_back(memory_token(memory));
  }
  return kinds;
}

}  // namespace

Bounds bounds_of(Database& database, const Request& request, const Reach& reach) {
  Bounds bounds;
  bounds.domains = domains_of(database, request, reach);
  bounds.owner = reach.owner;
  if (request.scope == "session") {
    bounds.session_id = request.session_id;
    bounds.session_token = session_token(reach.owner, request.session_id);
  }
  bounds.kinds = kinds_of(request);
  bounds.cold = request.include_cold;
  bounds.from = request.from.value_or(0);
  bounds.to = request.to.value_or(INT64_MAX);
  return bounds;
}

}  // namespace parley::evidence
