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

/// The index holds each word behind the number of a domain: what is one owner's in one place, what is open to
/// a workspace, what was shared there. So a question reads what its caller may see and nothing else, however
/// much there is of others. Rows get into the index many at a time (`indexed` names the last that is in it):
/// FTS5 writes all that it gathered at every savepoint, and each statement that fires a trigger is one. What
/// an object was made by is in its row; only what it was before has rows of its own.
inline constexpr char kDomains[] = R"(
CREATE TABLE domain (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, owner TEXT NOT NULL, tenant_id TEXT NOT NULL,
  workspace_id TEXT NOT NULL, UNIQUE (kind, owner, tenant_id, workspace_id));
CREATE TABLE indexed (last INTEGER NOT NULL);
INSERT INTO indexed VALUES (0);
DROP TRIGGER object_comes;
DROP TRIGGER object_changes;
DROP TRIGGER object_changes_cold;
DROP TRIGGER object_cools;
DROP TRIGGER object_warms;
DROP TRIGGER object_goes_warm;
DROP TRIGGER object_goes_cold;
DROP TABLE object_text;
DROP TABLE object_cold;
ALTER TABLE object ADD COLUMN own_domain INTEGER NOT NULL DEFAULT 0;
ALTER TABLE object ADD COLUMN workspace_domain INTEGER NOT NULL DEFAULT 0;
ALTER TABLE object ADD COLUMN shared_domain INTEGER NOT NULL DEFAULT 0;
ALTER TABLE object ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
CREATE INDEX object_by_domain ON object (workspace_domain, time) WHERE workspace_domain <> 0;
CREATE VIEW object_words AS SELECT row, cold,
  own_domain || replace(scopes, ' ', ' ' || own_domain) ||
    CASE terms WHEN '' THEN '' ELSE ' ' || own_domain || '_' || replace(terms, ' ', ' ' || own_domain || '_') END ||
  CASE workspace_domain WHEN 0 THEN '' ELSE ' ' || workspace_domain || replace(scopes, ' ', ' ' || workspace_domain) ||
    CASE terms WHEN '' THEN '' ELSE ' ' || workspace_domain || '_' || replace(terms, ' ', ' ' || workspace_domain || '_') END
  END ||
  CASE shared_domain WHEN 0 THEN '' ELSE ' ' || shared_domain || replace(scopes, ' ', ' ' || shared_domain) ||
    CASE terms WHEN '' THEN '' ELSE ' ' || shared_domain || '_' || replace(terms, ' ', ' ' || shared_domain || '_') END
  END AS words FROM object;
CREATE VIRTUAL TABLE object_text USING fts5(
  words, content='object_words', content_rowid='row', detail='none', columnsize=0, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE object_cold USING fts5(
  words, content='object_words', content_rowid='row', detail='none', columnsize=0, tokenize="ascii tokenchars '_'");
CREATE TRIGGER object_changes_from BEFORE UPDATE OF scopes, terms, own_domain, workspace_domain, shared_domain, cold
  ON object WHEN old.cold = 0 AND old.row <= (SELECT last FROM indexed)
  AND (old.scopes, old.terms, old.own_domain, old.workspace_domain, old.shared_domain, old.cold) IS NOT
  (new.scopes, new.terms, new.own_domain, new.workspace_domain, new.shared_domain, new.cold) BEGIN
  INSERT INTO object_text (object_text, rowid, words) SELECT 'delete', row, words FROM object_words WHERE row = old.row;
END;
CREATE TRIGGER object_changes_from_cold BEFORE UPDATE OF scopes, terms, own_domain, workspace_domain, shared_domain, cold
  ON object WHEN old.cold = 1 AND old.row <= (SELECT last FROM indexed)
  AND (old.scopes, old.terms, old.own_domain, old.workspace_domain, old.shared_domain, old.cold) IS NOT
  (new.scopes, new.terms, new.own_domain, new.workspace_domain, new.shared_domain, new.cold) BEGIN
  INSERT INTO object_cold (object_cold, rowid, words) SELECT 'delete', row, words FROM object_words WHERE row = old.row;
END;
CREATE TRIGGER object_changes_to AFTER UPDATE OF scopes, terms, own_domain, workspace_domain, shared_domain, cold
  ON object WHEN new.cold = 0 AND new.row <= (SELECT last FROM indexed)
  AND (old.scopes, old.terms, old.own_domain, old.workspace_domain, old.shared_domain, old.cold) IS NOT
  (new.scopes, new.terms, new.own_domain, new.workspace_domain, new.shared_domain, new.cold) BEGIN
  INSERT INTO object_text (rowid, words) SELECT row, words FROM object_words WHERE row = new.row;
END;
CREATE TRIGGER object_changes_to_cold AFTER UPDATE OF scopes, terms, own_domain, workspace_domain, shared_domain, cold
  ON object WHEN new.cold = 1 AND new.row <= (SELECT last FROM indexed)
  AND (old.scopes, old.terms, old.own_domain, old.workspace_domain, old.shared_domain, old.cold) IS NOT
  (new.scopes, new.terms, new.own_domain, new.workspace_domain, new.shared_domain, new.cold) BEGIN
  INSERT INTO object_cold (rowid, words) SELECT row, words FROM object_words WHERE row = new.row;
END;
CREATE TRIGGER object_goes_warm BEFORE DELETE ON object
  WHEN old.cold = 0 AND old.row <= (SELECT last FROM indexed) BEGIN
  INSERT INTO object_text (object_text, rowid, words) SELECT 'delete', row, words FROM object_words WHERE row = old.row;
END;
CREATE TRIGGER object_goes_cold BEFORE DELETE ON object
  WHEN old.cold = 1 AND old.row <= (SELECT last FROM indexed) BEGIN
  INSERT INTO object_cold (object_cold, rowid, words) SELECT 'delete', row, words FROM object_words WHERE row = old.row;
END;
)";

