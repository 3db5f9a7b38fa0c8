#include "config/stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "config/tables.hpp"
#include "settings/values.hpp"

namespace parley::config {
namespace {

/// Reads the entries with `read_entry(member, path)` for each of them.
template <class ReadEntry>
void read_entries(Reader& reader, const Node& node, const std::string& path, ReadEntry read_entry) {
  const Node* const entries = node.find("entries");
  if (entries == nullptr || !reader.is_section(*entries, join(path, "entries"))) return;
  for (const Member& member : entries->members) {
    const std::string entry_path = join(join(path, "entries"), member.key);
    if (reader.is_key(member, join(path, "entries"), "entry")) read_entry(member, entry_path);
  }
}

/// The stage's own options and entries, by the tables of its plugin.
void read_installed(Reader& reader, const Node& node, const std::string& path, const PluginTables& tables,
                    StageConfig& stage) {
  std::vector<std::string> common{"entries"};
  for (const auto& field : kStage) common.emplace_back(field.option.key);
  stage.options = as_in_file(tables.options, reader.read_table(node, path, tables.options, common));
  read_entries(reader, node, path, [&](const Member& member, const std::string& entry_path) {
    stage.entries[member.key] =
        as_in_file(tables.entry_options, reader.read_table(member.value, entry_path, tables.entry_options));
  });
}

/// The same of a plugin that is not there, or can't be read: as it is written.
void read_unknown(Reader& reader, const Node& node, const std::string& path, StageConfig& stage) {
  for (const Member& member : node.members) {
    const bool is_common = member.key == "plugin" || member.key == "match_timeout" || member.key == "entries";
    if (!is_common) stage.options[member.key] = to_json(member.value);
  }
  read_entries(reader, node, path, [&](const Member& member, const std::string& entry_path) {
    if (!reader.is_section(member.value, entry_path)) return;
    auto options = to_json(member.value);
    stage.entries[member.key] = options.is_null() ? nlohmann::json::object() : std::move(options);
  });
}

/// Only the keys every stage has.
Node common_part(const Node& stage) {
  Node common(Node::Kind::kMap);
  common.place = stage.place;
  for (const auto& field : kStage) {
    const Node* const value = stage.find(field.option.key);
    if (value != nullptr) common.at(field.option.key, value->place) = *value;
  }
  return common;
}

StageConfig read_stage(Reader& reader, const Member& member, const std::string& path, Catalogue& installed) {
  StageCommon common;
  common.plugin = member.key;
  read_section(reader, common_part(member.value), path, common, kStage);
  StageConfig stage;
  stage.plugin = common.plugin;
  stage.match_timeout = common.match_timeout;
  if (const auto* const plugin = installed.stage(stage.plugin)) {
    read_installed(reader, member.value, path, plugin->tables(), stage);
  } else {
    read_unknown(reader, member.value, path, stage);
  }
  return stage;
}

Node default_entries(EntryTable entries, const Place& place) {
  Node node(Node::Kind::kMap);
  node.place = place;
  for (const DefaultEntry& entry : entries) node.at(entry.name, place) = options_node(entry, place);
  return node;
}

/// Whether the option that an entry needs is set.
bool is_ready(const DefaultEntry& entry, const std::map<std::string, StageConfig, std::less<>>& stages,
              const std::string& id) {
  if (entry.needs == nullptr) return true;
  const auto stage = stages.find(id);
  if (stage == stages.end()) return false;
  const auto set = stage->second.options.find(entry.needs);
  return set != stage->second.options.end() && set->is_string() && *set != "";
}

}  // namespace

std::vector<const PluginDescription*> default_stages(Catalogue& installed) {
  auto stages = installed.stages();
  std::erase_if(stages, [](const auto* stage) { return stage->tables().entries.empty(); });
  std::stable_sort(stages.begin(), stages.end(), [](const auto* a, const auto* b) {
    return a->tables().entries.begin()->place < b->tables().entries.begin()->place;
  });
  return stages;
}

std::vector<std::string> default_pipeline(Catalogue& installed,
                                          const std::map<std::string, StageConfig, std::less<>>& stages) {
  std::vector<std::pair<int, std::string>> entries;
  for (const auto* const stage : default_stages(installed)) {
    for (const DefaultEntry& entry : stage->tables().entries) {
      if (is_ready(entry, stages, stage->name())) entries.emplace_back(entry.place, entry.name);
    }
  }
  std::sort(entries.begin(), entries.end());
  std::vector<std::string> names;
  for (auto& [place, name] : entries) names.push_back(std::move(name));
  return names;
}

Node options_node(const DefaultEntry& entry, const Place& place) {
  std::vector<Problem> ignored;  // whatever stands there instead is refused when it is read
  return from_json(to_json(parse_document(entry.options, entry.name, Positions::kHidden, ignored)), place);
}

std::string plugin_of(const Member& stage) {
  const Node* const plugin = stage.value.find("plugin");
  return plugin != nullptr && plugin->kind == Node::Kind::kScalar ? plugin->text : stage.key;
}

void add_default_stages(Node& root, Catalogue& installed) {
  if (!root.is_map() && !root.is_null()) return;
  if (root.is_null()) root.kind = Node::Kind::kMap;
  Node& stages = root.at("stages", root.place);
  if (stages.is_null()) stages.kind = Node::Kind::kMap;
  if (stages.is_map()) {
    const auto listed = stages.members;
    for (const auto* const stage : default_stages(installed)) {
      const bool is_listed = std::any_of(listed.begin(), listed.end(), [&](const Member& member) {
        return plugin_of(member) == stage->name();
      });
      if (!is_listed) stages.at(stage->name(), stages.place);
    }
  }
  for (Member& stage : stages.members) {
    if (stage.value.is_null()) stage.value.kind = Node::Kind::kMap;
    if (!stage.value.is_map()) continue;
    const Node* const entries = stage.value.find("entries");
    if (entries != nullptr && !entries->is_null()) continue;
    const auto* const plugin = installed.stage(plugin_of(stage));
    if (plugin == nullptr || plugin->tables().entries.empty()) continue;
    stage.value.at("entries", stage.place) = default_entries(plugin->tables().entries, stage.place);
  }
}

void read_stages(Reader& reader, const Node& root, Catalogue& installed, Config& config) {
  const Node* const stages = root.find("stages");
  if (stages == nullptr || !reader.is_section(*stages, "stages")) return;
  for (const Member& member : stages->members) {
    const std::string path = join("stages", member.key);
    const bool is_stage = reader.is_key(member, "stages", "stage") && reader.is_section(member.value, path);
    if (is_stage) config.stages[member.key] = read_stage(reader, member, path, installed);
  }
}

std::chrono::milliseconds least_match_timeout(OptionTable table, const nlohmann::json& options) {
  std::chrono::milliseconds sum(0);
  for (const Option& option : table) {
    if (!option.in_match) continue;
    const auto written = options.find(option.key);
    const bool is_text = written != options.end() && written->is_string();
    const std::string text = is_text ? written->get<std::string>() : option.fallback;
    sum += parse_duration(text).value_or(std::chrono::milliseconds(0));
  }
  return sum;
}

}  // namespace parley::config
