#pragma once

#include <optional>
#include <parley/session.hpp>
#include <string>
#include <vector>

namespace parley::net::ovos {

/// A session as OVOS had it before the specifications, and as it is now. Pure functions; `now` is in Unix
/// seconds (S-7).

/// How long a skill is taken to wait for an answer when it doesn't say: it asks again as often as it likes.
inline constexpr double kAnswerTime = 60;

/// The entries of this assistant that do what the plugins do which an OVOS pipeline names, in its order.
/// @param entries  those there are; one of them stands for itself
/// @returns nothing when the client wants nothing of its own: the list is what OVOS ships, or none of it is
/// known
std::optional<Session::Strings> current_pipeline(const Session::Strings& names,
                                                 const Session::Strings& entries);

/// The session of what an older client says, outside of any turn of a skill. `default` says nothing about
/// itself: its fields are what the client happens to be configured with, and belong to everybody.
/// @param last  what this client was told last of that session; may be null
SessionPtr current_session(const SessionPtr& said, const SessionPtr& last, const Session::Strings& entries,
                           double now);

/// The session of what an older skill says in a turn: what it was given, with what it changed of that. What
/// it lacks was not removed, and what is there beside came from its own configuration.
SessionPtr current_session_of_turn(const SessionPtr& said, const SessionPtr& given, double now);

/// The same session with the fields that older clients read: `active_skills`, `utterance_states`, and a
/// `location` in their form. Those of today stay. Null stays null.
SessionPtr older_session(const SessionPtr& session);

}  // namespace parley::net::ovos
