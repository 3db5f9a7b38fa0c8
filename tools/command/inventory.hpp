#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/assistant.hpp"
#include "terminal.hpp"

namespace parley::command {

// What an assistant consists of, as JSON and as a table for people. Call on the assistant's thread.

/// `[{skill_id, version, folder, languages, intents}]`, by skill_id.
nlohmann::json skills_of(Assistant& assistant);
std::string skills_table(const nlohmann::json& skills, const Paint& paint);

/// `[{skill_id, intent_name, lang, method, samples, enabled, session_id}]`, by skill, intent and language.
nlohmann::json intents_of(Assistant& assistant);
std::string intents_table(const nlohmann::json& intents, const Paint& paint);

/// `[{entry, pipeline_id, plugin, options, loaded, problem}]`, in the order in which they are asked.
nlohmann::json pipeline_of(Assistant& assistant);
std::string pipeline_table(const nlohmann::json& entries, const Paint& paint);

}  // namespace parley::command
