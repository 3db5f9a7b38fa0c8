#include "config/layering.hpp"

#include <fmt/format.h>

#include <memory>

#include "settings/reader.hpp"

namespace parley::config {
namespace {

/// Nothing: nobody wrote it, or only the program did.
std::optional<Origin> origin_at(const Place& place) {
  if (!place.source) return std::nullopt;
  if (place.line > 0)
    return Origin(Origin::Kind::kFile, fmt::format("{}:{}:{}", *place.source, place.line, place.column));
  if (place.source->starts_with("--set ")) return Origin(Origin::Kind::kCommandLine, *place.source);
  if (place.source->starts_with("PARLEY_")) return Origin(Origin::Kind::kEnvironment, *place.source);
  return std::nullopt;
}

void note_origins(const Node& node, const std::string& path,
                  std::map<std::string, Origin, std::less<>>& origins) {
  for (const Member& member : node.members) {
    const std::string key = join(path, member.key);
    if (member.value.is_map()) {
      note_origins(member.value, key, origins);
    } else if (const auto origin = origin_at(member.value.place)) {
      origins.insert_or_assign(key, *origin);
    }
  }
}

Node* map_in(Node* parent, std::string_view key, const Place& place) {
  if (parent == nullptr) return nullptr;
  if (parent->is_null()) parent->kind = Node::Kind::kMap;
  if (!parent->is_map()) return nullptr;
  Node& node = parent->at(key, place);
  if (node.is_null()) node.kind = Node::Kind::kMap;
  return &node;
}

/// Who has the last word on a setting; nothing: what stands at `mark` is still there.
std::optional<Origin> owner_of(const Node& root, const std::string& skill, const char* key,
                               const Place& mark) {
  const Node* node = &root;
  Place deepest = root.place;
  for (const std::string_view part : {std::string_view("skills"), std::string_view("settings"),
                                      std::string_view(skill), std::string_view(key)}) {
    node = node->find(part);
    if (node == nullptr) break;
    deepest = node->place;
  }
  if (node != nullptr && deepest.source == mark.source) return std::nullopt;
  return origin_at(deepest).value_or(Origin(Origin::Kind::kCommandLine, "--set skills"));
}

/// Finds out which settings have a value from outside by giving each of them one, and looking which are left.
void find_fixed(Node probe, const ApplyOverrides& apply, Catalogue& installed, Layers& layers) {
  Place mark;
  mark.source = std::make_shared<const std::string>("what may be changed");
  Node* const all = map_in(map_in(&probe, "skills", mark), "settings", mark);
  for (const auto* const skill : installed.skills()) {
    Node* const settings = map_in(all, skill->name(), mark);
    if (settings == nullptr || !settings->is_map()) continue;
    for (const Option& option : skill->tables().options) {
      Node& value = settings->at(option.key, mark);
      value = Node(Node::Kind::kScalar);
      value.place = mark;
    }
  }
  apply(probe);
  for (const auto* const skill : installed.skills()) {
    for (const Option& option : skill->tables().options) {
      if (auto owner = owner_of(probe, skill->name(), option.key, mark))
        layers.fixed[skill->name()][option.key] = std::move(*owner);
    }
  }
}

/// The changes of one skill that fit, one after the other.
nlohmann::json fitting(const std::string& id, OptionTable table, const nlohmann::json& below,
                       const nlohmann::json& changed, const std::filesystem::path& file,
                       std::vector<Problem>& problems) {
  nlohmann::json values = below, fits = nlohmann::json::object();
  for (const auto& [key, value] : changed.items()) {
    nlohmann::json candidate = values;
    candidate[key] = value;
    std::vector<Problem> wrong;
    Reader(wrong).read_table(from_json(candidate, Place()), join("skills.settings", id), table);
    if (!wrong.empty()) {
      problems.emplace_back(file.string(), 0, 0, wrong.front().message + "; this change is left out");
      continue;
    }
    values = std::move(candidate);
    fits[key] = value;
  }
  return fits;
}

}  // namespace

Layers layers_of(const Node& file, const ApplyOverrides& apply, bool sets_skills, Catalogue& installed,
                 const Config& config) {
  Layers layers(config);
  Node written = file;
  apply(written);
  note_origins(written, "", layers.origins);
  const auto disabled = layers.origins.find("skills.disabled");
  if (disabled != layers.origins.end()) layers.disabled_origin = disabled->second;
  if (sets_skills) find_fixed(file, apply, installed, layers);
  return layers;
}

void take_changes(const std::filesystem::path& file, Layers& layers, Catalogue& installed, Config& config,
                  std::vector<Problem>& problems) {
  layers.changes_file = file;
  layers.changes = read_skill_changes(file, problems);
  auto& changed = layers.changes.settings;
  for (auto skill = changed.begin(); skill != changed.end();) {
    const auto* const plugin = installed.skill(skill->first);
    if (plugin != nullptr) {
      const auto below = layers.settings.find(skill->first);
      skill->second = fitting(skill->first, plugin->tables().options,
                              below == layers.settings.end() ? nlohmann::json::object() : below->second,
                              skill->second, file, problems);
    }
    skill = skill->second.empty() ? changed.erase(skill) : std::next(skill);
  }
  layers.put_into(config.skills);
}

}  // namespace parley::config
