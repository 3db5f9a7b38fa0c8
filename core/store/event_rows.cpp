#include "store/event_rows.hpp"

#include <fmt/format.h>

#include "store/sqlite.hpp"

namespace parley::events {
namespace {

EventRow event_of(const Statement& from) {
  EventRow row;
  row.lsn = from.number(0);
  row.time = from.number(1);
  int column = 1;
  for (auto* const text : {&row.owner, &row.session_id, &row.utterance_id, &row.kind, &row.actor})
    *text = from.text(++column);
  row.cause = from.number(++column);
  auto data = parse_json(from.text(++column));
  row.data = data ? std::move(*data) : Json();
  return row;
}

}  // namespace

std::string id_of(std::int64_t lsn) {
  return fmt::format("log_{}", lsn);
}

std::vector<EventRow> list(Database& database, const EventFilter& filter) {
  const bool by_session = !filter.session_id.empty() && !filter.owner.empty();
  const bool by_time = filter.since > 0;
  // A condition that an index serves is there for it only where it is asked for.
  Statement found = database.query(fmt::format(
      "SELECT lsn, time, owner, session_id, utterance_id, kind, actor, coalesce(cause, 0), data FROM event "
      "WHERE {} AND lsn > ?3 AND {} AND (?6 = '' OR kind = ?6) AND "
      "(?7 = '' OR actor = ?7 OR utterance_id IN (SELECT utterance_id FROM turn WHERE turn.utterance_id = "
      "event.utterance_id AND skill_id = ?7)) AND "
      "(?8 = '' OR EXISTS (SELECT 1 FROM turn WHERE turn.utterance_id = event.utterance_id AND outcome = "
      "?8)) "
      "ORDER BY lsn LIMIT ?9",
      by_session ? "owner = ?1 AND session_id = ?2"
                 : "(?1 = '' OR owner = ?1) AND (?2 = '' OR session_id = ?2)",
      by_time ? "time >= ?4 AND time < ?5" : "+time >= ?4 AND +time < ?5"));
  found.bind(filter.owner).bind(filter.session_id).bind(filter.after).bind(filter.since).bind(filter.until);
  found.bind(filter.kind).bind(filter.skill_id).bind(filter.outcome);
  found.bind(static_cast<std::int64_t>(filter.limit));
  std::vector<EventRow> rows;
  while (found.step()) rows.push_back(event_of(found));
  return rows;
}

std::int64_t add(Database& database, const EventRow& event) {
  Statement put = database.query(
      "INSERT INTO event (time, owner, session_id, utterance_id, kind, actor, cause, data) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  put.bind(event.time).bind(event.owner).bind(event.session_id).bind(event.utterance_id).bind(event.kind);
  put.bind(event.actor);
  if (event.cause != 0) {
    put.bind(event.cause);
  } else {
    put.bind_null();
  }
  put.bind(event.data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)).run();
  return database.last_row();
}

}  // namespace parley::events
