#include "store/session_rows.hpp"

#include <fmt/format.h>
#include <charconv>

#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <utility>

#include "store/event_rows.hpp"
#include "store/kept_json.hpp"
#include "store/sqlite.hpp"
#include "store/turn_rows.hpp"

namespace parley {

std::string_view to_string(SessionState state) noexcept {
  switch (state) {
    case SessionState::kOpen:
      return "open";
    case SessionState::kIdle:
      return "idle";
    case SessionState::kClosed:
      return "closed";
  }
  return "open";
}

namespace kept_sessions {
namespace {

constexpr std::int64_t kMostSwept = 100;
constexpr std::size_t kMostInTranscript = 500;  ///< Turns, the latest.

/// Columns of a row that is read as one.
constexpr std::string_view kColumns = "owner, id, opened, last_turn, turns, closed, snapshot";

KeptSession row_of(const Statement& from, std::int64_t idle_before) {
  KeptSession row;
  row.owner = from.text(0);
  row.id = from.text(1);
  row.opened = from.number(2);
  row.last_turn = from.number(3);
  row.turns = from.number(4);
  if (!from.is_null(5)) {
    row.state = SessionState::kClosed;
    return row;
  }
  if (row.last_turn < idle_before) row.state = SessionState::kIdle;
  const auto snapshot = parse_json(from.text(6));
  if (!snapshot || !snapshot->is_object()) return row;
  std::vector<std::string> spoiled;
  auto session = std::make_shared<Session>(session_from_json(*snapshot, spoiled));
  session->response_mode.reset();
  session->session_id = row.id;
  if (row.state == SessionState::kIdle) {
    session->converse_handlers.reset();
    session->active_handlers.reset();
  }
  row.snapshot = std::move(session);
  return row;
}

/// Its session speaks the language of its latest turn.
void add_language(Database& database, KeptSession& row) {
  Statement found =
      database.query("SELECT lang FROM turn WHERE owner = ? AND session_id = ? ORDER BY row DESC LIMIT 1");
  if (found.bind(row.owner).bind(row.id).step()) row.lang = found.text(0);
}

/// The place in a list behind a session: its latest turn, its owner's length, its owner and its id.
struct Cursor {
  std::int64_t last_turn = INT64_MAX;
  std::string owner, id;
};

Cursor cursor_from(std::string_view text) {
  Cursor cursor;
  std::size_t length = 0;
  const char* const end = text.data() + text.size();
  const auto time = std::from_chars(text.data(), end, cursor.last_turn);
  if (time.ptr == end || *time.ptr != '.') return {};
  const auto size = std::from_chars(time.ptr + 1, end, length);
  if (size.ptr == end || *size.ptr != '.' || static_cast<std::size_t>(end - size.ptr - 1) < length) return {};
  cursor.owner.assign(size.ptr + 1, length);
  cursor.id.assign(size.ptr + 1 + length, end);
  return cursor;
}

}  // namespace

SessionPtr get(Database& database, const std::string& owner, const std::string& id,
               std::int64_t idle_before) {
  const auto found = find(database, owner, id, idle_before);
  return found ? found->snapshot : nullptr;
}

SessionState put(Database& database, const std::string& owner, const Session& session, std::int64_t began,
                 std::int64_t now) {
  const std::string snapshot =
      to_json(session).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  database
      .query(
          "INSERT INTO session (owner, id, opened, last_turn, turns, snapshot) VALUES (?1, ?2, ?3, ?4, 0, "
          "?5) "
          "ON CONFLICT (owner, id) DO UPDATE SET last_turn = ?4, "
          "snapshot = CASE WHEN closed >= ?3 THEN '' ELSE ?5 END, "
          "closed = CASE WHEN closed >= ?3 THEN closed END")
      .bind(owner)
      .bind(session.session_id)
      .bind(began)
      .bind(now)
      .bind(snapshot)
      .run();
  const auto row = find(database, owner, session.session_id, 0);
  return row ? row->state : SessionState::kOpen;
}

void count_turn(Database& database, const std::string& owner, const std::string& id, std::int64_t began,
                std::int64_t now) {
  database
      .query(
          "INSERT INTO session (owner, id, opened, last_turn, turns, snapshot) VALUES (?1, ?2, ?3, ?4, 1, "
          "'') "
          "ON CONFLICT (owner, id) DO UPDATE SET last_turn = max(last_turn, ?4), turns = turns + 1, "
          "closed = CASE WHEN closed >= ?3 THEN closed END")
      .bind(owner)
      .bind(id)
      .bind(began)
      .bind(now)
      .run();
}

void take(Database& database, const KeptSession& row) {
  if (!row.snapshot) return;
  const std::string snapshot =
      to_json(*row.snapshot).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  database
      .query(
          "INSERT INTO session (owner, id, opened, last_turn, turns, snapshot) VALUES (?1, ?2, ?3, ?4, 0, "
          "?5) "
          "ON CONFLICT (owner, id) DO UPDATE SET last_turn = ?4, snapshot = ?5, closed = NULL")
      .bind(row.owner)
      .bind(row.id)
      .bind(row.opened)
      .bind(row.last_turn)
      .bind(snapshot)
      .run();
}

void drop(Database& database, const std::string& owner, const std::string& id) {
  database.query("DELETE FROM session WHERE owner = ? AND id = ?").bind(owner).bind(id).run();
}

std::vector<KeptSession> with_snapshot(Database& database) {
  Statement found =
      database.query(fmt::format("SELECT {} FROM session WHERE closed IS NULL AND snapshot <> ''", kColumns));
  std::vector<KeptSession> rows;
  while (found.step()) rows.push_back(row_of(found, 0));
  return rows;
}

std::string cursor_of(const KeptSession& session) {
  return fmt::format("{}.{}.{}{}", session.last_turn, session.owner.size(), session.owner, session.id);
}

std::vector<KeptSession> list(Database& database, const SessionFilter& filter) {
  // ?2: -1 any, 0 open, 1 idle, 2 closed.
  Statement found = database.query(fmt::format(
      "SELECT {} FROM session WHERE (?1 = '' OR owner = ?1) AND "
      "(?2 < 0 OR ?2 = CASE WHEN closed IS NOT NULL THEN 2 WHEN last_turn < ?3 THEN 1 ELSE 0 END) AND "
      "(last_turn < ?4 OR (last_turn = ?4 AND (owner, id) > (?5, ?6))) "
      "ORDER BY last_turn DESC, owner, id LIMIT ?7",
      kColumns));
  const Cursor after = filter.after.empty() ? Cursor() : cursor_from(filter.after);
  found.bind(filter.owner).bind(filter.state ? static_cast<std::int64_t>(*filter.state) : -1);
  found.bind(filter.idle_before).bind(after.last_turn).bind(after.owner).bind(after.id);
  found.bind(static_cast<std::int64_t>(filter.limit));
  std::vector<KeptSession> rows;
  while (found.step()) rows.push_back(row_of(found, filter.idle_before));
  for (auto& row : rows) add_language(database, row);
  return rows;
}

std::optional<KeptSession> find(Database& database, const std::string& owner, const std::string& id,
                                std::int64_t idle_before) {
  std::optional<KeptSession> row;
  {
    Statement found =
        database.query(fmt::format("SELECT {} FROM session WHERE {} ORDER BY last_turn DESC LIMIT 1",
                                   kColumns, owner.empty() ? "id = ?" : "owner = ? AND id = ?"));
    if (!owner.empty()) found.bind(owner);
    if (!found.bind(id).step()) return std::nullopt;
    row = row_of(found, idle_before);
  }
  add_language(database, *row);
  return row;
}

bool close(Database& database, const std::string& owner, const std::string& id, std::int64_t now) {
  database.query("UPDATE session SET closed = ?, snapshot = '' WHERE owner = ? AND id = ? AND closed IS NULL")
      .bind(now)
      .bind(owner)
      .bind(id)
      .run();
  if (database.changed() == 0) return false;
  TurnFilter filter;
  filter.owner = owner;
  filter.session_id = id;
  filter.limit = kMostInTranscript;
  EventRow event;
  event.time = now;
  event.owner = owner;
  event.session_id = id;
  event.kind = "session_closed";
  event.actor = "parley.core";
  event.data = {{"transcript", transcript_json(id, turns::latest(database, filter))}};
  events::add(database, event);
  return true;
}

bool sweep(Database& database, std::int64_t time, std::int64_t values_time, std::int64_t now,
           std::vector<std::pair<std::string, std::string>>* dropped) {
  std::vector<std::pair<std::string, std::string>> whose;
  const auto collect = [&](const char* sql, std::int64_t before) {
    whose.clear();
    Statement found = database.query(sql);
    found.bind(before).bind(kMostSwept);
    while (found.step()) whose.emplace_back(found.text(0), found.text(1));
    return static_cast<std::int64_t>(whose.size()) >= kMostSwept;
  };
  bool more = collect("SELECT owner, id FROM session WHERE closed IS NULL AND last_turn < ? LIMIT ?", time);
  for (const auto& [owner, id] : whose) close(database, owner, id, now);
  more = collect("SELECT owner, id FROM session WHERE closed < ? LIMIT ?", values_time) || more;
  for (const auto& [owner, id] : whose) {
    for (const char* const sql : {"DELETE FROM value WHERE scope = 2 AND owner = ? AND session_id = ?",
                                  "DELETE FROM session WHERE owner = ? AND id = ?"})
      database.query(sql).bind(owner).bind(id).run();
  }
  if (dropped != nullptr) *dropped = std::move(whose);
  return more;
}

}  // namespace kept_sessions
}  // namespace parley
