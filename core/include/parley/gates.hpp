#pragma once

#include <cstdint>
#include <optional>
#include <parley/registry.hpp>
#include <parley/session.hpp>
#include <string>
#include <string_view>

namespace parley {

/// How the session's intent context opens and shuts registrations (section X). Pure functions, safe from
/// any thread; `now` is in Unix seconds (S-7).

/// Whether an entry counts: not removed, turns left, not expired. An entry that expires at `now` has expired.
bool is_live(const ContextEntry& entry, double now) noexcept;

/// Whether every key of `requires_context` is live and none of `excludes_context` is. A private gate
/// looks at `<skill_id>:<key>` alone, a shared one at `<key>` alone.
bool gates_open(const IntentRegistration& intent, const Session& session, double now);

/// The most turns that an entry has left which the registration requires; 0 where none is counted in turns.
/// Of entries that begin with as many turns, the one set last has most left.
std::int64_t turns_left(const IntentRegistration& intent, const Session& session, double now);

/// The value that may fill a slot the utterance leaves open: that of the live entry
/// `<skill_id>:<slot_name>`, else that of `<slot_name>`. Entries without a value, or with an empty one, fill
/// nothing.
std::optional<std::string> context_value(const Session& session, std::string_view skill_id,
                                         std::string_view slot_name, double now);

/// Drops the entries that are not live. Called before a match round.
void prune_intent_context(Session& session, double now);

/// Takes one turn off every entry that has not changed since the round began. Called after a match round,
/// matched or not. Entries that changed were written during the round and keep their turns.
/// @param round_began  the session after prune_intent_context()
void age_intent_context(Session& session, const Session& round_began);

}  // namespace parley
