#include "inventory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/registry.hpp>
#include <set>
#include <tuple>

#include "orchestrator/orchestrator.hpp"
#include "registry/registry.hpp"
#include "table.hpp"

namespace parley::command {
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

std::string joined(const nlohmann::json& texts, std::string_view between) {
  return fmt::format("{}", fmt::join(texts.get<std::vector<std::string>>(), between));
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}\n", count, what, count == 1 ? "" : "s");
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
                   {"intents", names[skill.id].size()}});
  }
  return out;
}

std::string skills_table(const nlohmann::json& skills, const Paint& paint) {
  Table table({"SKILL", "VERSION", "INTENTS", "LANGUAGES", "FOLDER"});
  for (const auto& skill : skills) {
    table.add({skill["skill_id"], skill["version"], std::to_string(skill["intents"].get<int>()),
               joined(skill["languages"], " "), skill["folder"]});
  }
  if (table.empty())
    return "No skills. skills.directories in the configuration says where they are looked for; `parley "
           "check` says more.\n";
  return table.text(paint) + counted(skills.size(), "skill");
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

std::string intents_table(const nlohmann::json& intents, const Paint& paint) {
  Table table({"INTENT", "LANGUAGE", "METHOD", "SAMPLES", "FOR EXAMPLE", ""});
  for (const auto& intent : intents) {
    const auto& samples = intent["samples"];
    const bool common = is_default_session(intent["session_id"].get<std::string>());
    std::string remark = intent["enabled"].get<bool>() ? "" : "disabled";
    if (!common)
      remark += fmt::format("{}only in session {}", remark.empty() ? "" : ", ",
                            intent["session_id"].get<std::string>());
    const std::string example = samples.empty() ? std::string() : samples.front().get<std::string>();
    table.add({fmt::format("{}:{}", intent["skill_id"].get<std::string>(),
                           intent["intent_name"].get<std::string>()),
               intent["lang"], intent["method"], std::to_string(samples.size()), shortened(example),
               std::move(remark)});
  }
  if (table.empty()) return "No intents: no skill listens to anything. `parley check` says more.\n";
  return table.text(paint) + counted(intents.size(), "intent");
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

std::string pipeline_table(const nlohmann::json& entries, const Paint& paint) {
  Table table({"", "ENTRY", "STAGE", "PLUGIN", "OPTIONS", ""});
  int number = 0;
  for (const auto& entry : entries) {
    const std::string problem = entry["problem"];
    const auto& options = entry["options"];
    table.add({std::to_string(++number), entry["entry"], entry["pipeline_id"], entry["plugin"],
               options.empty() ? "" : options.dump(), problem.empty() ? problem : "✗ " + problem});
  }
  if (table.empty())
    return "The pipeline is empty: nobody is asked. `pipeline` in the configuration lists who is.\n";
  return table.text(paint);
}

}  // namespace parley::command
