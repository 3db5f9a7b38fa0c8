#include "config/dump.hpp"

#include "config/plugins.hpp"

namespace parley {
namespace {

using config::Style;
using nlohmann::json;

json options_as_in_file(const StageConfig& stage) {
  json options = stage.options.is_object() ? stage.options : json::object();
  config::for_each_plugin([&](std::string_view plugin, const auto&, const auto& table, const auto&...) {
    if (plugin == stage.plugin) options = config::as_in_file(std::move(options), table);
  });
  return options;
}

json dump_stage(const StageConfig& stage) {
  json object = options_as_in_file(stage);
  object["plugin"] = stage.plugin;
  if (stage.match_timeout) object["match_timeout"] = format_duration(*stage.match_timeout);
  object["entries"] = json::object();
  for (const auto& [name, options] : stage.entries) object["entries"][name] = options;
  return object;
}

}  // namespace

nlohmann::json to_json(const Config& config) {
  json object = config::dump_section(config, config::kTop, Style::kFile);
  config::for_each_section(config, [&](const char* key, const auto& section, const auto& table, const char*) {
    object[key] = config::dump_section(section, table, Style::kFile);
  });
  object["stages"] = json::object();
  for (const auto& [id, stage] : config.stages) object["stages"][id] = dump_stage(stage);
  json& skills = object["skills"] = config::dump_section(config.skills, config::kSkills, Style::kFile);
  skills["settings"] = json::object();
  for (const auto& [id, settings] : config.skills.settings) skills["settings"][id] = settings;
  skills["options"] = json::object();
  for (const auto& [id, options] : config.skills.options) {
    skills["options"][id] = config::dump_section(options, config::kSkillOptions, Style::kFile);
  }
  return object;
}

}  // namespace parley
