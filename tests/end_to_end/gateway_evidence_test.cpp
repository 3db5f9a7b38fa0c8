// Evidence over HTTP and over the bus: what goes in, what is found, and who may.
#include <fmt/format.h>

#include "evidence/answer.hpp"
#include "evidence/meaning_at_once.hpp"
#include "evidence/question_vectors.hpp"
#include "net/grant.hpp"
#include "store/open.hpp"
#include "store/sqlite.hpp"
#include "support/http_server.hpp"
#include "support/patience.hpp"
#include "support/served.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

Json evidence_event(const std::string& id, const std::string& text, const std::string& agent = "agent_a") {
  return {{"event_id", id},    {"event_type", "said"},   {"time", "2026-03-16T10:00:00Z"},
          {"agent_id", agent}, {"session_id", "sess_a"}, {"text", text}};
}

Json evidence_query(const std::string& text, const std::string& agent = "agent_a") {
  return {{"query_text", text},
          {"agent_id", agent},
          {"session_id", "sess_a"},
          {"top_k", 5},
          {"response_mode", "structured_evidence"}};
}

/// A server whose turns are kept, with a skill that knows about marmots.
void keep_in(const TemporaryFolder& folder, Served& server) {
  server.config.store.path = (folder.path() / "parley.db").string();
  server.keeps_as = "a test";
  server.skill("tea.test", does([](Turn& turn) { turn.speak("the marmot sleeps"); }));
}

void talk_of_marmots(const Served& server) {
  const auto answer =
      http(server.port(), "POST", "/run", R"({"id": "sess_a", "text": "go tea.test about marmots"})");
  CHECK(answer.status == 200);
}

/// What memory there is of them, once the log, which is written behind, has it.
std::string found_of_marmots(const Served& server) {
  Json query = evidence_query("marmots", "local");
  query["object_types"] = {"memory"};
  query["memory_types"] = {"episodic"};
  for (const Patience waits;; waits.once_more("what the log makes of marmots")) {
    const Json body = http(server.port(), "POST", "/v1/query", query.dump()).json();
    if (!body.at("objects").empty()) return body.at("objects").at(0).at("summary");
  }
}

}  // namespace

TEST_CASE("POST /v1/ingest/events and /v1/query: what is taken is found at once, with where it comes from") {
  Served server;
  server.start();
  const Json events = {{"events", {evidence_event("evt_008", "Tool X failed due to token expiry.")}}};
  const auto taken = http(server.port(), "POST", "/v1/ingest/events?wait=visible", events.dump());
  CHECK(taken.status == 202);
  CHECK(taken.json().at("accepted") == 1);
  CHECK(taken.json().at("results").at(0).at("status") == "accepted");
  CHECK(http(server.port(), "POST", "/v1/ingest/events", events.dump()).json().at("duplicates") == 1);
  const auto answer = http(server.port(), "POST", "/v1/query", evidence_query("which tool failed?").dump());
  REQUIRE(answer.status == 200);
  const Json body = answer.json();
  CHECK(body.at("status") == "success");
  CHECK(body.at("objects").at(0).at("object_id") == "mem_evt_008");
  CHECK(body.at("edges").at(0).at("edge_type") == "derived_from");
  const auto object = http(server.port(), "GET", "/v1/objects/mem_evt_008");
  CHECK(object.json().at("object").at("source_refs") == Json{"evt_008"});
  CHECK(object.json().at("versions").size() == 1);
  CHECK(http(server.port(), "GET", "/v1/objects/none").status == 404);
  CHECK(http(server.port(), "GET", "/v1/evidence/stats").json().at("objects").at("memory") == 1);
}

