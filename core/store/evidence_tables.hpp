#pragma once

namespace parley {

/// What is derived from the log: objects, edges between them, what they were before, and words by which they
/// are found. `scopes` are tokens that say whose an object is, so that the match itself keeps to what the
/// caller may see; triggers keep the index, the edges and the versions with the objects, whoever erases them.
inline constexpr char kEvidenceTables[] = R"(
CREATE TABLE object (
  row INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  memory_type TEXT NOT NULL, summary TEXT NOT NULL, scope TEXT NOT NULL, tenant_id TEXT NOT NULL,
  workspace_id TEXT NOT NULL, agent_id TEXT NOT NULL, session_id TEXT NOT NULL, lang TEXT NOT NULL,
  time INTEGER NOT NULL, logged INTEGER NOT NULL, kept INTEGER NOT NULL, version INTEGER NOT NULL,
  lsn INTEGER NOT NULL, sources TEXT NOT NULL, topic TEXT NOT NULL, value TEXT NOT NULL,
  superseded_by TEXT NOT NULL, importance INTEGER NOT NULL, scopes TEXT NOT NULL, terms TEXT NOT NULL);
CREATE UNIQUE INDEX object_by_id ON object (owner, id);
CREATE INDEX object_by_session ON object (owner, session_id, time);
CREATE INDEX object_by_time ON object (owner, time);
CREATE INDEX object_by_logged ON object (logged);
CREATE INDEX object_by_topic ON object (owner, topic) WHERE topic <> '';
CREATE TABLE edge (
  owner TEXT NOT NULL, src TEXT NOT NULL, type TEXT NOT NULL, dst TEXT NOT NULL, weight INTEGER NOT NULL,
  cause TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (owner, src, type, dst)) WITHOUT ROWID;
CREATE INDEX edge_by_end ON edge (owner, dst);
CREATE TABLE object_version (
  owner TEXT NOT NULL, object_id TEXT NOT NULL, version INTEGER NOT NULL, event_id TEXT NOT NULL,
  time INTEGER NOT NULL, session_id TEXT NOT NULL, summary TEXT NOT NULL,
  PRIMARY KEY (owner, object_id, version)) WITHOUT ROWID;
CREATE VIRTUAL TABLE object_text USING fts5(
  scopes, terms, content='object', content_rowid='row', detail='column',
  tokenize='unicode61 remove_diacritics 0');
CREATE TRIGGER object_comes AFTER INSERT ON object BEGIN
  INSERT INTO object_text (rowid, scopes, terms) VALUES (new.row, new.scopes, new.terms);
END;
CREATE TRIGGER object_changes AFTER UPDATE OF scopes, terms ON object
  WHEN old.scopes <> new.scopes OR old.terms <> new.terms BEGIN
  INSERT INTO object_text (object_text, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
  INSERT INTO object_text (rowid, scopes, terms) VALUES (new.row, new.scopes, new.terms);
END;
CREATE TRIGGER object_goes AFTER DELETE ON object BEGIN
  INSERT INTO object_text (object_text, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
  DELETE FROM edge WHERE owner = old.owner AND src = old.id;
  DELETE FROM edge WHERE owner = old.owner AND dst = old.id;
  DELETE FROM object_version WHERE owner = old.owner AND object_id = old.id;
END;
CREATE INDEX event_by_turn ON event (utterance_id) WHERE utterance_id <> '';
INSERT INTO counter VALUES ('evidence', 0);
)";

/// What is old is found by an index of its own (`cold` is 1), so that the one for everyday questions stays
/// small.
inline constexpr char kColdEvidence[] = R"(
ALTER TABLE object ADD COLUMN cold INTEGER NOT NULL DEFAULT 0;
CREATE INDEX object_by_heat ON object (time) WHERE cold = 0;
CREATE VIRTUAL TABLE object_cold USING fts5(
  scopes, terms, content='object', content_rowid='row', detail='column',
  tokenize='unicode61 remove_diacritics 0');
DROP TRIGGER object_changes;
DROP TRIGGER object_goes;
CREATE TRIGGER object_changes AFTER UPDATE OF scopes, terms ON object
  WHEN old.cold = 0 AND new.cold = 0 AND (old.scopes <> new.scopes OR old.terms <> new.terms) BEGIN
  INSERT INTO object_text (object_text, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
  INSERT INTO object_text (rowid, scopes, terms) VALUES (new.row, new.scopes, new.terms);
END;
CREATE TRIGGER object_changes_cold AFTER UPDATE OF scopes, terms ON object
  WHEN old.cold = 1 AND new.cold = 1 AND (old.scopes <> new.scopes OR old.terms <> new.terms) BEGIN
  INSERT INTO object_cold (object_cold, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
  INSERT INTO object_cold (rowid, scopes, terms) VALUES (new.row, new.scopes, new.terms);
END;
CREATE TRIGGER object_cools AFTER UPDATE OF cold ON object WHEN old.cold = 0 AND new.cold = 1 BEGIN
  INSERT INTO object_text (object_text, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
  INSERT INTO object_cold (rowid, scopes, terms) VALUES (new.row, new.scopes, new.terms);
END;
CREATE TRIGGER object_warms AFTER UPDATE OF cold ON object WHEN old.cold = 1 AND new.cold = 0 BEGIN
  INSERT INTO object_cold (object_cold, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
  INSERT INTO object_text (rowid, scopes, terms) VALUES (new.row, new.scopes, new.terms);
END;
CREATE TRIGGER object_goes AFTER DELETE ON object BEGIN
  DELETE FROM edge WHERE owner = old.owner AND src = old.id;
  DELETE FROM edge WHERE owner = old.owner AND dst = old.id;
  DELETE FROM object_version WHERE owner = old.owner AND object_id = old.id;
END;
CREATE TRIGGER object_goes_warm AFTER DELETE ON object WHEN old.cold = 0 BEGIN
  INSERT INTO object_text (object_text, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
END;
CREATE TRIGGER object_goes_cold AFTER DELETE ON object WHEN old.cold = 1 BEGIN
  INSERT INTO object_cold (object_cold, rowid, scopes, terms) VALUES ('delete', old.row, old.scopes, old.terms);
END;
)";

}  // namespace parley
