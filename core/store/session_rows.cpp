#include "store/session_rows.hpp"

#include <nlohmann/json.hpp>
#include <parley/json.hpp>
#include <vector>

#include "store/sqlite.hpp"

namespace parley::kept_sessions {

SessionPtr get(Database& database, const std::string& owner, const std::string& id) {
  Statement found = database.query("SELECT snapshot FROM session WHERE owner = ? AND id = ?");
  if (!found.bind(owner).bind(id).step()) return nullptr;
  const auto snapshot = parse_json(found.text(0));
  if (!snapshot || !snapshot->is_object()) return nullptr;
  std::vector<std::string> spoiled;
  auto session = std::make_shared<Session>(session_from_json(*snapshot, spoiled));
  session->response_mode.reset();
  session->session_id = id;
  return session;
}

void put(Database& database, const std::string& owner, const Session& session, std::int64_t now) {
  const std::string snapshot =
      to_json(session).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  database
      .query(
          "INSERT INTO session (owner, id, opened, last_turn, turns, snapshot) VALUES (?, ?, ?, ?, 1, ?) "
          "ON CONFLICT (owner, id) DO UPDATE SET last_turn = excluded.last_turn, turns = turns + 1, "
          "snapshot = excluded.snapshot")
      .bind(owner)
      .bind(session.session_id)
      .bind(now)
      .bind(now)
      .bind(snapshot)
      .run();
}

}  // namespace parley::kept_sessions
