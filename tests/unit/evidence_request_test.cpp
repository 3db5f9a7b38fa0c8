// What a query may say (the customer's §3 to §5 and §12), and how it is refused (§11).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "evidence/request.hpp"
#include "evidence/windows.hpp"

using parley::evidence::Json;
using parley::evidence::read_request;
using parley::evidence::Request;

namespace {

Json full_query() {
  return {{"query_text", "What blocks the plan?"},
          {"query_scope", "workspace"},
          {"session_id", "sess_a"},
          {"agent_id", "agent_a"},
          {"tenant_id", "t_demo"},
          {"workspace_id", "w_demo"},
          {"top_k", 5},
          {"time_window", {{"from", "2026-03-16T00:00:00Z"}, {"to", "2026-03-16T23:59:59Z"}}},
          {"object_types", {"memory", "state", "artifact"}},
          {"memory_types", {"semantic", "episodic"}},
          {"relation_constraints", Json::array()},
          {"response_mode", "structured_evidence"}};
}

/// The code of the full query with one field changed; empty: it is taken.
std::string code_with(const char* field, const Json& value) {
  Json query = full_query();
  query[field] = value;
  const auto read = read_request(query);
  return read ? std::string() : read.error().code;
}

std::string code_without(const char* field) {
  Json query = full_query();
  query.erase(field);
  const auto read = read_request(query);
  return read ? std::string() : read.error().code;
}

}  // namespace

TEST_CASE("query §4: the customer's example is read as it is meant") {
  const auto read = read_request(full_query().dump());
  REQUIRE(read.ok());
  CHECK(read->query_text == "What blocks the plan?");
  CHECK(read->scope == "workspace");
  CHECK(read->session_id == "sess_a");
  CHECK(read->agent_id == "agent_a");
  CHECK(read->tenant_id == "t_demo");
  CHECK(read->workspace_id == "w_demo");
  CHECK(read->top_k == 5);
  CHECK(read->from == 1'773'619'200'000);
  CHECK(read->to == 1'773'705'599'000);
  CHECK(read->object_types == std::vector<std::string>{"memory", "state", "artifact"});
  CHECK(read->memory_types == std::vector<std::string>{"semantic", "episodic"});
  CHECK(read->max_hops == 1);
  CHECK_FALSE(read->objects_only);
  CHECK(read->ignored.empty());
}

TEST_CASE("query §12.1: query_text must not be empty") {
  for (const Json& empty : {Json(""), Json(" \n"), Json(nullptr)})
    CHECK(code_with("query_text", empty) == "EMPTY_QUERY_TEXT");
  CHECK(code_without("query_text") == "EMPTY_QUERY_TEXT");
}

TEST_CASE("query §12.2: agent_id must not be empty") {
  CHECK(code_with("agent_id", "") == "EMPTY_AGENT_ID");
  CHECK(code_without("agent_id") == "EMPTY_AGENT_ID");
}

TEST_CASE("query §12.3: session_id must not be empty") {
  CHECK(code_with("session_id", "") == "EMPTY_SESSION_ID");
  CHECK(code_without("session_id") == "EMPTY_SESSION_ID");
}

TEST_CASE("query §12.4: top_k must be positive; over 200 it is 200") {
  CHECK(code_with("top_k", 0) == "INVALID_TOP_K");
  CHECK(code_with("top_k", -3) == "INVALID_TOP_K");
  CHECK(code_without("top_k") == "INVALID_TOP_K");
  Json query = full_query();
  query["top_k"] = 18'446'744'073'709'551'615U;
  const auto read = read_request(query);
  REQUIRE(read.ok());
  CHECK(read->top_k == 200);
  CHECK(read->asked_top_k > 200);
}

TEST_CASE("query §12.5: response_mode must be known; evidence is structured_evidence") {
  CHECK(code_with("response_mode", "prose") == "INVALID_RESPONSE_MODE");
  CHECK(code_without("response_mode") == "INVALID_RESPONSE_MODE");
  CHECK(code_with("response_mode", "evidence").empty());
  Json query = full_query();
  query["response_mode"] = "objects_only";
  CHECK(read_request(query)->objects_only);
}