TEST_CASE("POST /v1/query: a wrong one gets the envelope with its code, over HTTP and over the bus") {
  Served server;
  server.start();
  auto answer = http(server.port(), "POST", "/v1/query", "{");
  CHECK(answer.status == 400);
  CHECK(answer.json().at("error_code") == "MALFORMED_JSON");
  CHECK(answer.json().at("status") == "failed");
  Json query = evidence_query("x");
  query["relation_constraints"] = {"max_hops:0"};
  answer = http(server.port(), "POST", "/v1/query", query.dump());
  CHECK(answer.status == 400);
  CHECK(answer.json().at("error_code") == "INVALID_RELATION_CONSTRAINT");
  CHECK(answer.json().at("message") == "max_hops must be >= 1");
  auto client = server.client();
  client.send("parley.evidence.query", query, Json::object());
  CHECK(client.receive("parley.evidence.query.response").at("data").at("error_code") ==
        "INVALID_RELATION_CONSTRAINT");
  CHECK(http(server.port(), "POST", "/v1/ingest/events", "{}").status == 400);
}

TEST_CASE(
    "parley.evidence.ingest and .query: over the bus as over HTTP, to the connection that asked alone") {
  Served server;
  server.start();
  auto client = server.client();
  client.send("parley.evidence.ingest", {{"events", {evidence_event("e1", "the kettle is broken")}}},
              Json::object());
  CHECK(client.receive("parley.evidence.ingest.response").at("data").at("accepted") == 1);
  client.send("parley.evidence.query", evidence_query("kettle"), Json::object());
  const Json data = client.receive("parley.evidence.query.response").at("data");
  CHECK(data.at("objects").at(0).at("summary") == "the kettle is broken");
}

TEST_CASE("K-4 evidence: a token reads and writes for its owner, with the rights it has") {
  Served server;
  const auto line = [](const std::string& name, const std::string& token, const std::string& rights) {
    return fmt::format("  {}: {{token_sha256: {}, rights: [{}]}}\n", name, net::sha256(token), rights);
  };
  server.tokens(line("ana", "a", "read, write") + line("ben", "b", "read, write") + line("eve", "e", "talk"));
  server.start();
  const auto as = [&](const char* token, const char* path, const Json& body) {
    return http(server.port(), "POST", std::string(path) + "?token=" + token, body.dump());
  };
  const Json events = {{"events", {evidence_event("e1", "the zebrafinch password", "ben")}}};
  CHECK(as("b", "/v1/ingest/events", events).json().at("accepted") == 1);
  CHECK(as("a", "/v1/ingest/events", events).json().at("results").at(0).at("error_code") ==
        "FORBIDDEN_SCOPE");
  CHECK(as("e", "/v1/query", evidence_query("zebrafinch", "eve")).status == 403);
  const auto refused = as("a", "/v1/query", evidence_query("zebrafinch", "ben"));
  CHECK(refused.status == 403);
  CHECK(refused.json().at("error_code") == "FORBIDDEN_SCOPE");
  CHECK(as("a", "/v1/query", evidence_query("zebrafinch", "ana")).json().at("objects").empty());
  CHECK(as("b", "/v1/query", evidence_query("zebrafinch", "ben")).json().at("objects").size() == 2);
  CHECK(http(server.port(), "GET", "/v1/objects/mem_e1?token=a").status == 404);
  CHECK(http(server.port(), "GET", "/v1/objects/mem_e1?token=b").status == 200);
}

TEST_CASE("evidence.enabled: with false queries are UNAVAILABLE") {
  Served server;
  server.config.evidence.enabled = false;
  server.start();
  const auto answer = http(server.port(), "POST", "/v1/query", evidence_query("x").dump());
  CHECK(answer.status == 503);
  CHECK(answer.json().at("error_code") == "UNAVAILABLE");
}

TEST_CASE("evidence: a turn that was had is found, with the skill that answered") {
  const TemporaryFolder folder;
  Served server;
  keep_in(folder, server);
  server.start();
  talk_of_marmots(server);
  CHECK(
      found_of_marmots(server) ==
      "local said \"go tea.test about marmots\"; tea.test (go, found by go) answered \"the marmot sleeps\"");
}

