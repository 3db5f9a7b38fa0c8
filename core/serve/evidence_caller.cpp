#include "serve/evidence_caller.hpp"

#include <chrono>

#include "app/assistant.hpp"
#include "store/lasting.hpp"

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

evidence::Wording evidence_wording(Assistant& assistant) {
  const Config& config = assistant.config();
  return evidence::wording_at(assistant.clock().wall(), assistant.time_zone(), config.language.default_tag);
}

evidence::Source evidence_source(Assistant& assistant) {
  return evidence::Source(assistant.lasting(), assistant.config().evidence.enabled,
                          assistant.question_vectors());
}

std::int64_t wall_milliseconds(Assistant& assistant) {
  const auto now = assistant.clock().wall().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace parley
