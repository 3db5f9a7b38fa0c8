// Sessions and values in the store's tables: what becomes of them in time, and of files of earlier versions.
#include <doctest/doctest.h>

#include <parley/session.hpp>
#include <stdexcept>

#include "store/open.hpp"
#include "store/schema.hpp"
#include "store/session_rows.hpp"
#include "store/values.hpp"
#include "support/temporary_folder.hpp"

using parley::Database;
using parley::StoragePlace;
using parley::StorageScope;
using parley::testing::TemporaryFolder;

TEST_CASE("store: a file of the first version is brought up to date, and nothing in it is lost") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  {
    Database old(file, Database::Access::kCreate);
    old.run(R"(
CREATE TABLE counter (name TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counter VALUES ('version', 7), ('schedule', 0);
CREATE TABLE value (
  skill_id TEXT NOT NULL, scope INTEGER NOT NULL, owner TEXT NOT NULL, session_id TEXT NOT NULL,
  key TEXT NOT NULL, json TEXT NOT NULL, version INTEGER NOT NULL, changed INTEGER NOT NULL,
  PRIMARY KEY (skill_id, scope, owner, session_id, key)) WITHOUT ROWID;
INSERT INTO value VALUES ('test.skill', 0, '', '', 'milk', '2', 7, 1);
CREATE TABLE schedule (
  id TEXT PRIMARY KEY, skill_id TEXT NOT NULL, name TEXT NOT NULL, payload TEXT NOT NULL, due INTEGER NOT NULL,
  rule TEXT, zone TEXT NOT NULL, owner TEXT NOT NULL, session_id TEXT NOT NULL, lang TEXT NOT NULL,
  context TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE session (
  owner TEXT NOT NULL, id TEXT NOT NULL, opened INTEGER NOT NULL, last_turn INTEGER NOT NULL,
  turns INTEGER NOT NULL, snapshot TEXT NOT NULL, PRIMARY KEY (owner, id)) WITHOUT ROWID;
INSERT INTO session VALUES ('local', 'me', 1, 2, 3, '{"session_id":"me","persona_id":"known"}');
CREATE TABLE event (
  lsn INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, owner TEXT NOT NULL, session_id TEXT NOT NULL,
  utterance_id TEXT NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL, cause INTEGER, data TEXT NOT NULL);
CREATE INDEX event_by_session ON event (owner, session_id);
CREATE INDEX event_by_time ON event (time);
CREATE TABLE turn (
  row INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, utterance_id TEXT NOT NULL, owner TEXT NOT NULL,
  session_id TEXT NOT NULL, lang TEXT, said TEXT, answers TEXT, outcome TEXT, skill_id TEXT, intent_name TEXT,
  pipeline_id TEXT, error TEXT, trace TEXT);
CREATE INDEX turn_by_session ON turn (owner, session_id);
CREATE INDEX turn_by_id ON turn (utterance_id);
CREATE INDEX turn_by_time ON turn (time);
PRAGMA application_id = 1885434476;
PRAGMA user_version = 1;
)");
  }
  const auto database = parley::open_store_file(file);
  CHECK(database->number("PRAGMA user_version") == parley::kSchemaVersion);
  CHECK(parley::values::get(*database, StoragePlace("test.skill", StorageScope::kHousehold, "", ""), "milk")
            ->json == "2");
  const auto session = parley::kept_sessions::find(*database, "local", "me", 0);
  REQUIRE(session);
  CHECK(session->state == parley::SessionState::kOpen);
  CHECK(session->turns == 3);
  REQUIRE(session->snapshot);
  CHECK(session->snapshot->persona_id == "known");
}

TEST_CASE("K-5 sessions: one is idle without a turn, closed without one for longer, and its values go last") {
  Database database(Database::kMemory, Database::Access::kCreate);
  parley::migrate(database);
  parley::Session session("me");
  session.converse_handlers = std::vector<parley::ActiveHandler>{};
  session.persona_id = "known";
  parley::kept_sessions::put(database, "local", session, 90, 100);
  const StoragePlace place("test.skill", StorageScope::kSession, "local", "me");
  parley::values::write(database, place, "cup", "1", std::nullopt, 100);
  const auto state = [&](std::int64_t idle_before) {
    const auto found = parley::kept_sessions::find(database, "local", "me", idle_before);
    return found ? std::string(parley::to_string(found->state)) : "gone";
  };
  CHECK(state(100) == "open");
  CHECK(parley::kept_sessions::get(database, "local", "me", 100)->converse_handlers);
  CHECK(state(101) == "idle");
  CHECK_FALSE(parley::kept_sessions::get(database, "local", "me", 101)->converse_handlers);
  CHECK(parley::kept_sessions::get(database, "local", "me", 101)->persona_id == "known");
  parley::kept_sessions::sweep(database, 100, 0, 200);
  CHECK(state(101) == "idle");
  parley::kept_sessions::sweep(database, 101, 0, 200);
  CHECK(state(101) == "closed");
  CHECK_FALSE(parley::kept_sessions::get(database, "local", "me"));
  CHECK(database.number("SELECT count(*) FROM event WHERE kind = 'session_closed'") == 1);
  CHECK(parley::values::get(database, place, "cup"));
  parley::kept_sessions::sweep(database, 101, 200, 300);
  CHECK(state(101) == "closed");
  parley::kept_sessions::sweep(database, 101, 201, 300);
  CHECK(state(101) == "gone");
  CHECK_FALSE(parley::values::get(database, place, "cup"));
}

TEST_CASE("K-5 sessions: a turn that began before its session was closed does not open it again") {
  Database database(Database::kMemory, Database::Access::kCreate);
  parley::migrate(database);
  const parley::Session session("me");
  parley::kept_sessions::put(database, "local", session, 10, 20);
  CHECK(parley::kept_sessions::close(database, "local", "me", 40));
  CHECK_FALSE(parley::kept_sessions::close(database, "local", "me", 41));
  CHECK(parley::kept_sessions::put(database, "local", session, 30, 50) == parley::SessionState::kClosed);
  parley::kept_sessions::count_turn(database, "local", "me", 30, 50);
  CHECK(parley::kept_sessions::find(database, "local", "me", 0)->state == parley::SessionState::kClosed);
  CHECK(parley::kept_sessions::put(database, "local", session, 60, 70) == parley::SessionState::kOpen);
}

TEST_CASE("K-2 storage: a skill keeps things for a bounded number of sessions of an owner") {
  Database database(Database::kMemory, Database::Access::kCreate);
  parley::migrate(database);
  const auto put_in = [&](const std::string& owner, std::size_t number) {
    const StoragePlace place("test.skill", StorageScope::kSession, owner, std::to_string(number));
    parley::values::write(database, place, "cup", "1", std::nullopt, 1);
  };
  database.run("BEGIN");
  database.run(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) INSERT INTO value "
      "SELECT 'test.skill', 2, 'anna', 'session ' || i, 'cup', '1', 1, 1 FROM n");
  CHECK_THROWS_AS(put_in("anna", 10'001), std::invalid_argument);
  put_in("bert", 1);
  database.run("DELETE FROM value WHERE session_id = 'session 7'");
  put_in("anna", 10'001);
  database.run("COMMIT");
}