TEST_CASE("evidence: what was logged without it is derived when it is there, though nobody says a word") {
  const TemporaryFolder folder;
  {
    Served server;
    keep_in(folder, server);
    server.config.evidence.enabled = false;
    server.start();
    talk_of_marmots(server);
  }
  Served server;
  keep_in(folder, server);
  server.start();
  CHECK(found_of_marmots(server).starts_with("local said \"go tea.test about marmots\""));
}

TEST_CASE(
    "embeddings: over the network, what is meant is found; a server that is slow or has no end costs no "
    "answer") {
  std::atomic<int> mood{0};
  HttpServer vectors([&mood](const HttpServer::Request& request, HttpServer::Connection& connection) {
    const Json texts = Json::parse(request.body).at("input");
    const bool is_question = texts.at(0) == "kettle";
    if (is_question && mood == 1) return connection.wait_for_close();
    if (is_question && mood == 2) {
      connection.begin();
      for (int i = 0; i < 64; ++i) connection.write(std::string(1U << 16U, '['));
      return connection.wait_for_close();
    }
    Json data = Json::array();
    for (const Json& text : texts)
      data.push_back({{"embedding", {text == "kettle" || text == "the teapot leaks" ? 1 : -1, 0.2}}});
    connection.reply(200, Json({{"data", data}}).dump());
  });
  const TemporaryFolder folder;
  Served server;
  keep_in(folder, server);
  server.config.evidence.embeddings.url = vectors.url() + "/v1";
  server.config.evidence.embeddings.retry_after = std::chrono::milliseconds(0);
  server.start();
  const Json events = {
      {"events",
       {evidence_event("e1", "the teapot leaks", "local"), evidence_event("e2", "rain tomorrow", "local")}}};
  CHECK(http(server.port(), "POST", "/v1/ingest/events", events.dump()).json().at("accepted") == 2);
  Json query = evidence_query("kettle", "local");
  query["object_types"] = {"memory"};
  const auto ask = [&server, &query] {
    return http(server.port(), "POST", "/v1/query", query.dump()).json();
  };
  Json answer = ask();
  for (const Patience waits; answer.at("objects").empty(); answer = ask()) waits.once_more("vectors");
  CHECK(answer.at("status") == "success");
  CHECK(answer.at("objects").at(0).at("object_id") == "mem_e1");
  for (const int how : {1, 2}) {
    mood = how;
    answer = ask();
    CHECK(answer.at("status") == "partial");
    CHECK(answer.at("message").get<std::string>().find(how == 1 ? "Timeout" : "longer than") !=
          std::string::npos);
  }
  CHECK(server.counters().of(R"(parley_embeddings_total{of="question",outcome="failed"})") == 2);
  mood = 0;
  CHECK(ask().at("status") == "success");

  // As `parley recall` asks, which has the file alone.
  const auto database = open_to_read(folder.path() / "parley.db");
  const auto recall = [&](const evidence::EmbeddingSettings& settings) {
    const auto request = evidence::read_request(query);
    const auto meaning = evidence::meaning_at_once(*database, settings, request->query_text);
    const auto reach = evidence::reach_of(evidence::Caller(), request->agent_id, request->session_id, "", "");
    return evidence::answer(*database, *request, *reach, evidence::Wording(), "q", meaning.get());
  };
  answer = recall(server.config.evidence.embeddings);
  CHECK(answer.at("status") == "success");
  REQUIRE(answer.at("objects").size() > 0);
  CHECK(answer.at("objects").at(0).at("object_id") == "mem_e1");
  mood = 1;
  answer = recall(server.config.evidence.embeddings);
  CHECK(answer.at("status") == "partial");
  CHECK(answer.at("message").get<std::string>().find("Timeout") != std::string::npos);
  CHECK(recall(evidence::EmbeddingSettings()).at("objects").empty());  // no server: words alone
}
