#include "config/stages.hpp"

#include <fmt/format.h>

#include "config/dump.hpp"
#include "config/plugins.hpp"
#include "settings/values.hpp"

namespace parley {
namespace config {
namespace {

std::optional<nlohmann::json> default_entries(std::string_view plugin) {
  std::optional<nlohmann::json> found;
  for_each_plugin(
      [&](std::string_view name, const auto&, const auto&, const auto&, const auto&, nlohmann::json entries) {
        if (name == plugin) found = std::move(entries);
      });
  return found;
}

/// The name of the plugin as far as the document has one that can be read.
std::string plugin_of(const Member& stage) {
  const Node* const plugin = stage.value.find("plugin");
  return plugin != nullptr && plugin->kind == Node::Kind::kScalar ? plugin->text : stage.key;
}

void read_free_entry(Reader& reader, const Member& member, const std::string& path, StageConfig& stage) {
  if (!reader.is_section(member.value, path)) return;
  auto options = to_json(member.value);
  stage.entries[member.key] = options.is_null() ? nlohmann::json::object() : std::move(options);
}

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

/// The stage's own options and entries, of a plugin with a schema. False when there is none for it.
bool read_known(Reader& reader, const Node& node, const std::string& path, StageConfig& stage) {
  bool is_known = false;
  for_each_plugin([&](std::string_view name, auto options, const auto& table, const auto& fresh_entry,
                      const auto& entry_table, const nlohmann::json&) {
    if (name != stage.plugin) return;
    is_known = true;
    reader.read_section(node, path, options, table, {"plugin", "match_timeout", "entries"});
    stage.options = dump_section(options, table, Style::kNumbers);
    read_entries(reader, node, path, [&](const Member& member, const std::string& entry_path) {
      auto entry = fresh_entry;
      reader.read_section(member.value, entry_path, entry, entry_table);
      stage.entries[member.key] = dump_section(entry, entry_table, Style::kNumbers);
    });
  });
  return is_known;
}

void read_unknown(Reader& reader, const Node& node, const std::string& path, StageConfig& stage) {
  for (const Member& member : node.members) {
    const bool is_common = member.key == "plugin" || member.key == "match_timeout" || member.key == "entries";
    if (!is_common) stage.options[member.key] = to_json(member.value);
  }
  read_entries(reader, node, path, [&](const Member& member, const std::string& entry_path) {
    read_free_entry(reader, member, entry_path, stage);
  });
}

/// Only the keys every stage has; the others are read with the plugin's own table, or not checked.
Node common_part(const Node& stage) {
  Node common(Node::Kind::kMap);
  common.place = stage.place;
  for (const auto& field : kStage) {
    const Node* const value = stage.find(field.key);
    if (value != nullptr) common.at(field.key, value->place) = *value;
  }
  return common;
}

StageConfig read_stage(Reader& reader, const Member& member, const std::string& path) {
  StageCommon common;
  common.plugin = member.key;
  reader.read_section(common_part(member.value), path, common, kStage);
  StageConfig stage;
  stage.plugin = common.plugin;
  stage.match_timeout = common.match_timeout;
  if (!read_known(reader, member.value, path, stage)) read_unknown(reader, member.value, path, stage);
  return stage;
}

}  // namespace

void add_default_stages(Node& root) {
  if (!root.is_map() && !root.is_null()) return;
  if (root.is_null()) root.kind = Node::Kind::kMap;
  Node& stages = root.at("stages", root.place);
  if (stages.is_null()) {
    nlohmann::json all = nlohmann::json::object();
    for (const auto& [pipeline_id, stage] : Config().stages) all[pipeline_id] = nlohmann::json::object();
    stages = from_json(all, stages.place);
  }
  for (Member& stage : stages.members) {
    if (stage.value.is_null()) stage.value.kind = Node::Kind::kMap;
    if (!stage.value.is_map()) continue;
    Node* const entries = stage.value.find("entries");
    const auto defaults = default_entries(plugin_of(stage));
    if (defaults && (entries == nullptr || entries->is_null())) {
      stage.value.at("entries", stage.place) = from_json(*defaults, stage.place);
    }
  }
}

void read_stages(Reader& reader, const Node& root, Config& config) {
  const Node* const stages = root.find("stages");
  if (stages == nullptr || !reader.is_section(*stages, "stages")) return;
  config.stages.clear();
  for (const Member& member : stages->members) {
    const std::string path = join("stages", member.key);
    const bool is_stage = reader.is_key(member, "stages", "stage") && reader.is_section(member.value, path);
    if (is_stage) config.stages[member.key] = read_stage(reader, member, path);
  }
}

}  // namespace config

StageConfig default_stage(std::string_view plugin) {
  StageConfig stage;
  stage.plugin = plugin;
  config::for_each_plugin([&](std::string_view name, const auto& options, const auto& table, const auto&,
                              const auto&, const nlohmann::json& entries) {
    if (name != plugin) return;
    stage.options = config::dump_section(options, table, config::Style::kNumbers);
    for (const auto& [entry, entry_options] : entries.items()) stage.entries[entry] = entry_options;
  });
  return stage;
}

}  // namespace parley
