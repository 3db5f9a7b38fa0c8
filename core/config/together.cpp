#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/stages.hpp"
#include "settings/values.hpp"

// Checks across keys.
namespace parley::config {
namespace {

const Node* find(const Node& root, std::string_view section, std::string_view key) {
  const Node* const node = root.find(section);
  return node == nullptr ? nullptr : node->find(key);
}

Place place_of(const Node* node, const Node& otherwise) {
  return node == nullptr ? otherwise.place : node->place;
}

bool equal_tags(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

void check_language(Reader& reader, const Node& root, const LanguageConfig& language) {
  const bool is_enabled = std::any_of(language.enabled.begin(), language.enabled.end(),
                                      [&](const auto& tag) { return equal_tags(tag, language.default_tag); });
  if (is_enabled) return;
  const Node* const named = find(root, "language", "default");
  const Node* const enabled = find(root, "language", "enabled");
  reader.fail(named != nullptr ? named->place : place_of(enabled, root),
              fmt::format("'language.default' is {}, which 'language.enabled' does not list; add it there",
                          in_quotes(language.default_tag)));
}

void check_location(Reader& reader, const Node& root) {
  const auto is_given = [&](std::string_view key) {
    const Node* const node = find(root, "location", key);
    return node != nullptr && !node->is_null();
  };
  if (is_given("lat") == is_given("lon")) return;
  const bool has_lat = is_given("lat");
  reader.fail(find(root, "location", has_lat ? "lat" : "lon")->place,
              fmt::format("'location.{}' needs 'location.{}' beside it", has_lat ? "lat" : "lon",
                          has_lat ? "lon" : "lat"));
}

void check_telemetry(Reader& reader, const Node& root, const TelemetryConfig& telemetry) {
  const std::string& url = telemetry.traces;
  if (url.empty() || url.starts_with("http://") || url.starts_with("https://")) return;
  reader.fail(
      place_of(find(root, "telemetry", "traces"), root),
      fmt::format("'telemetry.traces' is {}; it must be a URL such as http://localhost:4318/v1/traces",
                  in_quotes(url)));
}

void check_embeddings(Reader& reader, const Node& root, const evidence::EmbeddingSettings& embeddings) {
  const Node* const section = find(root, "evidence", "embeddings");
  const auto at = [&](const char* key) {
    return place_of(section == nullptr ? nullptr : section->find(key), root);
  };
  const std::string& url = embeddings.url;
  if (!url.empty() && !url.starts_with("http://") && !url.starts_with("https://"))
    reader.fail(at("url"), fmt::format("'evidence.embeddings.url' is {}; it must be a URL such as "
                                       "http://localhost:11434/v1",
                                       in_quotes(url)));
  if (!embeddings.key_variable.empty() && !embeddings.key_file.empty())
    reader.fail(at("key_file"),
                "'evidence.embeddings.key_variable' and 'key_file' both say where the key is; leave one of "
                "them out");
}

/// Entries by name, with the stage that declares them; complains about those declared twice.
std::map<std::string, std::string> collect_entries(Reader& reader, const Node& root) {
  std::map<std::string, std::string> owners;
  const Node* const stages = root.find("stages");
  if (stages == nullptr) return owners;
  for (const Member& stage : stages->members) {
    const Node* const entries = stage.value.find("entries");
    if (entries == nullptr) continue;
    for (const Member& entry : entries->members) {
      const auto [owner, is_new] = owners.emplace(entry.key, stage.key);
      if (is_new) continue;
      reader.fail(
          entry.place,
          fmt::format("entry {} of '{}' is already declared by '{}'; give it another name",
                      in_quotes(entry.key), join("stages", stage.key), join("stages", owner->second)));
    }
  }
  return owners;
}

std::string remedy(const std::string& entry, const std::vector<std::string>& known, Catalogue& installed,
                   const Config& config) {
  if (const auto near = nearest(entry, known)) return fmt::format("; did you mean '{}'?", *near);
  for (const auto* const plugin : default_stages(installed)) {
    const EntryTable entries = plugin->tables().entries;
    const bool has_it = std::any_of(entries.begin(), entries.end(),
                                    [&](const DefaultEntry& one) { return entry == one.name; });
    if (has_it && !config.stages.contains(plugin->name())) {
      return fmt::format("; add '{}: {{}}' to 'stages'", plugin->name());
    }
  }
  return "; declare it under the 'entries' of a stage";
}

void check_pipeline(Reader& reader, const Node& root, Catalogue& installed, const Config& config) {
  const auto owners = collect_entries(reader, root);
  std::vector<std::string> known;
  known.reserve(owners.size());
  for (const auto& [entry, stage] : owners) known.push_back(entry);
  const Node* const pipeline = root.find("pipeline");
  if (pipeline == nullptr) {
    if (config.pipeline.empty()) {
      reader.fail(root.place,
                  "no stage is installed where 'plugins.directories' says, and no 'pipeline' is given: "
                  "nobody would be asked; build the stages, or correct it");
    }
    for (const std::string& entry : config.pipeline) {
      if (owners.find(entry) != owners.end()) continue;
      reader.fail(place_of(root.find("stages"), root),
                  fmt::format("the default 'pipeline' names {}, which no stage declares{}", in_quotes(entry),
                              remedy(entry, known, installed, config)));
    }
    return;
  }
  for (const Node& item : pipeline->items) {
    if (!is_id(item.text) || owners.find(item.text) != owners.end()) continue;  // what is no name is reported
    reader.fail(item.place, fmt::format("'pipeline' names {}, which no stage declares{}",
                                        in_quotes(item.text), remedy(item.text, known, installed, config)));
  }
}

/// a stage whose options allow it more than its match would be cut off in the middle.
void check_match_timeout(Reader& reader, const Member& node, const StageConfig& stage, OptionTable options) {
  const auto needed = least_match_timeout(options, stage.options);
  if (!stage.match_timeout || *stage.match_timeout >= needed) return;
  std::vector<std::string_view> parts;
  for (const Option& option : options)
    if (option.in_match) parts.emplace_back(option.key);
  reader.fail(node.place,
              fmt::format("the match_timeout of '{}' is {}; {} need{} at least {}", join("stages", node.key),
                          format_duration(*stage.match_timeout), fmt::join(parts, " and "),
                          parts.size() == 1 ? "s" : "", format_duration(needed)));
}

void check_match_timeouts(Reader& reader, const Node& root, Catalogue& installed, const Config& config) {
  const Node* const stages = root.find("stages");
  if (stages == nullptr) return;
  for (const Member& node : stages->members) {
    const auto stage = config.stages.find(node.key);
    if (stage == config.stages.end()) continue;
    const auto* const plugin = installed.stage(stage->second.plugin);
    if (plugin != nullptr) check_match_timeout(reader, node, stage->second, plugin->tables().options);
  }
}

}  // namespace

void check_together(Reader& reader, const Node& root, Catalogue& installed, const Config& config) {
  check_language(reader, root, config.language);
  check_location(reader, root);
  check_telemetry(reader, root, config.telemetry);
  check_embeddings(reader, root, config.evidence.embeddings);
  check_pipeline(reader, root, installed, config);
  check_match_timeouts(reader, root, installed, config);
}

}  // namespace parley::config
