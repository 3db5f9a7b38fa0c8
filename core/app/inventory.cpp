#include "app/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <parley/registry.hpp>
#include <set>
#include <tuple>

#include "app/assistant.hpp"
#include "orchestrator/orchestrator.hpp"
#include "registry/registry.hpp"
#include "skill/skill_host.hpp"

namespace parley {
namespace {

std::vector<IntentPtr> sorted_intents(Assistant& assistant) {
  const Registry& registry = assistant.registry();
  auto intents = registry.intents();
  const auto key = [](const IntentPtr& intent) {
    return std::tie(intent->skill_id, intent->intent_name, intent->lang, intent->session_id);
  };
  std::stable_sort(intents.begin(), intents.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return intents;
}

std::vector<std::string> keyword_samples(const KeywordIntent& keywords) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view role, const std::vector<KeywordVocabulary>& vocabularies) {
    for (const auto& vocabulary : vocabularies) {
      const auto& samples = vocabulary.samples;
      const std::string first = samples.empty() ? std::string() : samples.front();
      out.push_back(
          fmt::format("{} {} ({}{})", role, vocabulary.name, first, samples.size() > 1 ? ", …" : ""));
    }
  };
  add("needs", keywords.required);
  for (const auto& group : keywords.one_of) add("one of", group);
  add("may have", keywords.optional);
  add("not with", keywords.excluded);
  return out;
}

std::vector<std::string> samples_of(const IntentRegistration& intent) {
  if (const auto* const templates = std::get_if<TemplateIntent>(&intent.pattern)) return templates->samples;
  return keyword_samples(std::get<KeywordIntent>(intent.pattern));
}

/// Which stage has that entry, by the configuration.
std::pair<std::string, const StageConfig*> stage_with(const Config& config, const std::string& entry) {
  for (const auto& [id, stage] : config.stages) {
    if (stage.entries.contains(entry)) return {id, &stage};
  }
  return {std::string(), nullptr};
}

bool listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string placement_of(Assistant& assistant, const std::string& skill_id) {
  if (const auto* const skill = assistant.skills().find(skill_id))
    if (skill->started()) return std::string(skill->placement());
  switch (assistant.bus().presence().of(skill_id)) {
    case Presence::kHosted:
      return "here";
    case Presence::kRemote:
      return "remote";
    case Presence::kNone:
      break;
  }
  return "none";
}

std::string state_of(Assistant& assistant, const std::string& skill_id) {
  if (assistant.is_loading(skill_id)) return "loading";
  if (const auto* const skill = assistant.skills().find(skill_id)) return std::string(skill->state());
  const auto disabled = assistant.disabled_skills();
  const bool is_disabled =
      std::any_of(disabled.begin(), disabled.end(), [&](const auto& one) { return one.id == skill_id; });
  return is_disabled ? "disabled" : "gone";
}

nlohmann::json skills_of(Assistant& assistant) {
  std::map<std::string, std::set<std::string>> names;
  for (const auto& intent : sorted_intents(assistant)) names[intent->skill_id].insert(intent->intent_name);
  auto out = nlohmann::json::array();
  for (const auto& skill : assistant.loaded_skills()) {
    const std::string folder = std::filesystem::path(skill.file).parent_path().string();
    out.push_back({{"skill_id", skill.id},
                   {"version", skill.version},
                   {"folder", folder},
                   {"languages", skill.languages},
                   {"intents", names[skill.id].size()},
                   {"placement", placement_of(assistant, skill.id)},
                   {"state", state_of(assistant, skill.id)}});
  }
  return out;
}

nlohmann::json intents_of(Assistant& assistant) {
  const Registry& registry = assistant.registry();
  auto out = nlohmann::json::array();
  for (const auto& intent : sorted_intents(assistant)) {
    out.push_back({{"skill_id", intent->skill_id},
                   {"intent_name", intent->intent_name},
                   {"lang", intent->lang},
                   {"method", intent->is_template() ? "template" : "keyword"},
                   {"samples", samples_of(*intent)},
                   {"required_slots", intent->required_slots},
                   {"enabled", registry.is_enabled(*intent, intent->session_id)},
                   {"session_id", intent->session_id}});
  }
  return out;
}

nlohmann::json pipeline_of(Assistant& assistant) {
  const Config& config = assistant.config();
  auto out = nlohmann::json::array();
  for (const auto& entry : config.pipeline) {
    const auto [id, stage] = stage_with(config, entry);
    const bool loaded = assistant.orchestrator().entry(entry) != nullptr;
    const bool blocked =
        listed(config.blacklisted_pipelines, entry) || listed(config.blacklisted_pipelines, id);
    std::string problem;
    if (stage == nullptr) {
      problem = "no stage has this entry";
    } else if (!loaded) {
      problem = "its stage was not loaded";
    } else if (blocked) {
      problem = "blacklisted";
    }
    out.push_back({{"entry", entry},
                   {"pipeline_id", id},
                   {"plugin", stage == nullptr ? std::string() : stage->plugin},
                   {"options", stage == nullptr ? nlohmann::json::object() : stage->entries.at(entry)},
                   {"loaded", loaded},
                   {"problem", problem}});
  }
  return out;
}

}  // namespace parley
