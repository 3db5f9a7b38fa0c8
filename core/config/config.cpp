#include "config/config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/files.hpp"
#include "config/overrides.hpp"
#include "config/plugins.hpp"
#include "config/reader.hpp"
#include "config/stages.hpp"
#include "settings/document.hpp"

namespace parley {
namespace {

using config::Member;
using config::Node;
using config::Reader;

std::vector<std::string> section_keys() {
  std::vector<std::string> keys{"stages", "skills"};
  const Config defaults;
  config::for_each_section(
      defaults, [&](const char* key, const auto&, const auto&, const char*) { keys.emplace_back(key); });
  return keys;
}

std::vector<std::string> top_keys() {
  std::vector<std::string> keys = section_keys();
  for (const auto& field : config::kTop) keys.emplace_back(field.key);
  return keys;
}

void read_settings(Reader& reader, const Node& node, const std::string& path, SkillsConfig& skills) {
  if (!reader.is_section(node, path)) return;
  for (const Member& member : node.members) {
    if (!reader.is_key(member, path, "skill")) continue;
    if (!reader.is_section(member.value, config::join(path, member.key))) continue;
    auto settings = config::to_json(member.value);
    skills.settings[member.key] = settings.is_null() ? nlohmann::json::object() : std::move(settings);
  }
}

void read_skill_options(Reader& reader, const Node& node, const std::string& path, SkillsConfig& skills) {
  if (!reader.is_section(node, path)) return;
  for (const Member& member : node.members) {
    if (!reader.is_key(member, path, "skill")) continue;
    reader.read_section(member.value, config::join(path, member.key), skills.options[member.key],
                        config::kSkillOptions);
  }
}

void read_skills(Reader& reader, const Node& node, SkillsConfig& skills) {
  reader.read_section(node, "skills", skills, config::kSkills, {"settings", "options"});
  if (const Node* const settings = node.find("settings")) {
    read_settings(reader, *settings, "skills.settings", skills);
  }
  if (const Node* const options = node.find("options")) {
    read_skill_options(reader, *options, "skills.options", skills);
  }
}

void read_all(Reader& reader, const Node& root, Config& config) {
  reader.read_section(root, "", config, config::kTop, section_keys());
  config::for_each_section(config, [&](const char* key, auto& section, const auto& table, const char*) {
    if (const Node* const node = root.find(key)) reader.read_section(*node, key, section, table);
  });
  if (const Node* const node = root.find("skills")) read_skills(reader, *node, config.skills);
  config::read_stages(reader, root, config);
  config::check_together(reader, root, config);
}

// By place in the file; what came from outside of it comes last, in the order it was found.
void sort_problems(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    if ((a.line == 0) != (b.line == 0)) return b.line == 0;
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

CheckedConfig check(Node root, const ConfigSources& sources, std::vector<Problem> problems) {
  CheckedConfig checked;
  checked.problems = std::move(problems);
  Reader reader(checked.problems);
  if (!reader.is_section(root, "")) return checked;
  const auto variables = config::from_environment(sources.environment, top_keys(), checked.problems);
  const auto settings = config::from_settings(sources.settings, checked.problems);
  config::add_default_stages(root);
  for (const auto& change : variables) config::apply(change, root, checked.problems);
  for (const auto& change : settings) config::apply(change, root, checked.problems);
  config::add_default_stages(root);
  read_all(reader, root, checked.config);
  sort_problems(checked.problems);
  return checked;
}

}  // namespace

Config::Config()
    : pipeline{"stop_high",   "converse",     "intent_high",     "fallback_high", "intent_medium",
               "stop_medium", "common_query", "fallback_medium", "intent_low",    "fallback_low"} {
  for (const char* const plugin : {"stop", "converse", "intent", "common_query", "fallback"})
    stages[plugin] = default_stage(plugin);
}

std::chrono::milliseconds StageConfig::least_match_timeout() const {
  if (plugin != "common_query") return std::chrono::milliseconds(0);
  return std::chrono::milliseconds(options.value("poll_window", std::int64_t{0}) +
                                   options.value("collection_ceiling", std::int64_t{0}));
}

std::chrono::milliseconds Config::match_timeout(std::string_view pipeline_id) const {
  const auto stage = stages.find(pipeline_id);
  if (stage == stages.end()) return orchestrator.match_timeout;
  if (stage->second.match_timeout) return *stage->second.match_timeout;
  return std::max(orchestrator.match_timeout, stage->second.least_match_timeout());
}

std::chrono::milliseconds Config::handler_timeout(std::string_view skill_id) const {
  return options_of(skill_id).handler_timeout.value_or(orchestrator.handler_timeout);
}

SkillOptions Config::options_of(std::string_view skill_id) const {
  const auto found = skills.options.find(skill_id);
  return found == skills.options.end() ? SkillOptions() : found->second;
}

CheckedConfig check_config_text(std::string_view yaml, const std::string& name,
                                const ConfigSources& sources) {
  std::vector<Problem> problems;
  Node root = config::parse_document(yaml, name, config::Positions::kShown, problems);
  return check(std::move(root), sources, std::move(problems));
}

CheckedConfig check_config(const ConfigSources& sources) {
  std::vector<Problem> problems;
  std::string text;
  if (sources.file) text = config::read_file(*sources.file, config::kLargestDocument, problems);
  const std::string name = sources.file ? sources.file->string() : "built in";
  Node root = config::parse_document(text, name, config::Positions::kShown, problems);
  return check(std::move(root), sources, std::move(problems));
}

Config load_config(const ConfigSources& sources) {
  CheckedConfig checked = check_config(sources);
  if (!checked.problems.empty()) throw ConfigError(std::move(checked.problems));
  return std::move(checked.config);
}

}  // namespace parley
