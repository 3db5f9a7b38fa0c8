#include "evidence/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evidence/objects.hpp"
#include "evidence/question_vectors.hpp"
#include "runtime/rfc3339.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr std::size_t kMostShown = 100;

double rounded(double score) {
  return std::round(score * 10'000) / 10'000;
}

std::string time_text(std::int64_t time) {
  return to_rfc3339(std::max<std::int64_t>(time, 0));
}

Json plain_object(const Object& object) {
  Json json = {
      {"object_id", object.id},         {"object_type", object.type},  {"summary", object.summary},
      {"scope", object.scope},          {"version", object.version},   {"source_refs", object.sources},
      {"time", time_text(object.time)}, {"agent_id", object.agent_id}, {"session_id", object.session_id}};
  if (!object.memory_type.empty()) json["memory_type"] = object.memory_type;
  if (!object.superseded_by.empty()) json["superseded_by"] = object.superseded_by;
  constexpr std::string_view kTold = "told:";
  if (const auto bar = object.topic.find('|'); object.topic.starts_with(kTold) && bar != std::string::npos)
    json["told"] = {{"subject", object.topic.substr(kTold.size(), bar - kTold.size())},
                    {"relation", object.topic.substr(bar + 1)},
                    {"value", object.value}};
  constexpr std::string_view kRoutine = "routine:";
  if (const auto bar = object.topic.find('|'); object.topic.starts_with(kRoutine) && bar != std::string::npos)
    json["routine"] = {{"said", object.value},
                       {"hour", std::stoi(object.topic.substr(kRoutine.size(), bar - kRoutine.size()))},
                       {"time_zone", object.topic.substr(bar + 1)}};
  return json;
}

Json edge_json(const Edge& edge) {
  return {{"edge_id", edge.id()},        {"src_object_id", edge.src},      {"dst_object_id", edge.dst},
          {"edge_type", edge.type},      {"weight", edge.weight / 1000.0}, {"cause_event_id", edge.cause},
          {"time", time_text(edge.time)}};
}

Json objects_json(const Found& found) {
  Json list = Json::array();
  for (const auto& hit : found.hits) {
    Json object = plain_object(hit.object);
    object["score"] = rounded(hit.score);
    if (hit.depth > 0) object["expanded"] = true;
    if (hit.depth == 0) object["coverage"] = rounded(hit.coverage);
    list.push_back(std::move(object));
  }
  return list;
}

Json nodes_json(const Found& found) {
  Json list = Json::array();
  if (found.edges.empty()) return list;
  for (const auto& hit : found.hits)
    list.push_back({{"object_id", hit.object.id}, {"object_type", hit.object.type}, {"depth", hit.depth}});
  return list;
}

std::string notes_of(const Object& object) {
  const std::size_t count = object.sources.size();
  std::string text = object.type == "event"
                         ? std::string("An event of the log.")
                         : fmt::format("Derived from {} event{}.", count, count == 1 ? "" : "s");
  if (object.version > 1) text += fmt::format(" Version {} of it.", object.version);
  if (!object.superseded_by.empty()) text += " Superseded by " + object.superseded_by + ".";
  return text;
}

Json provenance_json(const Found& found) {
  Json list = Json::array();
  for (const auto& hit : found.hits)
    list.push_back({{"object_id", hit.object.id},
                    {"source_event_ids", hit.object.sources},
                    {"notes", notes_of(hit.object)}});
  return list;
}

Json versions_json(const Found& found) {
  Json list = Json::array();
  for (const auto& hit : found.hits)
    list.push_back({{"object_id", hit.object.id},
                    {"object_type", hit.object.type},
                    {"version", hit.object.version},
                    {"mutation_event_id", hit.object.changed_by}});
  return list;
}

Json filters_json(const Request& request, const Reach& reach, const Found& found) {
  Json filters = {{"scope", request.scope}, {"agent_id", request.agent_id}, {"owner", reach.owner}};
  if (request.scope == "session") filters["session_id"] = request.session_id;
  if (!request.tenant_id.empty()) filters["tenant_id"] = request.tenant_id;
  if (!request.workspace_id.empty()) filters["workspace_id"] = request.workspace_id;
  Json window = Json::object();
  if (request.from) window["from"] = time_text(*request.from);
  if (request.to) window["to"] = time_text(*request.to);
  if (!window.empty()) filters["time_window"] = std::move(window);
  if (found.said_from)
    filters["time_said"] = {{"from", time_text(*found.said_from)}, {"to", time_text(*found.said_to)}};
  if (!request.object_types.empty()) filters["object_types"] = request.object_types;
  if (!request.memory_types.empty()) {
    filters["memory_types"] = request.memory_types;
    const auto& types = request.object_types;
    if (!types.empty() && std::find(types.begin(), types.end(), "memory") == types.end())
      filters["memory_types_unused"] = "object_types has no memory";
  }
  if (!request.edge_types.empty()) filters["edge_types"] = request.edge_types;
  filters["max_hops"] = request.max_hops;
  filters["top_k"] = request.top_k;
  if (request.asked_top_k != request.top_k) filters["top_k_asked"] = request.asked_top_k;
  filters["include_cold"] = request.include_cold;
  if (!request.ignored.empty()) filters["ignored"] = request.ignored;
  return filters;
}

Json proof_json(const Found& found) {
  Json seeds = Json::array();
  Json why = Json::object();
  for (const auto& hit : found.hits) {
    if (hit.depth == 0) seeds.push_back(hit.object.id);
    why[hit.object.id] = hit.why;
  }
  return {{"retrieval_paths_used", found.paths},
          {"seed_object_ids", std::move(seeds)},
          {"expanded_edge_types", found.expanded_types},
          {"assembly_steps", found.steps},
          {"reasons", std::move(why)}};
}

Json chains_json(const Request& request, const Found& found) {
  Json collaboration = Json::array();
  for (const auto& hit : found.hits) {
    if (hit.object.scope == "shared" || hit.object.scope == "workspace")
      collaboration.push_back(
          fmt::format("{} is in the scope {} by {}", hit.object.id, hit.object.scope, hit.object.agent_id));
  }
  return {{"main", found.steps},
          {"memory_pipeline", Json::array()},
          {"query", request.objects_only ? std::vector<std::string>() : found.expansion},
          {"collaboration", std::move(collaboration)}};
}

}  // namespace

