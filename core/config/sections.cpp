// Sections with their defaults, and as a file has them.
#include "config/tables.hpp"
#include "settings/values.hpp"

namespace parley {

using config::set_defaults;
using nlohmann::json;

LanguageConfig::LanguageConfig() {
  set_defaults(*this, config::kLanguage);
}
LocationConfig::LocationConfig() {
  set_defaults(*this, config::kLocation);
}
OrchestratorConfig::OrchestratorConfig() {
  set_defaults(*this, config::kOrchestrator);
}
SessionConfig::SessionConfig() {
  set_defaults(*this, config::kSession);
}
SessionsConfig::SessionsConfig() {
  set_defaults(*this, config::kSessionEnds);
}
StoreConfig::StoreConfig() {
  set_defaults(*this, config::kStore);
}
EvidenceConfig::EvidenceConfig() {
  set_defaults(*this, config::kEvidence);
}
evidence::EmbeddingSettings::EmbeddingSettings() {
  set_defaults(*this, config::kEmbeddings);
}
SkillOptions::SkillOptions() {
  set_defaults(*this, config::kSkillOptions);
}
SkillsConfig::SkillsConfig() {
  set_defaults(*this, config::kSkills);
}
PluginsConfig::PluginsConfig() {
  set_defaults(*this, config::kPlugins);
}
LoggingConfig::LoggingConfig() {
  set_defaults(*this, config::kLogging);
}
TelemetryConfig::TelemetryConfig() {
  set_defaults(*this, config::kTelemetry);
}
RegistrationConfig::RegistrationConfig() {
  set_defaults(*this, config::kRegistration);
}
Config::Config() {
  set_defaults(*this, config::kTop);
  set_defaults(gateway, config::kGateway);
  set_defaults(cluster, config::kCluster);
}

namespace {

json dump_stage(const StageConfig& stage) {
  json object = stage.options;
  object["plugin"] = stage.plugin;
  if (stage.match_timeout) object["match_timeout"] = format_duration(*stage.match_timeout);
  object["entries"] = json::object();
  for (const auto& [name, options] : stage.entries) object["entries"][name] = options;
  return object;
}

}  // namespace

json to_json(const Config& config) {
  json object = config::dump_section(config, config::kTop);
  config::for_each_section(config, [&](const char* key, const auto& section, const auto& table, const char*) {
    object[key] = config::dump_section(section, table);
  });
  config::for_each_inner_section(
      config, [&](const char* outer, const char* key, const auto& section, const auto& table, const char*) {
        object[outer][key] = config::dump_section(section, table);
      });
  object["stages"] = json::object();
  for (const auto& [id, stage] : config.stages) object["stages"][id] = dump_stage(stage);
  json& skills = object["skills"] = config::dump_section(config.skills, config::kSkills);
  skills["settings"] = json::object();
  for (const auto& [id, settings] : config.skills.settings) skills["settings"][id] = settings;
  skills["options"] = json::object();
  for (const auto& [id, options] : config.skills.options) {
    skills["options"][id] = config::dump_section(options, config::kSkillOptions);
  }
  return object;
}

}  // namespace parley
