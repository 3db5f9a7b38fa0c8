#include "evidence/candidates.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <mutex>

#include "evidence/objects.hpp"
#include "store/sqlite.hpp"

namespace parley::evidence {
namespace {

constexpr int kRow = 21;  ///< The column behind those of kObjectColumns.

std::string any_of(const std::vector<std::string>& words, const char* prefix) {
  std::string text;
  for (const auto& word : words) text += fmt::format("{}\"{}{}\"", text.empty() ? "" : " OR ", prefix, word);
  return text;
}

void narrow(std::string& tokens, const std::string& to) {
  if (!to.empty()) tokens += " AND (" + to + ")";
}

Candidate candidate_of(const Statement& row) {
  Candidate candidate(object_of(row));
  candidate.row = row.number(kRow);
  return candidate;
}

std::vector<Candidate> all_of(Statement& found, bool has_score) {
  std::vector<Candidate> list;
  while (found.step()) {
    list.push_back(candidate_of(found));
    if (has_score) list.back().score = -std::strtod(found.text(kRow + 1).c_str(), nullptr);
  }
  return list;
}

const std::string& prepared(const char* form) {
  // One text for each form: the database keeps its statement.
  static auto* const made = new std::map<std::string, std::string>();
  static auto* const mutex = new std::mutex();
  const std::lock_guard lock(*mutex);
  auto& text = (*made)[form];
  if (text.empty()) text = fmt::format(fmt::runtime(form), kObjectColumns);
  return text;
}

}  // namespace

Bounds bounds_of(const Request& request, const Reach& reach) {
  Bounds bounds;
  const std::string place =
      digest((request.tenant_id.empty() ? kDefaultTenant : request.tenant_id) + std::string("\n") +
             (request.workspace_id.empty() ? kHousehold : request.workspace_id));
  const std::string own = reach.agent_id.empty()
                              ? fmt::format("\"o{}\"", digest(reach.owner))
                              : fmt::format("\"a{}\"", digest(reach.owner + '\n' + reach.agent_id));
  if (request.scope == "shared") {
    bounds.tokens = fmt::format("\"h{}\"", place);
  } else if (request.scope == "workspace") {
    bounds.tokens = fmt::format("(\"w{}\" OR ({} AND \"n{}\"))", place, own, place);
  } else {
    bounds.owner = reach.owner;
    bounds.tokens = own;
    if (request.scope == "session")
      narrow(bounds.tokens, fmt::format("\"s{}\"", digest(reach.owner + '\n' + request.session_id)));
    if (!request.tenant_id.empty() || !request.workspace_id.empty())
      narrow(bounds.tokens, fmt::format("\"n{}\"", place));
  }
  std::vector<std::string> types = request.object_types;
  std::string kinds;
  for (const auto& type : types) {
    const bool by_memory = type == "memory" && !request.memory_types.empty();
    kinds += fmt::format("{}{}", kinds.empty() ? "" : " OR ",
                         by_memory ? any_of(request.memory_types, "m") : "\"y" + type + "\"");
  }
  // Without object types, the types of memories hold for memories alone.
  if (types.empty() && !request.memory_types.empty())
    kinds = any_of(request.memory_types, "m") + R"( OR "yevent" OR "ystate" OR "yartifact")";
  narrow(bounds.tokens, kinds);
  bounds.from = request.from.value_or(0);
  bounds.to = request.to.value_or(INT64_MAX);
  return bounds;
}

std::vector<Candidate> by_words(Database& database, const Bounds& bounds,
                                const std::vector<std::vector<std::string>>& terms, std::size_t most) {
  std::string any;
  for (const auto& stems : terms) any += (any.empty() ? "" : " OR ") + any_of(stems, "");
  if (any.empty()) return {};
  Statement found = database.query(prepared(
      "SELECT {}, o.row, object_text.rank FROM object_text JOIN object o ON o.row = object_text.rowid "
      "WHERE object_text MATCH ? AND rank MATCH 'bm25(0.0, 1.0)' AND (? = '' OR o.owner = ?) AND "
      "o.time >= ? AND o.time <= ? ORDER BY rank LIMIT ?"));
  found.bind(fmt::format("(scopes : ({})) AND (terms : ({}))", bounds.tokens, any));
  found.bind(bounds.owner).bind(bounds.owner).bind(bounds.from).bind(bounds.to);
  found.bind(static_cast<std::int64_t>(most));
  return all_of(found, true);
}

std::vector<Candidate> by_time(Database& database, const Bounds& bounds, std::size_t most) {
  Statement found = database.query(prepared(
      "SELECT {}, o.row FROM object_text JOIN object o ON o.row = object_text.rowid WHERE object_text "
      "MATCH ? AND (? = '' OR o.owner = ?) AND o.time >= ? AND o.time <= ? ORDER BY o.time DESC, "
      "o.row DESC LIMIT ?"));
  found.bind(fmt::format("scopes : ({})", bounds.tokens)).bind(bounds.owner).bind(bounds.owner);
  found.bind(bounds.from).bind(bounds.to).bind(static_cast<std::int64_t>(most));
  return all_of(found, false);
}

std::vector<Candidate> beside(Database& database, const Candidate& of) {
  std::vector<Candidate> list;
  for (const char* const form : {"SELECT {}, o.row FROM object o WHERE o.owner = ? AND o.session_id = ? AND "
                                 "(o.time, o.row) < (?, ?) AND "
                                 "o.type = 'memory' ORDER BY o.time DESC, o.row DESC LIMIT 1",
                                 "SELECT {}, o.row FROM object o WHERE o.owner = ? AND o.session_id = ? AND "
                                 "(o.time, o.row) > (?, ?) AND "
                                 "o.type = 'memory' ORDER BY o.time, o.row LIMIT 1"}) {
    Statement found = database.query(prepared(form));
    found.bind(of.object.owner).bind(of.object.session_id).bind(of.object.time).bind(of.row);
    if (found.step()) list.push_back(candidate_of(found));
  }
  return list;
}

}  // namespace parley::evidence
