#include "inventory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <tuple>

#include "table.hpp"

namespace parley::command {
namespace {

std::string joined(const nlohmann::json& texts, std::string_view between) {
  return fmt::format("{}", fmt::join(texts.get<std::vector<std::string>>(), between));
}

}  // namespace

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
