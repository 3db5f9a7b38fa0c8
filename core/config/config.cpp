#include "config/config.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/doubts.hpp"
#include "config/files.hpp"
#include "config/help.hpp"
#include "config/installed.hpp"
#include "config/layering.hpp"
#include "config/overrides.hpp"
#include "config/stages.hpp"
#include "config/store_file.hpp"
#include "config/tables.hpp"
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
  for (const auto& field : config::kTop) keys.emplace_back(field.option.key);
  return keys;
}

/// What the skill lets be set, by its own table where it is installed, else as it is written.
nlohmann::json read_skill_settings(Reader& reader, const Member& skill, const std::string& path,
                                   Catalogue& installed) {
  if (const auto* const plugin = installed.skill(skill.key)) {
    const OptionTable table = plugin->tables().options;
    return config::as_in_file(table, reader.read_table(skill.value, path, table));
  }
  auto settings = config::to_json(skill.value);
  return settings.is_null() ? nlohmann::json::object() : settings;
}

void read_settings(Reader& reader, const Node& node, const std::string& path, Catalogue& installed,
                   SkillsConfig& skills) {
  if (!reader.is_section(node, path)) return;
  for (const Member& member : node.members) {
    const std::string skill_path = config::join(path, member.key);
    if (!reader.is_key(member, path, "skill") || !reader.is_section(member.value, skill_path)) continue;
    skills.settings[member.key] = read_skill_settings(reader, member, skill_path, installed);
  }
}

void read_skill_options(Reader& reader, const Node& node, const std::string& path, SkillsConfig& skills) {
  if (!reader.is_section(node, path)) return;
  for (const Member& member : node.members) {
    if (!reader.is_key(member, path, "skill")) continue;
    read_section(reader, member.value, config::join(path, member.key), skills.options[member.key],
                 config::kSkillOptions);
  }
}

void read_skills(Reader& reader, const Node& node, Catalogue& installed, SkillsConfig& skills) {
  read_section(reader, node, "skills", skills, config::kSkills, {"settings", "options"});
  if (const Node* const settings = node.find("settings")) {
    read_settings(reader, *settings, "skills.settings", installed, skills);
  }
  if (const Node* const options = node.find("options")) {
    read_skill_options(reader, *options, "skills.options", skills);
  }
}

void read_all(Reader& reader, const Node& root, Catalogue& installed, Config& config) {
  config::read_stages(reader, root, installed, config);
  if (root.find("pipeline") == nullptr) config.pipeline = config::default_pipeline(installed, config.stages);
  read_section(reader, root, "", config, config::kTop, section_keys());
  config::for_each_section(config, [&](const char* key, auto& section, const auto& table, const char*) {
    std::vector<std::string> inner;
    config::for_each_inner_section(
        config, [&](const char* outer, const char* name, const auto&, const auto&, const char*) {
          if (std::string_view(key) == outer) inner.emplace_back(name);
        });
    if (const Node* const node = root.find(key)) read_section(reader, *node, key, section, table, inner);
  });
  config::for_each_inner_section(
      config, [&](const char* outer, const char* key, auto& section, const auto& table, const char*) {
        const Node* const around = root.find(outer);
        if (const Node* const node = around == nullptr ? nullptr : around->find(key))
          read_section(reader, *node, config::join(outer, key), section, table);
      });
  if (const Node* const node = root.find("skills")) read_skills(reader, *node, installed, config.skills);
  config::check_together(reader, root, installed, config);
}

