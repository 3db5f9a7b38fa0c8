#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/conversation.hpp"

namespace parley {

/// A turn as `say --json` prints it and `POST /run` answers: `{id, utterance_id, status, speech_text, speech:
/// [{utterance, lang}], listen, source: {pipeline_id, skill_id, intent_name}, session, error?}`. `id` is the
/// session's, `session` what to send with the next turn.
nlohmann::json to_json(const TurnResult& result);

}  // namespace parley
