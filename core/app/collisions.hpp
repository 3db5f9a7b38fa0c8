#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace parley {

class Assistant;
struct Collisions;

// Sentences that intents of two skills claim, across everything registered. Call on the assistant's thread.

/// What was found, as `{complete, collisions: [{sentence, lang, tie, claims: [winner, other]}]}`, a claim
/// being `{skill_id, intent_name, lang, method, session_id, sample, place}`: `place` is `FILE:LINE`, or empty
/// when what is registered is in no locale file.
/// @param config_file  the user's overrides are beside it
nlohmann::json to_json(const Collisions& all, Assistant& assistant,
                       const std::optional<std::filesystem::path>& config_file);
/// The same of all there are, looked for thoroughly: that may take a second.
nlohmann::json collisions_of(Assistant& assistant, const std::optional<std::filesystem::path>& config_file);

/// Warns in the log of those that only the order of names decides, a line for each, up to a limit. Looks
/// less hard than collisions_of(), so that starting takes no time.
void warn_of_collisions(Assistant& assistant, const std::optional<std::filesystem::path>& config_file);

}  // namespace parley