/// Vectors of what memories say, for those that an embedding server gave one: they go with their object, and
/// are of no use (`model` is 0) when that says something else. What is in memory follows `vector_change`.
inline constexpr char kVectors[] = R"(
CREATE TABLE vector_model (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, size INTEGER NOT NULL, UNIQUE (name, size));
CREATE TABLE vector (row INTEGER PRIMARY KEY, model INTEGER NOT NULL, bytes BLOB NOT NULL);
CREATE INDEX vector_by_model ON vector (model);
CREATE TABLE vector_change (id INTEGER PRIMARY KEY AUTOINCREMENT, row INTEGER NOT NULL);
INSERT INTO counter VALUES ('embedded', 0);
CREATE TRIGGER vector_comes AFTER INSERT ON vector BEGIN
  INSERT INTO vector_change (row) VALUES (new.row);
END;
CREATE TRIGGER vector_changes AFTER UPDATE ON vector BEGIN
  INSERT INTO vector_change (row) VALUES (new.row);
END;
CREATE TRIGGER vector_goes AFTER DELETE ON vector BEGIN
  INSERT INTO vector_change (row) VALUES (old.row);
END;
CREATE TRIGGER object_goes_with_vector AFTER DELETE ON object BEGIN
  DELETE FROM vector WHERE row = old.row;
END;
CREATE TRIGGER object_says_else AFTER UPDATE OF summary ON object WHEN old.summary <> new.summary BEGIN
  UPDATE vector SET model = 0, bytes = x'' WHERE row = old.row;
END;
CREATE TRIGGER object_moves_with_vector AFTER UPDATE OF own_domain, workspace_domain, shared_domain, agent_id,
    session_id, memory_type, time, cold ON object
  WHEN (old.own_domain, old.workspace_domain, old.shared_domain, old.agent_id, old.session_id, old.memory_type,
    old.time, old.cold) IS NOT (new.own_domain, new.workspace_domain, new.shared_domain, new.agent_id,
    new.session_id, new.memory_type, new.time, new.cold) BEGIN
  UPDATE vector SET model = model WHERE row = old.row;
END;
)";

/// Gives every object its domains, and puts all of them into an index that is empty: after tables were
/// changed, and after rows came in from elsewhere, where domains have other numbers or had none.
inline constexpr char kIndexAgain[] = R"(
UPDATE indexed SET last = 0;
INSERT INTO object_text (object_text) VALUES ('delete-all');
INSERT INTO object_cold (object_cold) VALUES ('delete-all');
INSERT OR IGNORE INTO domain (kind, owner, tenant_id, workspace_id)
  SELECT DISTINCT 'own', owner, tenant_id, workspace_id FROM object;
INSERT OR IGNORE INTO domain (kind, owner, tenant_id, workspace_id)
  SELECT DISTINCT 'workspace', '', tenant_id, workspace_id FROM object WHERE scope IN ('workspace', 'shared');
INSERT OR IGNORE INTO domain (kind, owner, tenant_id, workspace_id)
  SELECT DISTINCT 'shared', '', tenant_id, workspace_id FROM object WHERE scope = 'shared';
UPDATE object SET
  own_domain = (SELECT id FROM domain d WHERE d.kind = 'own' AND d.owner = object.owner
    AND d.tenant_id = object.tenant_id AND d.workspace_id = object.workspace_id),
  workspace_domain = ifnull((SELECT id FROM domain d WHERE d.kind = 'workspace' AND d.owner = '' AND
    d.tenant_id = object.tenant_id AND d.workspace_id = object.workspace_id AND scope IN ('workspace', 'shared')), 0),
  shared_domain = ifnull((SELECT id FROM domain d WHERE d.kind = 'shared' AND d.owner = '' AND
    d.tenant_id = object.tenant_id AND d.workspace_id = object.workspace_id AND scope = 'shared'), 0);
UPDATE object SET scopes = '_ __y' || type || CASE memory_type WHEN '' THEN '' ELSE ' __m' || memory_type END ||
  ' __a' || substr(scopes, 20, 16) || ' __s' || substr(scopes, 38, 16) WHERE substr(scopes, 1, 1) = 'o';
UPDATE object SET changed_by = ifnull((SELECT event_id FROM object_version v WHERE v.owner = object.owner
  AND v.object_id = object.id AND v.version = object.version), '') WHERE changed_by = '';
DELETE FROM object_version WHERE version = (SELECT version FROM object WHERE object.owner = object_version.owner
  AND object.id = object_id);
INSERT INTO object_text (rowid, words) SELECT row, words FROM object_words WHERE cold = 0;
INSERT INTO object_cold (rowid, words) SELECT row, words FROM object_words WHERE cold = 1;
UPDATE indexed SET last = (SELECT ifnull(max(row), 0) FROM object);
)";

/// The same words may have been said any number of times: which of them were said in an hour is in one place.
inline constexpr char kTopicsByTime[] = R"(
DROP INDEX object_by_topic;
CREATE INDEX object_by_topic ON object (owner, topic, time) WHERE topic <> '';
)";

}  // namespace parley
