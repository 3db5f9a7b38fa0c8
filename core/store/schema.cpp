#include "store/schema.hpp"

#include <array>
#include <string>

#include "store/sqlite.hpp"

namespace parley {
namespace {

/// What takes a file from one version to the next; never changed once it was released.
constexpr std::array<const char*, kSchemaVersion> kSteps{
    R"(
CREATE TABLE counter (name TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counter VALUES ('version', 0), ('schedule', 0);
CREATE TABLE value (
  skill_id TEXT NOT NULL, scope INTEGER NOT NULL, owner TEXT NOT NULL, session_id TEXT NOT NULL,
  key TEXT NOT NULL, json TEXT NOT NULL, version INTEGER NOT NULL, changed INTEGER NOT NULL,
  PRIMARY KEY (skill_id, scope, owner, session_id, key)) WITHOUT ROWID;
CREATE TABLE schedule (
  id TEXT PRIMARY KEY, skill_id TEXT NOT NULL, name TEXT NOT NULL, payload TEXT NOT NULL, due INTEGER NOT NULL,
  rule TEXT, zone TEXT NOT NULL, owner TEXT NOT NULL, session_id TEXT NOT NULL, lang TEXT NOT NULL,
  context TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX schedule_by_time ON schedule (due);
)"};

}  // namespace

void migrate(Database& database) {
  std::int64_t version = database.number("PRAGMA user_version");
  if (version >= kSchemaVersion) return;
  database.run("BEGIN IMMEDIATE");
  try {
    for (; version < kSchemaVersion; ++version) database.run(kSteps.at(static_cast<std::size_t>(version)));
    database.run(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
    database.run(("PRAGMA user_version = " + std::to_string(kSchemaVersion)).c_str());
    database.run("COMMIT");
  } catch (...) {
    database.run("ROLLBACK");
    throw;
  }
}

}  // namespace parley
