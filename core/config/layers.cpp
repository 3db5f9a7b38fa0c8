#include "config/layers.hpp"

#include <algorithm>

#include "config/config.hpp"
#include "settings/reader.hpp"

namespace parley {

std::string word_of(Origin::Kind kind) {
  switch (kind) {
    case Origin::Kind::kDefault:
      return "default";
    case Origin::Kind::kFile:
      return "file";
    case Origin::Kind::kChanged:
      return "changed";
    case Origin::Kind::kEnvironment:
      return "environment";
    case Origin::Kind::kCommandLine:
      return "command_line";
  }
  return {};
}

Layers::Layers(const Config& config) : settings(config.skills.settings), disabled(config.skills.disabled) {}

nlohmann::json Layers::settings_of(const std::string& skill_id) const {
  const auto below = settings.find(skill_id);
  nlohmann::json values = below == settings.end() ? nlohmann::json::object() : below->second;
  const auto changed = changes.settings.find(skill_id);
  if (changed == changes.settings.end()) return values;
  for (const auto& [key, value] : changed->second.items())
    if (fixed_by(skill_id, key) == nullptr) values[key] = value;
  return values;
}

bool Layers::is_disabled(const std::string& skill_id) const {
  const auto changed = changes.enabled.find(skill_id);
  if (changed != changes.enabled.end() && !disabled_origin.is_fixed()) return !changed->second;
  return std::find(disabled.begin(), disabled.end(), skill_id) != disabled.end();
}

std::vector<std::string> Layers::all_disabled() const {
  std::vector<std::string> all;
  const auto add = [&](const std::string& id) {
    if (is_disabled(id) && std::find(all.begin(), all.end(), id) == all.end()) all.push_back(id);
  };
  for (const auto& id : disabled) add(id);
  for (const auto& [id, is_enabled] : changes.enabled) add(id);
  return all;
}

void Layers::put_into(SkillsConfig& skills) const {
  skills.settings = settings;
  for (const auto& [id, changed] : changes.settings) {
    nlohmann::json values = settings_of(id);
    if (!values.empty()) skills.settings[id] = std::move(values);
  }
  skills.disabled = all_disabled();
}

const Origin* Layers::fixed_by(const std::string& skill_id, const std::string& key) const {
  const auto skill = fixed.find(skill_id);
  if (skill == fixed.end()) return nullptr;
  const auto found = skill->second.find(key);
  return found == skill->second.end() ? nullptr : &found->second;
}

Origin Layers::origin_of(const std::string& skill_id, const std::string& key) const {
  if (const Origin* const by = fixed_by(skill_id, key)) return *by;
  const auto changed = changes.settings.find(skill_id);
  if (changed != changes.settings.end() && changed->second.contains(key))
    return {Origin::Kind::kChanged, changes_file.string()};
  const auto written = origins.find(config::join(config::join("skills.settings", skill_id), key));
  return written == origins.end() ? Origin() : written->second;
}

}  // namespace parley
