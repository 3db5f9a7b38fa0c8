#include "evidence/objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/json.hpp>

#include "evidence/terms.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

std::string sources_text(const std::vector<std::string>& sources) {
  return Json(sources).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> read_sources(const std::string& text) {
  std::vector<std::string> sources;
  const auto list = parse_json(text);
  if (!list || !list->is_array()) return sources;
  for (const auto& one : *list) {
    if (one.is_string()) sources.push_back(one.get<std::string>());
  }
  return sources;
}

}  // namespace

Object object_of(const Statement& row) {
  Object object;
  int column = 0;
  for (auto* const text :
       {&object.owner, &object.id, &object.type, &object.memory_type, &object.summary, &object.scope,
        &object.tenant_id, &object.workspace_id, &object.agent_id, &object.session_id, &object.lang})
    *text = row.text(column++);
  object.time = row.number(column++);
  object.logged = row.number(column++);
  object.kept = row.number(column++) != 0;
  object.version = row.number(column++);
  object.lsn = row.number(column++);
  object.sources = read_sources(row.text(column++));
  object.topic = row.text(column++);
  object.value = row.text(column++);
  object.superseded_by = row.text(column++);
  object.importance = static_cast<int>(row.number(column));
  return object;
}

std::optional<Object> find_object(Database& database, const std::string& owner, const std::string& id) {
  static const std::string* const sql =
      new std::string(fmt::format("SELECT {} FROM object o WHERE o.owner = ? AND o.id = ?", kObjectColumns));
  Statement found = database.query(*sql);
  if (!found.bind(owner).bind(id).step()) return std::nullopt;
  return object_of(found);
}

void put_object(Database& database, const Object& object, const std::string& event_id) {
  {
    Statement put = database.query(
        "INSERT INTO object (owner, id, type, memory_type, summary, scope, tenant_id, workspace_id, "
        "agent_id, "
        "session_id, lang, time, logged, kept, version, lsn, sources, topic, value, superseded_by, "
        "importance, scopes, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?) ON CONFLICT (owner, id) DO UPDATE SET type = excluded.type, memory_type = "
        "excluded.memory_type, summary = excluded.summary, scope = excluded.scope, tenant_id = "
        "excluded.tenant_id, workspace_id = excluded.workspace_id, agent_id = excluded.agent_id, session_id "
        "= excluded.session_id, lang = excluded.lang, time = excluded.time, logged = excluded.logged, kept = "
        "excluded.kept, version = excluded.version, lsn = excluded.lsn, sources = excluded.sources, topic = "
        "excluded.topic, cold = 0, value = excluded.value, superseded_by = excluded.superseded_by, "
        "importance = "
        "excluded.importance, scopes = excluded.scopes, terms = excluded.terms");
    for (const auto* const text :
         {&object.owner, &object.id, &object.type, &object.memory_type, &object.summary, &object.scope,
          &object.tenant_id, &object.workspace_id, &object.agent_id, &object.session_id, &object.lang})
      put.bind(*text);
    put.bind(object.time).bind(object.logged).bind(std::int64_t{object.kept ? 1 : 0}).bind(object.version);
    put.bind(object.lsn).bind(sources_text(object.sources)).bind(object.topic).bind(object.value);
    put.bind(object.superseded_by).bind(std::int64_t{object.importance}).bind(scope_tokens(object));
    put.bind(index_terms(object.summary, object.lang)).run();
  }
  Statement version = database.query(
      "INSERT OR REPLACE INTO object_version (owner, object_id, version, event_id, time, session_id, "
      "summary) "
      "VALUES (?, ?, ?, ?, ?, ?, ?)");
  version.bind(object.owner).bind(object.id).bind(object.version).bind(event_id).bind(object.time);
  version.bind(object.session_id).bind(object.summary).run();
}

std::int64_t put_next(Database& database, Object object, const std::string& event_id) {
  if (const auto before = find_object(database, object.owner, object.id)) {
    object.version = before->version + 1;
    std::vector<std::string> sources = before->sources;
    for (const auto& source : object.sources) {
      if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
    }
    if (sources.size() > kMostSources)
      sources.erase(sources.begin(), sources.end() - static_cast<std::ptrdiff_t>(kMostSources));
    object.sources = std::move(sources);
  }
  put_object(database, object, event_id);
  return object.version;
}

void supersede(Database& database, const std::string& owner, const std::string& id, const std::string& by) {
  database.query("UPDATE object SET superseded_by = ? WHERE owner = ? AND id = ?")
      .bind(by)
      .bind(owner)
      .bind(id)
      .run();
}

void put_edge(Database& database, const Edge& edge) {
  Statement put = database.query(
      "INSERT OR IGNORE INTO edge (owner, src, type, dst, weight, cause, time) VALUES (?, ?, ?, ?, ?, ?, ?)");
  put.bind(edge.owner).bind(edge.src).bind(edge.type).bind(edge.dst).bind(std::int64_t{edge.weight});
  put.bind(edge.cause).bind(edge.time).run();
}

std::vector<Edge> edges_of(Database& database, const std::string& owner, const std::string& id,
                           std::size_t most) {
  Statement found = database.query(
      "SELECT src, type, dst, weight, cause, time FROM edge WHERE owner = ?1 AND src = ?2 UNION SELECT src, "
      "type, dst, weight, cause, time FROM edge WHERE owner = ?1 AND dst = ?2 ORDER BY 1, 2, 3 LIMIT ?3");
  found.bind(owner).bind(id).bind(static_cast<std::int64_t>(most));
  std::vector<Edge> edges;
  while (found.step()) {
    Edge edge(found.text(0), found.text(1), found.text(2), found.text(4), found.number(5));
    edge.owner = owner;
    edge.weight = static_cast<int>(found.number(3));
    edges.push_back(std::move(edge));
  }
  return edges;
}

std::vector<Version> versions_of(Database& database, const std::string& owner, const std::string& id,
                                 std::size_t most) {
  Statement found = database.query(
      "SELECT version, event_id, time, summary FROM object_version WHERE owner = ? AND object_id = ? ORDER "
      "BY "
      "version DESC LIMIT ?");
  found.bind(owner).bind(id).bind(static_cast<std::int64_t>(most));
  std::vector<Version> versions;
  while (found.step()) {
    Version version;
    version.object_id = id;
    version.version = found.number(0);
    version.event_id = found.text(1);
    version.time = found.number(2);
    version.summary = found.text(3);
    versions.push_back(std::move(version));
  }
  return versions;
}

}  // namespace parley::evidence
