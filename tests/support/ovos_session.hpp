#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace parley::testing {

/// The session that an OVOS client of before the specifications sends with every message, with the
/// configuration that OVOS ships.
inline nlohmann::json ovos_session(const std::string& id) {
  const auto stage = [](const std::string& name) { return "ovos-" + name; };
  return {
      {"session_id", id},
      {"lang", "en-US"},
      {"site_id", "unknown"},
      {"pipeline", nlohmann::json::array(
                       {stage("stop-pipeline-plugin-high"), stage("converse-pipeline-plugin"),
                        stage("ocp-pipeline-plugin-high"), stage("padatious-pipeline-plugin-high"),
                        stage("adapt-pipeline-plugin-high"), stage("m2v-pipeline-high"),
                        stage("ocp-pipeline-plugin-medium"), stage("fallback-pipeline-plugin-high"),
                        stage("stop-pipeline-plugin-medium"), stage("adapt-pipeline-plugin-medium"),
                        stage("fallback-pipeline-plugin-medium"), stage("fallback-pipeline-plugin-low")})},
      {"active_skills", nlohmann::json::array()},
      {"utterance_states", nlohmann::json::object()},
      {"context", {{"timeout", 120}, {"frame_stack", nlohmann::json::array()}}},
      {"location",
       {{"city", {{"code", "Lawrence"}, {"name", "Lawrence"}}},
        {"coordinate", {{"latitude", 38.971669}, {"longitude", -95.23525}}},
        {"timezone", {{"code", "America/Chicago"}, {"offset", -21600000}, {"dstOffset", 3600000}}}}},
      {"system_unit", "metric"},
      {"time_format", "half"},
      {"date_format", "MDY"},
      {"is_speaking", false},
      {"is_recording", false},
      {"blacklisted_skills", nlohmann::json::array({"skill-ovos-stop.openvoiceos"})},
      {"blacklisted_intents", nlohmann::json::array()},
  };
}

/// What such a client keeps of a session it is sent: the fields it knows, and its own where one is missing.
inline nlohmann::json as_ovos_keeps(const nlohmann::json& session) {
  nlohmann::json kept = ovos_session(session.at("session_id").get<std::string>());
  for (const auto& [name, value] : session.items()) {
    if (kept.contains(name) && !value.is_null() && !value.empty()) kept[name] = value;
  }
  return kept;
}

}  // namespace parley::testing
