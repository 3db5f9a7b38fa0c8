#include "serve/evidence_caller.hpp"

#include <chrono>
#include <parley/zone.hpp>

#include "app/assistant.hpp"

namespace parley {

evidence::Caller evidence_caller(Assistant& assistant, const net::Client& client) {
  evidence::Caller caller;
  caller.owner = client.owner;
  caller.is_free = !client.grant;
  caller.is_admin = client.grant && client.grant->has(net::Right::kAdmin);
  if (client.grant)
    caller.allows_session = [grant = client.grant](const std::string& id) {
      return grant->allows_session(id);
    };
  for (const auto& skill : assistant.loaded_skills()) caller.skills.push_back(skill.id);
  return caller;
}

Result<evidence::Reach, evidence::Refusal> reach_of_query(const evidence::Caller& caller,
                                                          const evidence::Request& request) {
  auto reach = evidence::reach_of(caller, request.agent_id, request.session_id, request.tenant_id,
                                  request.workspace_id);
  if (reach) return *std::move(reach);
  return evidence::Refusal("FORBIDDEN_SCOPE",
                           "the grant does not reach that agent, session, tenant or workspace");
}

evidence::Wording evidence_wording(Assistant& assistant) {
  evidence::Wording wording;
  wording.lang = assistant.config().language.default_tag;
  const auto now = assistant.clock().wall();
  const std::string& zone = assistant.config().location.tz;
  const auto there = Zone::named(zone.empty() ? "UTC" : zone);
  const auto utc = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
  const auto local = there ? there->local(now).time_since_epoch() : utc;
  wording.offset = local - utc;
  wording.today = std::chrono::floor<std::chrono::days>(std::chrono::local_seconds(local));
  return wording;
}

std::int64_t wall_milliseconds(Assistant& assistant) {
  const auto now = assistant.clock().wall().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace parley