// By place in the file; what came from outside of it comes last, in the order it was found.
void sort_problems(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    if ((a.line == 0) != (b.line == 0)) return b.line == 0;
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

/// The keys whose parts are names that hold dots themselves.
config::HasNames names_by(const Node& root, Catalogue& installed) {
  return [&root, &installed](const std::vector<std::string>& keys) {
    if (keys.size() != 3 || keys[0] != "stages") return false;
    const Node* const stages = root.find("stages");
    if (stages == nullptr) return false;
    const auto stage = std::find_if(stages->members.begin(), stages->members.end(),
                                    [&](const Member& member) { return member.key == keys[1]; });
    if (stage == stages->members.end()) return false;
    const auto* const plugin = installed.stage(config::plugin_of(*stage));
    const Option* const option = plugin == nullptr ? nullptr : find_option(plugin->tables().options, keys[2]);
    return option != nullptr && option->type == OptionType::kMap;
  };
}

struct Overrides {
  std::vector<config::Override> variables, settings;
};

void apply(const Overrides& overrides, Node& root, Catalogue& installed, std::vector<Problem>& problems) {
  const auto has_names = names_by(root, installed);
  for (const auto& change : overrides.variables) config::apply(change, root, has_names, problems);
  for (const auto& change : overrides.settings) config::apply(change, root, has_names, problems);
}

bool same_letters(std::string_view a, std::string_view small) {
  return std::equal(a.begin(), a.end(), small.begin(), small.end(),
                    [](char x, char y) { return x == y || (x >= 'A' && x <= 'Z' && x - 'A' + 'a' == y); });
}

bool set_skills(const std::vector<config::Override>& overrides) {
  return std::any_of(overrides.begin(), overrides.end(), [](const config::Override& one) {
    const std::string& first = one.path.front().text;
    return one.is_variable ? same_letters(first, "skills") : first == "skills";
  });
}

/// Has the configuration tell where it is from, and takes what was changed of skills.
void take_layers(const Node& file, const Overrides& overrides, const ConfigSources& sources,
                 Catalogue& installed, CheckedConfig& checked) {
  std::vector<Problem> ignored;  // they came up when all was read
  checked.layers = config::layers_of(
      file, [&](Node& root) { apply(overrides, root, installed, ignored); },
      set_skills(overrides.variables) || set_skills(overrides.settings), installed, checked.config);
  if (!sources.changes || !checked.config.store.enabled) return;
  const auto store = store_file(checked.config.store, sources.file);
  if (store.empty()) return;
  config::take_changes(skill_changes_file(store), checked.layers, installed, checked.config,
                       checked.change_problems);
}

/// What is installed where the configuration says.
Catalogue installed_by(Node root, const Overrides& overrides, const ConfigSources& sources) {
  std::vector<Problem> ignored;  // they come up again when all is read
  Catalogue nothing;
  apply(overrides, root, nothing, ignored);
  Config config;
  Reader reader(ignored);
  if (const Node* const node = root.find("plugins")) {
    read_section(reader, *node, "plugins", config.plugins, config::kPlugins);
  }
  if (const Node* const node = root.find("skills")) {
    read_section(reader, *node, "skills", config.skills, config::kSkills, {"settings", "options"});
  }
  return {plugin_folders(config.plugins, sources.file, sources.executable_directory).directories,
          skill_folders(config.skills, sources.file, sources.executable_directory).directories};
}

void note_places(const Node& node, const std::string& path,
                 std::map<std::string, std::string, std::less<>>& places) {
  for (const Member& member : node.members) {
    const std::string key = config::join(path, member.key);
    const config::Place& place = member.value.place;
    if (place.source && place.line > 0)
      places.emplace(key, fmt::format("{}:{}:{}", *place.source, place.line, place.column));
    note_places(member.value, key, places);
  }
}

CheckedConfig check(Node root, const ConfigSources& sources, std::vector<Problem> problems) {
  CheckedConfig checked;
  checked.problems = std::move(problems);
  if (!Reader(checked.problems).is_section(root, "")) return checked;
  Overrides overrides;
  overrides.variables = config::from_environment(sources.environment, top_keys(), checked.problems);
  overrides.settings = config::from_settings(sources.settings, checked.problems);
  Catalogue installed = installed_by(root, overrides, sources);
  Reader reader(checked.problems,
                [&](std::string_view key) { return config::declared_elsewhere(key, installed); });
  const Node file = root;
  config::add_default_stages(root, installed);
  apply(overrides, root, installed, checked.problems);
  config::add_default_stages(root, installed);
  read_all(reader, root, installed, checked.config);
  sort_problems(checked.problems);
  take_layers(file, overrides, sources, installed, checked);
  if (!sources.doubts) return checked;
  checked.doubts = config::doubts_about(root, sources, installed, checked.config);
  sort_problems(checked.doubts);
  note_places(root, "", checked.places);
  return checked;
}

Node read_document(const ConfigSources& sources, std::vector<Problem>& problems) {
  std::string text;
  if (sources.file) text = config::read_file(*sources.file, config::kConfiguration.bytes, problems);
  const std::string name = sources.file ? sources.file->string() : "built in";
  return config::parse_document(text, name, config::Positions::kShown, problems);
}

}  // namespace

std::chrono::milliseconds Config::match_timeout(const StageConfig& stage, OptionTable options) const {
  if (stage.match_timeout) return *stage.match_timeout;
  return std::max(orchestrator.match_timeout, config::least_match_timeout(options, stage.options));
}

std::chrono::milliseconds Config::handler_timeout(std::string_view skill_id) const {
  const auto found = skills.options.find(skill_id);
  if (found == skills.options.end()) return orchestrator.handler_timeout;
  return found->second.handler_timeout.value_or(orchestrator.handler_timeout);
}

SkillOptions Config::options_of(std::string_view skill_id) const {
  const auto found = skills.options.find(skill_id);
  return found == skills.options.end() ? SkillOptions() : found->second;
}

FoundDirectories plugin_folders(const PluginsConfig& plugins,
                                const std::optional<std::filesystem::path>& file,
                                const std::filesystem::path& executable_directory) {
  return find_directories(plugins.directories, "plugins.directories", file, executable_directory,
                          plugins.shipped ? "stages" : "");
}

FoundDirectories skill_folders(const SkillsConfig& skills, const std::optional<std::filesystem::path>& file,
                               const std::filesystem::path& executable_directory) {
  return find_directories(skills.directories, "skills.directories", file, executable_directory,
                          skills.shipped ? "skills" : "");
}

Catalogue config::installed(const ConfigSources& sources) {
  std::vector<Problem> ignored;
  Overrides overrides;
  overrides.variables = from_environment(sources.environment, top_keys(), ignored);
  overrides.settings = from_settings(sources.settings, ignored);
  return installed_by(read_document(sources, ignored), overrides, sources);
}

CheckedConfig check_config_text(std::string_view yaml, const std::string& name,
                                const ConfigSources& sources) {
  std::vector<Problem> problems;
  Node root = config::parse_document(yaml, name, config::Positions::kShown, problems);
  return check(std::move(root), sources, std::move(problems));
}

CheckedConfig check_config(const ConfigSources& sources) {
  std::vector<Problem> problems;
  Node root = read_document(sources, problems);
  return check(std::move(root), sources, std::move(problems));
}

CheckedConfig load_checked_config(const ConfigSources& sources) {
  CheckedConfig checked = check_config(sources);
  if (!checked.problems.empty()) throw ConfigError(std::move(checked.problems));
  return checked;
}

Config load_config(const ConfigSources& sources) {
  return load_checked_config(sources).config;
}

}  // namespace parley