TEST_CASE("query §12.6: values of object_types and memory_types must be known") {
  CHECK(code_with("object_types", {"memory", "dream"}) == "INVALID_OBJECT_TYPE");
  CHECK(code_with("memory_types", {"semantic", "vague"}) == "INVALID_MEMORY_TYPE");
  CHECK(code_without("object_types").empty());
  CHECK(code_without("memory_types").empty());
  CHECK(code_with("memory_types", {"episodic", "semantic", "procedural", "social", "reflective"}).empty());
}

TEST_CASE("query §12.7: relations that are not supported are refused; max_hops is 1 or 2") {
  const auto code = [](const char* one) { return code_with("relation_constraints", Json::array({one})); };
  CHECK(code("knows") == "INVALID_RELATION_CONSTRAINT");
  CHECK(code("max_hops:0") == "INVALID_RELATION_CONSTRAINT");
  CHECK(code("max_hops:3") == "INVALID_RELATION_CONSTRAINT");
  CHECK(code("max_hops:") == "INVALID_RELATION_CONSTRAINT");
  for (const char* const type : {"caused_by", "derived_from", "supports", "contradicts", "updates",
                                 "summarizes", "uses_tool", "belongs_to_task", "shared_with", "max_hops:1"})
    CHECK_MESSAGE(code(type).empty(), type);
  Json query = full_query();
  query["relation_constraints"] = {"derived_from", "max_hops:2"};
  const auto read = read_request(query);
  CHECK(read->max_hops == 2);
  CHECK(read->edge_types == std::vector<std::string>{"derived_from"});
}

TEST_CASE("query §5.4: query_scope must be known, and is session where it is missing") {
  CHECK(code_with("query_scope", "galaxy") == "INVALID_QUERY_SCOPE");
  for (const char* const scope : {"private", "session", "workspace", "shared"})
    CHECK_MESSAGE(code_with("query_scope", scope).empty(), scope);
  Json query = full_query();
  query.erase("query_scope");
  CHECK(read_request(query)->scope == "session");
}

TEST_CASE("query §5.8: a time window has times, the first not after the last; either may be missing") {
  CHECK(code_with("time_window", {{"from", "yesterday"}}) == "INVALID_TIME_WINDOW");
  CHECK(code_with("time_window", {{"from", "2026-03-17T00:00:00Z"}, {"to", "2026-03-16T00:00:00Z"}}) ==
        "INVALID_TIME_WINDOW");
  CHECK(code_with("time_window", {{"from", "2026-03-17T00:00:00Z"}}).empty());
  CHECK(code_with("time_window", {{"to", "2026-03-17T00:00:00Z"}}).empty());
  CHECK(code_with("time_window", Json::object()).empty());
}

TEST_CASE("query: a field of another type is named") {
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, Json>>{{"query_text", 7},
                                                 {"agent_id", Json::object()},
                                                 {"session_id", true},
                                                 {"tenant_id", 1},
                                                 {"workspace_id", Json::array()},
                                                 {"top_k", "5"},
                                                 {"top_k", 1.5},
                                                 {"time_window", "today"},
                                                 {"time_window", {{"from", 7}}},
                                                 {"object_types", "memory"},
                                                 {"object_types", {1}},
                                                 {"memory_types", 1},
                                                 {"relation_constraints", Json::object()},
                                                 {"response_mode", 1},
                                                 {"include_cold", "yes"},
                                                 {"query_scope", 1},
                                                 {"debug", 1}}) {
    Json query = full_query();
    const std::string field = name;  // a structured binding can't be captured by clang 14
    query[field] = value;
    const auto read = read_request(query);
    REQUIRE_MESSAGE(!read.ok(), field);
    CHECK_MESSAGE(read.error().code == "INVALID_FIELD_TYPE", field);
    CHECK_MESSAGE(read.error().message.find(field) == 0, read.error().message);
  }
  CHECK(read_request(Json::array()).error().code == "INVALID_FIELD_TYPE");
}

TEST_CASE("query: a body that is no JSON is said to be none") {
  CHECK(read_request(std::string("{")).error().code == "MALFORMED_JSON");
  CHECK(read_request(std::string()).error().code == "MALFORMED_JSON");
}

TEST_CASE("query: fields that nobody knows are noted; include_cold and debug are taken") {
  Json query = full_query();
  query["mood"] = "fine";
  query["include_cold"] = true;
  query["debug"] = true;
  const auto read = read_request(query);
  REQUIRE(read.ok());
  CHECK(read->ignored == std::vector<std::string>{"mood"});
  CHECK(read->include_cold);
  CHECK(read->debug);
}

