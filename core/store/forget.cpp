#include "store/forget.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/open.hpp"
#include "store/savepoint.hpp"
#include "store/sqlite.hpp"
#include "store/values.hpp"

namespace parley {
namespace {

bool is_timed(const ForgetWhat& what) {
  return what.since != 0 || what.until != INT64_MAX;
}

/// Runs a deletion whose parameters are owner, session, since and until, in this order and as often as it
/// names them.
std::int64_t erase(Database& database, const ForgetWhat& what, const char* sql) {
  database.query(sql).bind(what.owner).bind(what.session_id).bind(what.since).bind(what.until).run();
  return database.changed();
}

// "WHERE true" and its like: without a condition SQLite drops the table's pages at once, and counts nothing.

std::int64_t erase_events(Database& database, const ForgetWhat& what) {
  return erase(database, what,
               "DELETE FROM event WHERE (?1 = '' OR owner = ?1) AND (?2 = '' OR session_id = ?2) AND "
               "((time >= ?3 AND time < ?4) OR lsn IN (SELECT o.lsn FROM object o WHERE o.type = 'event' AND "
               "o.time >= ?3 AND o.time < ?4))");  // one from outside is of the time that it says itself, too
}

/// What was made of events; triggers take the index, edges and versions along.
std::int64_t erase_objects(Database& database, const ForgetWhat& what) {
  const std::int64_t gone =
      erase(database, what,
            "DELETE FROM object WHERE (?1 = '' OR owner = ?1) AND (?2 = '' OR session_id = ?2) AND "
            "((time >= ?3 AND time < ?4) OR (logged >= ?3 AND logged < ?4))");
  erase(database, what,
        "DELETE FROM object_version WHERE (?1 = '' OR owner = ?1) AND (?2 = '' OR session_id = ?2) AND "
        "time >= ?3 AND time < ?4");
  return gone;
}

std::int64_t erase_turns(Database& database, const ForgetWhat& what) {
  return erase(database, what,
               "DELETE FROM turn WHERE (?1 = '' OR owner = ?1) AND (?2 = '' OR session_id = ?2) AND "
               "time >= ?3 AND time < ?4");
}

std::int64_t erase_sessions(Database& database, const ForgetWhat& what) {
  if (is_timed(what)) return 0;
  return erase(database, what,
               "DELETE FROM session WHERE (?1 = '' OR owner = ?1) AND (?2 = '' OR id = ?2) AND ?3 <= ?4");
}

std::int64_t erase_values(Database& database, const ForgetWhat& what) {
  if (is_timed(what)) return 0;
  if (what.everything) {
    database.query("DELETE FROM value WHERE true").run();
    return database.changed();
  }
  return erase(database, what,
               "DELETE FROM value WHERE scope <> 0 AND (?1 = '' OR owner = ?1) AND (?2 = '' OR "
               "session_id = ?2) AND ?3 <= ?4");
}

std::int64_t erase_scheduled(Database& database, const ForgetWhat& what) {
  if (is_timed(what)) return 0;
  return erase(database, what,
               "DELETE FROM schedule WHERE (?1 = '' OR owner = ?1) AND (?2 = '' OR session_id = ?2) AND "
               "?3 <= ?4");
}

/// Every kind of thing that is kept of people, with what deletes it: a table that is not here is not
/// forgotten.
struct Kind {
  std::int64_t Forgotten::*count;
  std::int64_t (*erase)(Database&, const ForgetWhat&);
};
constexpr std::array kKinds{
    Kind{&Forgotten::events, &erase_events}, Kind{&Forgotten::objects, &erase_objects},
    Kind{&Forgotten::turns, &erase_turns},   Kind{&Forgotten::sessions, &erase_sessions},
    Kind{&Forgotten::values, &erase_values}, Kind{&Forgotten::scheduled, &erase_scheduled}};

}  // namespace

void optimize_indexes(Database& database) {
  std::vector<std::string> indexes;
  {
    Statement found = database.query(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND lower(sql) LIKE 'create virtual "
        "table%fts5%'");
    while (found.step()) indexes.push_back(found.text(0));
  }
  for (const auto& name : indexes)
    database.query(fmt::format(R"(INSERT INTO "{0}"("{0}") VALUES ('optimize'))", name)).run();
}

void truncate_wal(Database& database) {
  Statement done = database.query("PRAGMA wal_checkpoint(TRUNCATE)");
  if (done.step() && done.number(0) != 0)
    throw std::runtime_error(
        "what was deleted is still in the file's -wal, because somebody has been reading for too long: end "
        "that, and try again");
}

Forgotten erase_kept(Database& database, const ForgetWhat& asked) {
  ForgetWhat what = asked;
  if (what.everything) {
    what = ForgetWhat();
    what.everything = true;
  }
  Forgotten gone;
  for (const auto& kind : kKinds) gone.*kind.count = kind.erase(database, what);
  database.query("DELETE FROM domain WHERE kind = 'own' AND id NOT IN (SELECT own_domain FROM object)").run();
  optimize_indexes(database);
  return gone;
}

Forgotten forget(const std::filesystem::path& file, const ForgetWhat& what) {
  if (!std::filesystem::exists(file))
    throw StoreRefused(fmt::format("there is no store '{}': nothing is kept there", file.string()));
  const StoreLock lock(file, "parley forget");
  const auto database = open_store_file(file);
  Forgotten gone;
  const std::string failure = failure_in(file, [&] {
    database->run("BEGIN IMMEDIATE");
    gone = erase_kept(*database, what);
    database->run("COMMIT");
    truncate_wal(*database);
  });
  if (!failure.empty()) throw StoreRefused(failure);
  return gone;
}

}  // namespace parley
