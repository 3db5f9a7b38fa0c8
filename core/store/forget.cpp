#include "store/forget.hpp"

#include <fmt/format.h>

#include "store/open.hpp"
#include "store/savepoint.hpp"
#include "store/sqlite.hpp"
#include "store/values.hpp"

namespace parley {
namespace {

bool is_timed(const ForgetWhat& what) {
  return what.since != 0 || what.until != INT64_MAX;
}

std::int64_t erase_turns(Database& database, const ForgetWhat& what, const char* sql) {
  database.query(sql)
      .bind(what.owner)
      .bind(what.owner)
      .bind(what.session_id)
      .bind(what.session_id)
      .bind(what.since)
      .bind(what.until)
      .run();
  return database.changed();
}

std::int64_t erase_of(Database& database, const ForgetWhat& what, const char* sql) {
  database.query(sql).bind(what.owner).bind(what.owner).bind(what.session_id).bind(what.session_id).run();
  return database.changed();
}

Forgotten erase_all(Database& database) {
  Forgotten gone;
  const auto erase = [&](const char* sql) {
    database.query(sql).run();
    return database.changed();
  };
  // "WHERE true": without it SQLite drops the table's pages at once, and counts nothing.
  gone.events = erase("DELETE FROM event WHERE true");
  gone.turns = erase("DELETE FROM turn WHERE true");
  gone.sessions = erase("DELETE FROM session WHERE true");
  gone.values = erase("DELETE FROM value WHERE true");
  gone.scheduled = erase("DELETE FROM schedule WHERE true");
  return gone;
}

Forgotten erase_some(Database& database, const ForgetWhat& what) {
  Forgotten gone;
  gone.events =
      erase_turns(database, what,
                  "DELETE FROM event WHERE (? = '' OR owner = ?) AND (? = '' OR session_id = ?) AND "
                  "time >= ? AND time < ?");
  gone.turns = erase_turns(database, what,
                           "DELETE FROM turn WHERE (? = '' OR owner = ?) AND (? = '' OR session_id = ?) AND "
                           "time >= ? AND time < ?");
  if (is_timed(what)) return gone;
  gone.sessions =
      erase_of(database, what, "DELETE FROM session WHERE (? = '' OR owner = ?) AND (? = '' OR id = ?)");
  gone.values = erase_of(database, what,
                         "DELETE FROM value WHERE scope <> 0 AND (? = '' OR owner = ?) AND (? = '' OR "
                         "session_id = ?)");
  gone.scheduled = erase_of(
      database, what, "DELETE FROM schedule WHERE (? = '' OR owner = ?) AND (? = '' OR session_id = ?)");
  return gone;
}

}  // namespace

Forgotten forget(const std::filesystem::path& file, const ForgetWhat& what) {
  if (!std::filesystem::exists(file))
    throw StoreRefused(fmt::format("there is no store '{}': nothing is kept there", file.string()));
  const StoreLock lock(file, "parley forget");
  const auto database = open_store_file(file);
  Forgotten gone;
  const std::string failure = failure_in(file, [&] {
    database->run("BEGIN IMMEDIATE");
    gone = what.everything ? erase_all(*database) : erase_some(*database, what);
    database->run("COMMIT");
    database->run("PRAGMA wal_checkpoint(TRUNCATE)");
  });
  if (!failure.empty()) throw StoreRefused(failure);
  return gone;
}

}  // namespace parley
