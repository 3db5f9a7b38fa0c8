#include "child/plan.hpp"

namespace parley::child {

Json json_of(const Limits& limits) {
  Json json = {{"network", limits.network},
               {"processes", limits.processes},
               {"writes_anywhere", limits.writes_anywhere},
               {"writes", Json::array()}};
  if (limits.memory) json["memory"] = *limits.memory;
  if (limits.cpu) json["cpu"] = *limits.cpu;
  if (limits.open_files) json["open_files"] = *limits.open_files;
  for (const auto& folder : limits.writes) json["writes"].push_back(folder.string());
  return json;
}

Limits limits_from(const Json& json) {
  Limits limits;
  if (json.contains("memory")) limits.memory = json.at("memory").get<std::size_t>();
  if (json.contains("cpu")) limits.cpu = json.at("cpu").get<double>();
  if (json.contains("open_files")) limits.open_files = json.at("open_files").get<int>();
  limits.network = json.at("network").get<bool>();
  limits.processes = json.at("processes").get<bool>();
  limits.writes_anywhere = json.at("writes_anywhere").get<bool>();
  for (const auto& folder : json.at("writes")) limits.writes.emplace_back(folder.get<std::string>());
  return limits;
}

Json json_of(const Plan& plan) {
  return {{"skill_id", plan.skill_id},
          {"library", plan.library.string()},
          {"folder", plan.folder.string()},
          {"overrides", plan.overrides.string()},
          {"core_overrides", plan.core_overrides.string()},
          {"languages", plan.languages},
          {"settings", plan.settings},
          {"zone", plan.zone},
          {"speaks_errors", plan.speaks_errors},
          {"jumping", plan.jumping},
          {"draws", plan.draws},
          {"now_ns", plan.now_ns},
          {"wall_ns", plan.wall_ns},
          {"log_level", static_cast<int>(plan.log_level)},
          {"limits", json_of(plan.limits)}};
}

Plan plan_from(const Json& json) {
  Plan plan;
  plan.skill_id = json.at("skill_id").get<std::string>();
  plan.library = json.at("library").get<std::string>();
  plan.folder = json.at("folder").get<std::string>();
  plan.overrides = json.at("overrides").get<std::string>();
  plan.core_overrides = json.at("core_overrides").get<std::string>();
  plan.languages = json.at("languages").get<std::vector<std::string>>();
  plan.settings = json.at("settings");
  plan.zone = json.at("zone").get<std::string>();
  plan.speaks_errors = json.at("speaks_errors").get<bool>();
  plan.jumping = json.at("jumping").get<bool>();
  plan.draws = json.at("draws").get<bool>();
  plan.now_ns = json.at("now_ns").get<std::int64_t>();
  plan.wall_ns = json.at("wall_ns").get<std::int64_t>();
  plan.log_level = static_cast<LogLevel>(json.at("log_level").get<int>());
  plan.limits = limits_from(json.at("limits"));
  return plan;
}

}  // namespace parley::child
