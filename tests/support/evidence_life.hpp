#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <parley/session.hpp>
#include <string>
#include <vector>

#include "evidence/answer.hpp"
#include "evidence/derive.hpp"
#include "evidence/ingest.hpp"
#include "evidence/objects.hpp"
#include "store/open.hpp"
#include "store/turn_rows.hpp"
#include "support/temporary_folder.hpp"

namespace parley::testing {

using Rows = std::vector<std::string>;

/// A store, with turns that are logged and derived from.
class Life {
 public:
  Life() : file(folder_.path() / "parley.db"), database(parley::open_store_file(file)) {}

  void happened(EventKind kind, const std::string& id, parley::Json data, std::int64_t time,
                const std::string& session = "kitchen") {
    parley::Context context;
    context.utterance_id = id;
    const auto where = std::make_shared<parley::Session>(session);
    if (!time_zone.empty()) where->location.emplace().tz = time_zone;
    context.session = where;
    rows_.add(*database, parley::Happened(kind, parley::Message("test", std::move(data), context), time));
  }
  /// A turn that a skill answers.
  void turn(const std::string& id, const std::string& said, const std::string& answer,
            std::int64_t time = 1000, const std::string& session = "kitchen") {
    happened(EventKind::kUtterance, id, {{"utterances", {said}}, {"lang", "en-US"}}, time, session);
    happened(EventKind::kMatch, id,
             {{"skill_id", "tea.test"},
              {"intent_name", "brew"},
              {"pipeline_id", "intent_high"},
              {"utterance", said},
              {"lang", "en-US"}},
             time, session);
    const parley::Json who = {{"skill_id", "tea.test"}, {"intent_name", "brew"}};
    happened(EventKind::kStart, id, who, time, session);
    happened(EventKind::kSpeech, id, {{"utterance", answer}, {"lang", "en-US"}}, time, session);
    happened(EventKind::kComplete, id, who, time, session);
    happened(EventKind::kHandled, id, parley::Json::object(), time + 10, session);
    derive();
  }
  evidence::Json tell(const std::string& id, const std::string& text, const char* memory_type = "semantic",
                      const evidence::Json& more = evidence::Json::object()) {
    evidence::Json event = {{"event_id", id},
                            {"event_type", "told"},
                            {"time", "2026-05-01T10:00:00Z"},
                            {"agent_id", "local"},
                            {"session_id", "kitchen"},
                            {"text", text},
                            {"memory_type", memory_type}};
    event.update(more);
    return evidence::ingest(*database, evidence::Caller(), evidence::make_ready({{"events", {event}}}), 2000)
        .at("results")
        .at(0);
  }
  void derive() {
    while (evidence::catch_up(*database, 100)) {
    }
  }

  bool has_edge(const std::string& src, const std::string& type, const std::string& dst) const {
    const auto edges = evidence::edges_of(*database, "local", src, 100);
    return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
      return edge.src == src && edge.type == type && edge.dst == dst && !edge.cause.empty() && edge.time > 0;
    });
  }
  evidence::Object object(const std::string& id) const {
    return evidence::find_object(*database, "local", id).value_or(evidence::Object());
  }
  /// All rows by their keys, as text.
  Rows all() const {
    Rows rows;
    for (const char* const sql :
         {"SELECT owner || id || type || memory_type || summary || scope || agent_id || session_id || time "
          "|| "
          "logged || kept || version || lsn || sources || topic || value || superseded_by || importance || "
          "scopes || terms FROM object ORDER BY owner, id",
          "SELECT owner || src || type || dst || weight || cause || time FROM edge ORDER BY owner, src, "
          "type, dst",
          "SELECT owner || object_id || version || event_id || time || summary FROM object_version ORDER BY "
          "owner, object_id, version"}) {
      auto found = database->query(sql);
      while (found.step()) rows.push_back(found.text(0));
    }
    return rows;
  }

 private:
  TemporaryFolder folder_;
  parley::TurnRows rows_;

 public:
  std::string time_zone;  ///< Of its sessions; empty: they have none of their own.
  const std::filesystem::path file;
  std::unique_ptr<Database> database;
};

/// The answer to a question of an owner, who has no token.
inline evidence::Json asked(Database& database, const std::string& owner, const std::string& text,
                            const std::string& scope) {
  const evidence::Json body = {{"query_text", text},
                               {"agent_id", owner},
                               {"session_id", "s"},
                               {"top_k", 10},
                               {"query_scope", scope},
                               {"object_types", {"memory"}},
                               {"relation_constraints", {"contradicts"}},
                               {"response_mode", "structured_evidence"}};
  const auto request = evidence::read_request(body);
  REQUIRE(request.ok());
  evidence::Caller caller;
  caller.owner = owner;
  const auto reach = evidence::reach_of(caller, owner, "s", "", "");
  REQUIRE(reach);
  return evidence::answer(database, *request, *reach, evidence::Wording(), "q");
}

inline bool has_part(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

inline std::string first_event(const Life& life, const std::string& kind) {
  auto found = life.database->query("SELECT lsn FROM event WHERE kind = ? ORDER BY lsn LIMIT 1");
  return found.bind(kind).step() ? evidence::event_id(found.number(0)) : std::string();
}

}  // namespace parley::testing