TEST_CASE("query §11: a refusal has the four fields of the envelope, and its HTTP status") {
  using parley::evidence::Refusal;
  const Refusal why("INVALID_RELATION_CONSTRAINT", "max_hops must be >= 1");
  CHECK(parley::evidence::failed("q_009", why) == Json{{"query_id", "q_009"},
                                                       {"status", "failed"},
                                                       {"error_code", "INVALID_RELATION_CONSTRAINT"},
                                                       {"message", "max_hops must be >= 1"}});
  CHECK(parley::evidence::status_of(why) == 400);
  CHECK(parley::evidence::status_of(Refusal("FORBIDDEN_SCOPE", "")) == 403);
  CHECK(parley::evidence::status_of(Refusal("UNAVAILABLE", "")) == 503);
}

TEST_CASE("a question names a time: days, weeks, months and years, in five languages") {
  const auto today = std::chrono::local_days(std::chrono::year(2026) / 5 / 13);  // a Wednesday
  const auto read = [&](const char* text, const char* lang) {
    const auto window = parley::evidence::find_window(text, lang, today);
    const auto shown = [](std::chrono::local_days day) {
      const std::chrono::year_month_day date(day);
      return fmt::format("{}-{}-{}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                         static_cast<unsigned>(date.day()));
    };
    return window ? shown(window->first) + " to " + shown(window->last) : std::string();
  };
  CHECK(read("what did I ask yesterday", "en-US") == "2026-5-12 to 2026-5-12");
  CHECK(read("what did we cook last week", "en-US") == "2026-5-4 to 2026-5-10");
  CHECK(read("what did we cook in March", "en-US") == "2026-3-1 to 2026-3-31");
  CHECK(read("what did we cook in March 2024", "en-US") == "2024-3-1 to 2024-3-31");
  CHECK(read("what did we cook last year", "en-US") == "2025-1-1 to 2025-12-31");
  CHECK(read("was war letzte Woche", "de-DE") == "2026-5-4 to 2026-5-10");
  CHECK(read("was war im Februar", "de-DE") == "2026-2-1 to 2026-2-28");
  CHECK(read("was war in der letzten Woche", "de-DE") == "2026-5-4 to 2026-5-10");
  CHECK(read("was war vergangene Woche", "de-DE") == "2026-5-4 to 2026-5-10");
  CHECK(read("was war letztes Monat", "de-AT") == "2026-4-1 to 2026-4-30");
  CHECK(read("was war heuer", "de-AT") == "2026-1-1 to 2026-12-31");
  CHECK(read("was war am Montag", "de-DE") == "2026-5-11 to 2026-5-11");
  CHECK(read("was war im März", "de-DE") == "2026-3-1 to 2026-3-31");
  CHECK(read("what did I ask on Monday", "en-US") == "2026-5-11 to 2026-5-11");
  CHECK(read("qu'est-ce que j'ai demandé hier", "fr-FR") == "2026-5-12 to 2026-5-12");
  CHECK(read("qu'est-ce que j'ai demandé lundi", "fr-FR") == "2026-5-11 to 2026-5-11");
  CHECK(read("qu'est-ce que j'ai demandé en mars", "fr-FR") == "2026-3-1 to 2026-3-31");
  CHECK(read("qué pregunté ayer", "es-ES") == "2026-5-12 to 2026-5-12");
  CHECK(read("qué pregunté el lunes", "es-ES") == "2026-5-11 to 2026-5-11");
  CHECK(read("qué pregunté en marzo", "es-ES") == "2026-3-1 to 2026-3-31");
  CHECK(read("o que perguntei ontem", "pt-PT") == "2026-5-12 to 2026-5-12");
  CHECK(read("o que perguntei na segunda-feira", "pt-PT") == "2026-5-11 to 2026-5-11");
  CHECK(read("o que perguntei em março", "pt-PT") == "2026-3-1 to 2026-3-31");
  CHECK(read("o que perguntei a semana passada", "pt-PT") == "2026-5-4 to 2026-5-10");
  CHECK(read("qu'est-ce qu'on a fait le mois dernier", "fr-FR") == "2026-4-1 to 2026-4-30");
  CHECK(read("qué pasó la semana pasada", "es-ES") == "2026-5-4 to 2026-5-10");
  CHECK(read("o que aconteceu no ano passado", "pt-PT") == "2025-1-1 to 2025-12-31");
  CHECK(read("where is the kettle", "en-US").empty());
}
