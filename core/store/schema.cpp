#include "store/schema.hpp"

#include <array>
#include <string>

#include "store/evidence_tables.hpp"
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
CREATE TABLE session (
  owner TEXT NOT NULL, id TEXT NOT NULL, opened INTEGER NOT NULL, last_turn INTEGER NOT NULL,
  turns INTEGER NOT NULL, snapshot TEXT NOT NULL, PRIMARY KEY (owner, id)) WITHOUT ROWID;
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
)",
    R"(
ALTER TABLE session ADD COLUMN closed INTEGER;
CREATE INDEX session_by_turn ON session (last_turn);
CREATE INDEX session_by_id ON session (id);
)",           kEvidenceTables, "ALTER TABLE turn ADD COLUMN started INTEGER NOT NULL DEFAULT 0",
    kColdEvidence, kDomains,        kVectors,
    kTopicsByTime};

}  // namespace

const char* schema_step(std::int64_t version) {
  return kSteps.at(static_cast<std::size_t>(version - 1));
}

void migrate(Database& database) {
  std::int64_t version = database.number("PRAGMA user_version");
  if (version >= kSchemaVersion) return;
  constexpr std::int64_t kWithDomains = 6;
  const std::int64_t found = version;
  database.run("BEGIN IMMEDIATE");
  try {
    for (; version < kSchemaVersion; ++version) database.run(schema_step(version + 1));
    if (found < kWithDomains) database.run(kIndexAgain);
    database.run(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
    database.run(("PRAGMA user_version = " + std::to_string(kSchemaVersion)).c_str());
    database.run("COMMIT");
  } catch (...) {
    database.run("ROLLBACK");
    throw;
  }
}

}  // namespace parley