Json answer(Database& database, const Request& request, const Reach& reach, const Wording& wording,
            const std::string& query_id, const Meaning* meaning) {
  const Found found = search(database, request, reach, wording, meaning);
  Json edges = Json::array();
  for (const auto& edge : found.edges) edges.push_back(edge_json(edge));
  const bool is_full = !request.objects_only;
  Json json = {{"query_id", query_id},
               {"status", found.missing.empty() ? "success" : "partial"},
               {"objects", objects_json(found)},
               {"nodes", is_full ? nodes_json(found) : Json::array()},
               {"edges", std::move(edges)},
               {"provenance", is_full ? provenance_json(found) : Json::array()},
               {"versions", is_full ? versions_json(found) : Json::array()},
               {"applied_filters", filters_json(request, reach, found)},
               {"proof_trace", proof_json(found)},
               {"chain_traces", chains_json(request, found)}};
  if (!found.missing.empty()) json["message"] = found.missing;
  if (request.debug)
    json["debug"] = {{"indexed_lsn", database.number("SELECT last FROM counter WHERE name = 'evidence'")},
                     {"lang", wording.lang}};
  if (request.debug && meaning != nullptr)
    json["debug"]["embeddings"] = {{"vectors", meaning->index->count()},
                                   {"numbers", meaning->index->size()},
                                   {"failure", meaning->failure}};
  return json;
}

Json object_answer(Database& database, const std::string& owner, const std::string& id) {
  const auto object = find_object(database, owner, id);
  if (!object) return nullptr;
  Json versions = Json::array();
  for (const auto& version : versions_of(database, owner, id, kMostShown))
    versions.push_back({{"version", version.version},
                        {"mutation_event_id", version.event_id},
                        {"time", time_text(version.time)},
                        {"summary", version.summary}});
  Json edges = Json::array();
  for (const auto& edge : edges_of(database, owner, id, kMostShown)) edges.push_back(edge_json(edge));
  return {{"object", plain_object(*object)}, {"versions", std::move(versions)}, {"edges", std::move(edges)}};
}

Json stats(Database& database) {
  Json types = Json::object();
  for (const auto type : kObjectTypes) types[std::string(type)] = 0;
  {
    Statement found = database.query("SELECT type, count(*) FROM object GROUP BY type");
    while (found.step()) types[found.text(0)] = found.number(1);
  }
  return {{"objects", std::move(types)},
          {"edges", database.number("SELECT count(*) FROM edge")},
          {"lsn",
           {{"written", database.number("SELECT ifnull(max(lsn), 0) FROM event")},
            {"indexed", database.number("SELECT last FROM counter WHERE name = 'evidence'")}}},
          {"bytes",
           {{"database",
             database.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")},
            {"index",
             database.number("SELECT (SELECT ifnull(sum(length(block)), 0) FROM object_text_data) + (SELECT "
                             "ifnull(sum(length(block)), 0) FROM object_cold_data)")}}}};
}

}  // namespace parley::evidence
