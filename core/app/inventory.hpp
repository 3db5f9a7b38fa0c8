#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace parley {

class Assistant;

// What an assistant consists of. Call on its thread.

/// Where a skill runs: `here` in this process, `remote` at the other end of a connection, `none`.
std::string placement_of(Assistant& assistant, const std::string& skill_id);
/// Of one that is installed: `running`, `starting`, `loading` (another version, or enabling it), `disabled`,
/// `gone`.
std::string state_of(Assistant& assistant, const std::string& skill_id);

/// `[{skill_id, version, folder, languages, intents, placement, state}]`, by skill_id.
nlohmann::json skills_of(Assistant& assistant);

/// `[{skill_id, intent_name, lang, method, samples, required_slots, enabled, session_id}]`, by skill, intent
/// and language.
nlohmann::json intents_of(Assistant& assistant);

/// `[{entry, pipeline_id, plugin, options, loaded, problem}]`, in the order in which they are asked.
nlohmann::json pipeline_of(Assistant& assistant);

}  // namespace parley
