#include "plugin/catalogue.hpp"

#include "plugin/error.hpp"
#include "plugin/find.hpp"

namespace parley {
namespace {

std::unique_ptr<const PluginDescription> describe(const std::filesystem::path& file, PluginKind kind) {
  try {
    return std::make_unique<const PluginDescription>(file, kind);
  } catch (const PluginError&) {
    return nullptr;
  }
}

std::vector<const PluginDescription*> all_of(
    const std::map<std::string, std::unique_ptr<const PluginDescription>, std::less<>>& descriptions) {
  std::vector<const PluginDescription*> all;
  for (const auto& [name, description] : descriptions)
    if (description) all.push_back(description.get());
  return all;
}

}  // namespace

const PluginDescription* Catalogue::stage(const std::string& plugin) {
  const auto known = stages_.find(plugin);
  if (known != stages_.end()) return known->second.get();
  std::unique_ptr<const PluginDescription> found;
  try {
    found = describe(find_stage_library(plugin, stage_folders_), PluginKind::kStage);
  } catch (const PluginError&) {
    // There is no such file.
  }
  return stages_.emplace(plugin, std::move(found)).first->second.get();
}

const PluginDescription* Catalogue::skill(const std::string& id) {
  const auto& known = known_skills();
  const auto found = known.find(id);
  return found == known.end() ? nullptr : found->second.get();
}

std::vector<const PluginDescription*> Catalogue::stages() {
  for (const std::string& name : stages_in(stage_folders_)) stage(name);
  return all_of(stages_);
}

std::vector<const PluginDescription*> Catalogue::skills() {
  return all_of(known_skills());
}

const Catalogue::Descriptions& Catalogue::known_skills() {
  if (skills_read_) return skills_;
  skills_read_ = true;
  for (const auto& file : find_skill_libraries(skill_folders_).files) {
    auto read = describe(file, PluginKind::kSkill);
    if (!read) continue;
    std::string id = read->name();
    skills_.emplace(std::move(id), std::move(read));
  }
  return skills_;
}

}  // namespace parley
