// What older clients ask and say that the loop has to look at (W-6).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>

#include "message/topics.hpp"
#include "net/remote_skills.hpp"

namespace parley::net {

std::uint64_t RemoteSkills::owner_of(const Message& message) const {
  const std::string& topic = message.type();
  std::size_t end = topic.find(':');
  if (end == std::string::npos) {
    for (const std::string_view ping : {".converse.ping", ".fallback.ping"}) {
      if (topic.ends_with(ping)) end = topic.size() - ping.size();
    }
  }
  if (end == std::string::npos) return 0;
  const auto skill = skills_.find(std::string_view(topic).substr(0, end));
  return skill == skills_.end() ? 0 : skill->second.client->id;
}

/// What names a skill, or a stage, before its ':' could be taken for a dispatch: only the skill itself says
/// it.
void RemoteSkills::relayed(const ClientPtr& client, const Message& message) {
  const std::string& topic = message.type();
  const std::string named = topic.substr(0, topic.find(':'));
  const auto skill = skills_.find(named);
  const bool is_own = skill != skills_.end() && skill->second.client->id == client->id;
  if (!is_own && (bus_.presence().of(named) != Presence::kNone || orchestrator_.is_stage(named))) {
    drop(client, "core_topic", "core_topic",
         fmt::format("dropped '{}': only the core says this", topic.substr(0, 100)));
    return;
  }
  owner_.relay(message);
}

void RemoteSkills::asked(const ClientPtr& client, ovos::Query query, const Message& question) {
  const auto tell = [this, id = client->id, query, question](Json answer) {
    owner_.tell(id, query, question, std::move(answer));
  };
  switch (query) {
    case ovos::Query::kDefaultSession:
      tell(to_json(*orchestrator_.sessions().current()));
      break;
    case ovos::Query::kSkills:
      tell(bus_.presence().all());
      break;
    case ovos::Query::kIntent:
      orchestrator_.dry_run(question, [tell](const Result<Json>& report) {
        Json answer = Json::object();
        if (report && report->value("outcome", "") == "matched") {
          for (const auto& stage : report->at("stages")) {
            if (stage.value("verdict", "") == "matches" && stage.contains("match")) {
              answer = {{"match", stage.at("match")}, {"pipeline_id", stage.value("pipeline_id", "")}};
              break;
            }
          }
        }
        tell(std::move(answer));
      });
      break;
    case ovos::Query::kActivate:
    case ovos::Query::kDeactivate:
      set_active(question, query == ovos::Query::kActivate);
      tell(Json::object());
      break;
  }
}

void RemoteSkills::set_active(const Message& request, bool active) {
  const std::string skill_id = request.text("skill_id");
  const SessionPtr session = orchestrator_.session_of(request);
  auto handlers = session->converse_handlers.value_or(std::vector<ActiveHandler>());
  std::erase_if(handlers, [&](const ActiveHandler& one) { return one.skill_id == skill_id; });
  if (active)
    handlers.insert(handlers.begin(), ActiveHandler(skill_id, unix_seconds(timers_.clock().wall())));
  Session patch(session->session_id);
  patch.converse_handlers = std::move(handlers);
  Context context = request.context();
  context.session = session;
  bus_.publish(Message(topic::kSessionSync, {{"session", to_json(patch)}}, std::move(context)));
}

}  // namespace parley::net
