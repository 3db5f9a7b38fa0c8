#pragma once

#include <nlohmann/json_fwd.hpp>

namespace parley {

class Assistant;

// What an assistant consists of. Call on its thread.

/// `[{skill_id, version, folder, languages, intents}]`, by skill_id.
nlohmann::json skills_of(Assistant& assistant);

/// `[{skill_id, intent_name, lang, method, samples, required_slots, enabled, session_id}]`, by skill, intent
/// and language.
nlohmann::json intents_of(Assistant& assistant);

/// `[{entry, pipeline_id, plugin, options, loaded, problem}]`, in the order in which they are asked.
nlohmann::json pipeline_of(Assistant& assistant);

}  // namespace parley
