#include "config/changes.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

namespace parley {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 23> kAtRunTime{"pipeline",
                                                      "blacklisted_pipelines",
                                                      "blacklisted_skills",
                                                      "blacklisted_intents",
                                                      "orchestrator.max_in_flight",
                                                      "orchestrator.max_in_flight_of_client",
                                                      "orchestrator.max_in_flight_of_session",
                                                      "orchestrator.max_questions_of_client",
                                                      "session.max_size",
                                                      "logging.level",
                                                      "gateway.max_frame",
                                                      "gateway.max_queue",
                                                      "gateway.max_connections",
                                                      "gateway.ping_interval",
                                                      "gateway.drain_timeout",
                                                      "gateway.allowed_origins",
                                                      "gateway.allowed_hosts",
                                                      "gateway.max_registrations",
                                                      "gateway.max_skills",
                                                      "gateway.compat",
                                                      "gateway.tokens",
                                                      "gateway.certificate",
                                                      "gateway.private_key"};

void collect(const json& before, const json& after, const std::string& path,
             std::vector<std::string>& changed) {
  if (before == after) return;
  if (!before.is_object() || !after.is_object()) {
    changed.push_back(path);
    return;
  }
  std::set<std::string> keys;
  for (const auto* const object : {&before, &after}) {
    for (const auto& entry : object->items()) keys.insert(entry.key());
  }
  const auto value = [](const json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() ? json() : *found;
  };
  for (const auto& key : keys)
    collect(value(before, key), value(after, key), path.empty() ? key : path + "." + key, changed);
}

}  // namespace

std::vector<std::string> changed_keys(const Config& before, const Config& after) {
  std::vector<std::string> changed;
  collect(to_json(before), to_json(after), {}, changed);
  std::sort(changed.begin(), changed.end());
  return changed;
}

bool can_change_at_run_time(const std::string& key) {
  return std::find(kAtRunTime.begin(), kAtRunTime.end(), key) != kAtRunTime.end() ||
         key == "skills.settings" || key.starts_with("skills.settings.");
}

}  // namespace parley
