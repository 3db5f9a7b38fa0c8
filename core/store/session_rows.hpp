#pragma once

#include <cstdint>
#include <optional>
#include <parley/session.hpp>
#include <string>
#include <utility>
#include <vector>

namespace parley {

class Database;

enum class SessionState { kOpen, kIdle, kClosed };
std::string_view to_string(SessionState state) noexcept;

/// One session, as it is looked up. Times are Unix milliseconds.
struct KeptSession {
  KeptSession() = default;
  std::string owner, id;
  SessionState state = SessionState::kOpen;
  std::int64_t opened = 0, last_turn = 0, turns = 0;
  std::string lang;     ///< Of its latest turn; empty: not known.
  SessionPtr snapshot;  ///< Null: none is kept, as its client does that, or it is closed.
};

/// Which sessions are asked for. Empty: any.
struct SessionFilter {
  SessionFilter() = default;
  std::string owner;
  std::optional<SessionState> state;
  std::int64_t idle_before = 0;  ///< An open one whose latest turn was before that is idle.
  std::size_t limit = 50;
  std::string after;  ///< The cursor of the last one of the page before.
};

/// Sessions, by owner and id (K-4): which there were, and of those of clients that leave it to parley to
/// remember them, how their latest turn left them.
namespace kept_sessions {

/// As it was after its latest turn, without the question that was open then: who asked it is gone; one whose
/// latest turn was before `idle_before` without the floor as well. Nothing: there is none, it is closed, or
/// it can't be read.
SessionPtr get(Database& database, const std::string& owner, const std::string& id,
               std::int64_t idle_before = 0);

/// How a turn left it. One that was closed since the turn began stays closed.
/// @param began, now  Unix milliseconds
/// @return its state
SessionState put(Database& database, const std::string& owner, const Session& session, std::int64_t began,
                 std::int64_t now);
/// A turn in it is over; the same.
void count_turn(Database& database, const std::string& owner, const std::string& id, std::int64_t began,
                std::int64_t now);

/// The one with the latest turn first.
std::vector<KeptSession> list(Database& database, const SessionFilter& filter);
/// What goes as SessionFilter::after to get those behind it.
std::string cursor_of(const KeptSession& session);
/// @param owner  empty: of several owners' the one with the latest turn
std::optional<KeptSession> find(Database& database, const std::string& owner, const std::string& id,
                                std::int64_t idle_before);

/// Ends it: what it was is gone, and its transcript goes into the log. False: it is closed, or there is none.
bool close(Database& database, const std::string& owner, const std::string& id, std::int64_t now);
/// Closes those whose latest turn was before `time`, some at most, and forgets closed ones with what skills
/// keep in their scope that were closed before `values_time`. Whether there may be more.
/// @param dropped  owner and id of those that were forgotten; null: nobody asks
bool sweep(Database& database, std::int64_t time, std::int64_t values_time, std::int64_t now,
           std::vector<std::pair<std::string, std::string>>* dropped = nullptr);

/// As another instance has left it.
void take(Database& database, const KeptSession& row);
void drop(Database& database, const std::string& owner, const std::string& id);
/// Those of which it is kept how their latest turn left them.
std::vector<KeptSession> with_snapshot(Database& database);

}  // namespace kept_sessions
}  // namespace parley
