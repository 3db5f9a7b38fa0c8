#include "config/skill_changes.hpp"

#include <fmt/format.h>

#include "config/files.hpp"
#include "runtime/write_file.hpp"
#include "settings/document.hpp"
#include "settings/values.hpp"

namespace parley {
namespace {

void read_changed_settings(const nlohmann::json& written, const std::string& file, SkillChanges& into,
                           std::vector<Problem>& problems) {
  for (const auto& [id, values] : written.items()) {
    if (!is_id(id) || !values.is_object()) {
      problems.emplace_back(file, 0, 0,
                            fmt::format("'settings' has no skill with a map at {}", in_quotes(id)));
    } else if (!values.empty()) {
      into.settings[id] = values;
    }
  }
}

void read_changed_state(const nlohmann::json& written, const std::string& file, SkillChanges& into,
                        std::vector<Problem>& problems) {
  for (const auto& [id, value] : written.items()) {
    if (!is_id(id) || !value.is_boolean()) {
      problems.emplace_back(file, 0, 0,
                            fmt::format("'enabled' has no skill with true or false at {}", in_quotes(id)));
    } else {
      into.enabled[id] = value.get<bool>();
    }
  }
}

}  // namespace

std::filesystem::path skill_changes_file(const std::filesystem::path& store) {
  return store.string() + ".skills.json";
}

SkillChanges read_skill_changes(const std::filesystem::path& file, std::vector<Problem>& problems) {
  SkillChanges changes;
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) return changes;
  const std::size_t before = problems.size();
  const std::string text = config::read_file(file, kMostSkillChanges, problems);
  const auto node = config::parse_document(text, file.string(), config::Positions::kShown, problems);
  if (problems.size() != before) return changes;
  const auto written = config::to_json(node);
  if (!written.is_object()) {
    problems.emplace_back(file.string(), 0, 0, "must be a map with 'settings' and 'enabled'");
    return changes;
  }
  for (const auto& [key, value] : written.items()) {
    if (!value.is_object() || (key != "settings" && key != "enabled")) {
      problems.emplace_back(file.string(), 0, 0,
                            fmt::format("{} is no map 'settings' or 'enabled'", in_quotes(key)));
    } else if (key == "settings") {
      read_changed_settings(value, file.string(), changes, problems);
    } else {
      read_changed_state(value, file.string(), changes, problems);
    }
  }
  return changes;
}

std::string text_of(const SkillChanges& changes) {
  nlohmann::json written = {{"settings", nlohmann::json::object()}, {"enabled", nlohmann::json::object()}};
  for (const auto& [id, values] : changes.settings) written["settings"][id] = values;
  for (const auto& [id, is_enabled] : changes.enabled) written["enabled"][id] = is_enabled;
  return written.dump(2) + "\n";
}

void write_skill_changes(const std::filesystem::path& file, const SkillChanges& changes) {
  write_file(file, text_of(changes));
}

}  // namespace parley
