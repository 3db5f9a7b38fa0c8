#include "evidence/objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  object.importance = static_cast<int>(row.number(column++));
  object.changed_by = row.text(column);
  return object;
}

std::optional<Object> find_object(Database& database, const std::string& owner, const std::string& id) {
  static const std::string* const sql =
      new std::string(fmt::format("SELECT {} FROM object o WHERE o.owner = ? AND o.id = ?", kObjectColumns));
  Statement found = database.query(*sql);
  if (!found.bind(owner).bind(id).step()) return std::nullopt;
  return object_of(found);
}

/// @param owner  empty: the domain is not one owner's
std::int64_t ObjectWriter::find(Domain& domain, const std::string& owner, const Object& object) {
  const bool is_same = domain.id != 0 && domain.owner == owner && domain.tenant_id == object.tenant_id &&
                       domain.workspace_id == object.workspace_id;
  if (is_same) return domain.id;
  domain.id = 0;
  domain.owner = owner;
  domain.tenant_id = object.tenant_id;
  domain.workspace_id = object.workspace_id;
  {
    Statement known = database_.query(
        "SELECT id FROM domain WHERE kind = ? AND owner = ? AND tenant_id = ? AND workspace_id = ?");
    known.bind(domain.kind).bind(owner).bind(object.tenant_id).bind(object.workspace_id);
    if (known.step()) return domain.id = known.number(0);
  }
  Statement add =
      database_.query("INSERT INTO domain (kind, owner, tenant_id, workspace_id) VALUES (?, ?, ?, ?)");
  add.bind(domain.kind).bind(owner).bind(object.tenant_id).bind(object.workspace_id).run();
  return domain.id = database_.last_row();
}

const std::string& ObjectWriter::tokens_of(const Object& object) {
  const bool is_same = !tokens_.empty() && owner_ == object.owner && agent_id_ == object.agent_id &&
                       session_id_ == object.session_id;
  if (is_same) return tokens_;
  owner_ = object.owner;
  agent_id_ = object.agent_id;
  session_id_ = object.session_id;
  return tokens_ = agent_token(owner_, agent_id_) + ' ' + session_token(owner_, session_id_);
}

/// Binds what changes with each version, in which both statements have them.
void ObjectWriter::bind_changing(Statement& put, const Object& object) {
  for (const auto* const text :
       {&object.type, &object.memory_type, &object.summary, &object.scope, &object.tenant_id,
        &object.workspace_id, &object.agent_id, &object.session_id, &object.lang})
    put.bind(*text);
  put.bind(object.time).bind(object.logged).bind(std::int64_t{object.kept ? 1 : 0}).bind(object.version);
  put.bind(object.lsn).bind(sources_text(object.sources)).bind(object.topic).bind(object.value);
  put.bind(object.superseded_by).bind(std::int64_t{object.importance});
  put.bind(kind_tokens(object) + ' ' + tokens_of(object));
  put.bind(object.terms.empty() ? index_terms(object.summary, object.lang) : object.terms);
  const bool is_shared = object.scope == "shared";
  const bool is_open = is_shared || object.scope == "workspace";
  put.bind(find(own_, object.owner, object));
  put.bind(is_open ? find(workspace_, "", object) : 0);
  put.bind(is_shared ? find(shared_, "", object) : 0);
}

void ObjectWriter::put(const Object& object, const std::string& event_id) {
  bool is_new = false;
  {
    // Not "ON CONFLICT DO UPDATE": with that every new row would cost a savepoint.
    Statement put = database_.query(
        "INSERT OR IGNORE INTO object (type, memory_type, summary, scope, tenant_id, workspace_id, agent_id, "
        "session_id, lang, time, logged, kept, version, lsn, sources, topic, value, superseded_by, "
        "importance, scopes, terms, own_domain, workspace_domain, shared_domain, changed_by, owner, id) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bind_changing(put, object);
    put.bind(event_id);
    put.bind(object.owner).bind(object.id).run();
    is_new = database_.changed() > 0;
  }
  if (is_new) return;
  Statement before = database_.query(
      "INSERT OR REPLACE INTO object_version (owner, object_id, version, event_id, time, session_id, "
      "summary) "
      "SELECT owner, id, version, changed_by, time, session_id, summary FROM object WHERE owner = ? AND id = "
      "? "
      "AND version < ?");
  before.bind(object.owner).bind(object.id).bind(object.version).run();
  Statement change = database_.query(
      "UPDATE object SET type = ?, memory_type = ?, summary = ?, scope = ?, tenant_id = ?, workspace_id = ?, "
      "agent_id = ?, session_id = ?, lang = ?, time = ?, logged = ?, kept = ?, version = ?, lsn = ?, sources "
      "= "
      "?, topic = ?, value = ?, superseded_by = ?, importance = ?, scopes = ?, terms = ?, own_domain = ?, "
      "workspace_domain = ?, shared_domain = ?, changed_by = ?, cold = 0 WHERE owner = ? AND id = ?");
  bind_changing(change, object);
  change.bind(event_id).bind(object.owner).bind(object.id).run();
}

void index_new(Database& database) {
  database.run(
      "INSERT INTO object_text (rowid, words) SELECT row, words FROM object_words WHERE row > (SELECT last "
      "FROM indexed); UPDATE indexed SET last = (SELECT ifnull(max(row), 0) FROM object)");
}

std::int64_t ObjectWriter::put_next(Object object, const std::string& event_id) {
  if (const auto before = find_object(database_, object.owner, object.id)) {
    object.version = before->version + 1;
    std::vector<std::string> sources = before->sources;
    for (const auto& source : object.sources) {
      if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
    }
    if (sources.size() > kMostSources)
      sources.erase(sources.begin(), sources.end() - static_cast<std::ptrdiff_t>(kMostSources));
    object.sources = std::move(sources);
  }
  put(object, event_id);
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
  // Each in the order of its index, which SQLite would not take by itself for the second: of what has many
  // edges no more is read. One to itself is there once.
  constexpr std::array kEnds{
      "SELECT src, type, dst, weight, cause, time FROM edge WHERE owner = ? AND src = ? ORDER BY type, dst "
      "LIMIT ?",
      "SELECT src, type, dst, weight, cause, time FROM edge INDEXED BY edge_by_end WHERE owner = ? AND "
      "dst = ? AND src <> dst ORDER BY src, type LIMIT ?"};
  std::vector<Edge> edges;
  for (const char* const sql : kEnds) {
    Statement found = database.query(sql);
    found.bind(owner).bind(id).bind(static_cast<std::int64_t>(most - edges.size()));
    while (found.step()) {
      Edge edge(found.text(0), found.text(1), found.text(2), found.text(4), found.number(5));
      edge.owner = owner;
      edge.weight = static_cast<int>(found.number(3));
      edges.push_back(std::move(edge));
    }
  }
  return edges;
}

std::vector<Version> versions_of(Database& database, const std::string& owner, const std::string& id,
                                 std::size_t most) {
  Statement found = database.query(
      "SELECT version, changed_by, time, summary FROM object WHERE owner = ?1 AND id = ?2 UNION ALL SELECT * "
      "FROM (SELECT version, event_id, time, summary FROM object_version WHERE owner = ?1 AND object_id = ?2 "
      "ORDER BY version DESC) LIMIT ?3");
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
