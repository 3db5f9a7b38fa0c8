#pragma once

#include <parley/json.hpp>
#include <string>
#include <vector>

#include "store/event_rows.hpp"
#include "store/session_rows.hpp"
#include "store/turn_rows.hpp"

// What was kept, as programs and people get it, from the command and over HTTP alike.
namespace parley {

/// `{utterance_id, time, lang, said, answers: [{text, lang}], outcome, skill_id?, intent_name?, pipeline_id?,
/// error?}`.
Json to_json(const TurnRow& turn);
/// What to_json() made, as read back; what is missing is empty.
TurnRow turn_from(const Json& json);
/// `{lsn, event_id, time, session_id, utterance_id?, kind, actor, causes: [event_id], data}`.
Json to_json(const EventRow& event);
/// `{id, state, owner, lang, opened, last_turn, turns}`.
Json to_json(const KeptSession& session);

/// `{session_id, turns: […]}`.
Json transcript_json(const std::string& session_id, const std::vector<TurnRow>& turns);
std::string transcript_markdown(const std::string& session_id, const std::vector<TurnRow>& turns);
/// Lines: a time, what was said behind `>`, each answer behind `<`.
std::string transcript_text(const std::vector<TurnRow>& turns);

}  // namespace parley
