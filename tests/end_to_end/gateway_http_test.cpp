// HTTP on the gateway's port.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "net/grant.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

std::string code_of(const HttpAnswer& answer) {
  return answer.json().at("error").at("code");
}

}  // namespace

TEST_CASE("POST /run: one call, one turn, with everything the client needs next") {
  Served server;
  server.skill("tea.test", does([](Turn& turn) {
                 turn.speak("one");
                 turn.speak("two");
               }));
  server.start();
  const auto answer =
      http(server.port(), "POST", "/run",
           R"({"id": "me", "text": "go tea.test", "session": {"session_id": "me", "mood": "fine"}})");
  REQUIRE(answer.status == 200);
  const Json body = answer.json();
  CHECK(body.at("id") == "me");
  CHECK(body.at("status") == "answered");
  CHECK(body.at("speech_text") == "one two");
  CHECK(body.at("speech") ==
        Json{{{"utterance", "one"}, {"lang", "en-US"}}, {{"utterance", "two"}, {"lang", "en-US"}}});
  CHECK(body.at("listen") == false);
  CHECK(body.at("source") == Json{{"pipeline_id", "go"}, {"skill_id", "tea.test"}, {"intent_name", "go"}});
  CHECK(body.at("session").at("session_id") == "me");
  CHECK(body.at("session").at("mood") == "fine");
  CHECK(body.at("session").at("active_handlers").at(0).at("skill_id") == "tea.test");
  CHECK_FALSE(body.at("utterance_id").get<std::string>().empty());
  CHECK(http(server.port(), "GET", "/last_response").json() == body);
  CHECK(http(server.port(), "GET", "/last_response?id=me").json() == body);
  CHECK(http(server.port(), "GET", "/last_response?id=you").status == 404);
}

TEST_CASE("POST /run: a turn nobody takes is unmatched, one that fails is an error, both with 200") {
  Served server;
  server.skill("bad.test", does([](Turn&) { throw std::runtime_error("out of tea"); }));
  server.start();
  CHECK(http(server.port(), "GET", "/last_response").status == 404);
  auto answer = http(server.port(), "POST", "/run/", R"({"id": "me", "text": "hello"})");
  CHECK(answer.status == 200);
  CHECK(answer.json().at("status") == "unmatched");
  CHECK(answer.json().at("speech_text") == "");
  answer = http(server.port(), "POST", "/run", R"({"id": "me", "text": "go bad.test"})");
  CHECK(answer.status == 200);
  CHECK(answer.json().at("status") == "error");
  CHECK(answer.json().at("error") == "out of tea");
}

TEST_CASE("POST /run: what is missing or wrong is 400, with its name") {
  Served server;
  server.start();
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "not JSON"},
      {"{", "not JSON"},
      {"[]", "must be an object"},
      {"{}", "'id' is missing"},
      {R"({"id": 7, "text": "x"})", "'id' must be a string and is a number"},
      {R"({"id": " ", "text": "x"})", "'id' must not be blank"},
      {R"({"id": "me"})", "'text' is missing"},
      {R"({"id": "me", "text": null})", "'text' must be a string and is null"},
      {R"({"id": "me", "text": "\n"})", "'text' must not be blank"},
      {R"({"id": "me", "text": "x", "lang": "no language"})", "'lang' must be a language tag"},
      {R"({"id": "me", "text": "x", "session": []})", "'session' must be an object and is an array"},
      {R"({"id": "me", "text": "x", "session": {"session_id": "you"}})", "they must agree"},
      {R"({"id": "me", "text": "x", "session": {"lang": 7}})", "'session': lang"}};
  for (const auto& row : wrong) {
    const auto& body = row.first;
    const auto& words = row.second;
    CAPTURE(body);
    const auto answer = http(server.port(), "POST", "/run", body);
    CHECK(answer.status == 400);
    CHECK(code_of(answer) == "bad_request");
    CHECK(contains(answer.json().at("error").at("message").get<std::string>(), words));
  }
  CHECK(server.counters().of("parley_utterances_total{outcome=\"unmatched\"}") == 0);
}

TEST_CASE("gateway: programs that plugins start inherit none of its sockets") {
  Served server;
  server.start();
  CoreClient client = server.client();
  client.send("anything", Json::object());
  CHECK(http(server.port(), "GET", "/health").status == 200);  // by now the other one is accepted
  int ours = 0;
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) continue;  // NOLINT
    if (address.sin_family != AF_INET || ntohs(address.sin_port) != server.port()) continue;
    ++ours;
    CHECK((::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(ours >= 2);
}

TEST_CASE("POST: a body nested too deep is 400, and the server goes on") {
  Served server;
  server.skill("tea.test", does([](Turn& turn) { turn.speak("tea"); }));
  server.start();
  constexpr std::size_t kDeep = 60'000;
  const std::string nested = std::string(kDeep, '[') + std::string(kDeep, ']');
  for (const char* path : {"/run", "/v1/explain"}) {
    CAPTURE(path);
    const auto answer =
        http(server.port(), "POST", path, R"({"id": "me", "text": "x", "session": {"x": )" + nested + "}}");
    CHECK(answer.status == 400);
    CHECK(code_of(answer) == "bad_request");
    CHECK(contains(answer.json().at("error").at("message").get<std::string>(),
                   "nested deeper than 200 levels"));
  }
  const auto after = http(server.port(), "POST", "/run", R"({"id": "me", "text": "go tea.test"})");
  CHECK(after.json().at("speech_text") == "tea");
}

TEST_CASE("POST /run: many at a time, each with its own answer") {
  Served server;
  server.skill("tea.test", does([](Turn& turn) { turn.speak(turn.text()); }));
  server.start();
  std::vector<std::future<HttpAnswer>> answers;
  for (int i = 0; i < 20; ++i) {
    answers.push_back(std::async(std::launch::async, [&server, i] {
      const Json body{{"id", std::to_string(i)}, {"text", "go tea.test " + std::to_string(i)}};
      return http(server.port(), "POST", "/run", body.dump());
    }));
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Json body = answers[i].get().json();
    CHECK(body.at("id") == std::to_string(i));
    CHECK(body.at("speech_text") == "go tea.test " + std::to_string(i));
  }
}

TEST_CASE(
    "POST /run: the answer to a question goes to the handler that asked, and the call gets what it says") {
  Served server;
  server.real_stages({"converse", "go"});
  server.locale("tea.test", "en-US/which.dialog", "Black or green?\n");
  server.skill("tea.test", [](Turn turn) -> Task<> {
    const auto kind = co_await turn.ask("which");
    turn.speak(kind ? "one " + *kind + " tea" : "no tea");
  });
  server.start();
  const auto run = [&](const Json& body) { return http(server.port(), "POST", "/run", body.dump()).json(); };
  const Json asked = run({{"id", "me"}, {"text", "go tea.test"}});
  CHECK(asked.at("status") == "answered");
  CHECK(asked.at("speech_text") == "Black or green?");
  CHECK(asked.at("listen") == true);
  SUBCASE("with the session that came with the question") {
    const Json other = run({{"id", "you"}, {"text", "green"}});  // not asked
    CHECK(other.at("status") == "unmatched");
    const Json told = run({{"id", "me"}, {"text", "green"}, {"session", asked.at("session")}});
    CHECK(told.at("speech_text") == "one green tea");
    CHECK(told.at("listen") == false);
    CHECK(told.at("source").at("intent_name") == "response");
    CHECK_FALSE(told.at("session").contains("response_mode"));
    CHECK(run({{"id", "me"}, {"text", "black"}, {"session", told.at("session")}}).at("status") ==
          "unmatched");
  }
  SUBCASE("several sessions at a time, each its own") {
    const Json second = run({{"id", "you"}, {"text", "go tea.test"}});
    CHECK(run({{"id", "you"}, {"text", "black"}, {"session", second.at("session")}}).at("speech_text") ==
          "one black tea");
    CHECK(run({{"id", "me"}, {"text", "green"}, {"session", asked.at("session")}}).at("speech_text") ==
          "one green tea");
  }
  SUBCASE("something else may be said meanwhile, without its session") {
    CHECK(run({{"id", "me"}, {"text", "hello"}}).at("status") == "unmatched");
    CHECK(run({{"id", "me"}, {"text", "green"}, {"session", asked.at("session")}}).at("speech_text") ==
          "one green tea");
  }
}

TEST_CASE("POST /run: the default session needs no sending back to answer a question") {
  Served server;
  server.real_stages({"converse", "go"});
  server.locale("tea.test", "en-US/which.dialog", "Black or green?\n");
  server.skill("tea.test", [](Turn turn) -> Task<> {
    const auto kind = co_await turn.ask("which");
    turn.speak(kind ? "one " + *kind + " cup" : "none");
  });
  server.start();
  const auto run = [&](const char* text) {
    return http(server.port(), "POST", "/run", Json{{"id", "default"}, {"text", text}}.dump()).json();
  };
  CHECK(run("go tea.test").at("listen") == true);
  CHECK(run("green").at("speech_text") == "one green cup");
}

TEST_CASE("HTTP: what there is, what there is not, and what takes another method") {
  Served server;
  server.skill("tea.test", says("yes"));
  server.start();
  const unsigned short port = server.port();
  CHECK(http(port, "GET", "/health").json() == Json{{"status", "ready"}});
  CHECK(http(port, "HEAD", "/health").body.empty());
  CHECK(http(port, "GET", "/v1/pipeline").json().at("pipeline").at(0).at("entry") == "go");
  CHECK(http(port, "GET", "/v1/skills").json().at("skills").at(0).at("skill_id") == "tea.test");
  CHECK(http(port, "GET", "/v1/intents").json().at("intents").at(0).at("samples") == Json{"go"});
  CHECK(http(port, "GET", "/v1/sessions/default").json().at("session_id") == "default");
  CHECK(code_of(http(port, "GET", "/nothing")) == "not_found");
  const auto wrong = http(port, "GET", "/run");
  CHECK(wrong.status == 405);
  CHECK(wrong.headers.at("Allow") == "POST");
  const auto core = http(port, "GET", "/core");
  CHECK(core.status == 426);
  CHECK(code_of(core) == "upgrade_required");
}

TEST_CASE("GET /v1/skills: remote skills are named beside those of this process") {
  Served server;
  server.start();
  CoreClient skill = server.client();
  skill.send("test.here", Json::object(), {{"skill_id", "far.test"}});
  skill.catch_up();
  const Json remote = http(server.port(), "GET", "/v1/skills").json().at("remote");
  REQUIRE(remote.size() == 1);
  CHECK(remote.at(0).at("skill_id") == "far.test");
}

TEST_CASE("GET /metrics: counters and gauges as Prometheus reads them") {
  Served server;
  server.start();
  CoreClient client = server.client();
  client.send_text("rubbish");
  client.catch_up();
  const auto answer = http(server.port(), "GET", "/metrics");
  CHECK(answer.status == 200);
  CHECK(answer.headers.at("Content-Type").starts_with("text/plain"));
  CHECK(contains(answer.body, "# TYPE parley_gateway_dropped_total counter\n"));
  CHECK(contains(answer.body, "parley_gateway_dropped_total{reason=\"malformed\"} 1\n"));
  CHECK(contains(answer.body, "parley_gateway_connections 2\n"));
}

TEST_CASE("HTTP: hostile requests get an answer or the end of their connection, and cost nobody else") {
  Served server;
  server.config.gateway.max_frame = 4096;
  server.start();
  const unsigned short port = server.port();
  CHECK(contains(raw_exchange(port, "rubbish\r\n\r\n"), "400 Bad Request"));
  CHECK(contains(raw_exchange(port, "GET /\x01 HTTP/1.1\r\n\r\n"), "400 Bad Request"));
  CHECK(contains(raw_exchange(port, "GET /%zz HTTP/1.1\r\nConnection: close\r\n\r\n"), "400 Bad Request"));
  CHECK(
      contains(raw_exchange(port, "GET / HTTP/1.1\r\nx: " + std::string(100'000, 'x') + "\r\n\r\n"), "400"));
  CHECK(contains(
      raw_exchange(port, "POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n{"),
      "413"));
  CHECK(code_of(http(port, "POST", "/run", std::string(10'000, 'x'))) == "too_large");
  CHECK(http(port, "GET", "/health").status == 200);
  CHECK(server.counters().of("parley_gateway_refused_total{reason=\"malformed_http\"}") == 3);
}

TEST_CASE("CORS: a listed origin is told what it may send, and may read the answer; nobody else is") {
  Served server;
  server.config.gateway.allowed_origins = {"https://home.example"};
  server.tokens("  page: {token_sha256: " + net::sha256("p") + "}\n");
  server.start();
  const auto preflight = [&](const Headers& headers) {
    return http(server.port(), "OPTIONS", "/run", "", headers);
  };
  const auto told = preflight({{"Origin", "https://home.example"},
                               {"Access-Control-Request-Method", "POST"},
                               {"Access-Control-Request-Headers", "authorization, content-type"}});
  CHECK(told.status == 204);
  CHECK(told.body.empty());
  CHECK(told.headers.at("Access-Control-Allow-Origin") == "https://home.example");
  CHECK(told.headers.at("Access-Control-Allow-Methods") == "GET, POST, PUT, DELETE");
  CHECK(told.headers.at("Access-Control-Allow-Headers") == "Authorization, Content-Type");
  CHECK(told.headers.at("Vary") == "Origin");
  const auto refused =
      preflight({{"Origin", "https://evil.example"}, {"Access-Control-Request-Method", "POST"}});
  CHECK(refused.status == 403);
  CHECK(code_of(refused) == "origin_refused");
  CHECK_FALSE(refused.headers.contains("Access-Control-Allow-Origin"));
  // What comes after it still needs the token, and the page may read that it does.
  const auto answer = http(server.port(), "POST", "/run", "{}", {{"Origin", "https://home.example"}});
  CHECK(answer.status == 401);
  CHECK(answer.headers.at("Access-Control-Allow-Origin") == "https://home.example");
  const Headers token = {{"Authorization", "Bearer p"}};
  CHECK(http(server.port(), "OPTIONS", "/run", "", token).status == 405);  // no preflight
}

TEST_CASE("CORS: without a listed origin there is none") {
  Served server;
  server.start();
  const auto refused = http(server.port(), "OPTIONS", "/run", "",
                            {{"Origin", "https://home.example"}, {"Access-Control-Request-Method", "POST"}});
  CHECK(refused.status == 403);
  CHECK(contains(refused.json().at("error").at("message").get<std::string>(), "gateway.allowed_origins"));
  const std::string own = "http://127.0.0.1:" + std::to_string(server.port());
  const auto same = http(server.port(), "GET", "/health", "", {{"Origin", own}});
  CHECK(same.status == 200);
  CHECK_FALSE(same.headers.contains("Access-Control-Allow-Origin"));
}

TEST_CASE("HTTP: origins that are not listed are refused, on /core as well") {
  Served server;
  server.config.gateway.allowed_origins = {"https://home.example"};
  server.start();
  const unsigned short port = server.port();
  const std::string own = "http://127.0.0.1:" + std::to_string(port);
  CHECK(http(port, "GET", "/health", "", {{"Origin", own}}).status == 200);
  CHECK_NOTHROW(CoreClient(port, "/core", {{"Origin", own}}));
  const auto listed = http(port, "GET", "/health", "", {{"Origin", "https://home.example"}});
  CHECK(listed.status == 200);
  CHECK(listed.headers.at("Access-Control-Allow-Origin") == "https://home.example");
  for (const char* origin :
       {"http://evil.example", "null", "http://127.0.0.1:1", "https://home.example.evil"}) {
    CAPTURE(origin);
    const auto answer = http(port, "GET", "/health", "", {{"Origin", origin}});
    CHECK(answer.status == 403);
    CHECK(code_of(answer) == "origin_refused");
    CHECK(answer.headers.count("Access-Control-Allow-Origin") == 0);
    CHECK_THROWS_WITH(CoreClient(port, "/core", {{"Origin", origin}}), "refused with 403");
  }
  // A name that was made to point here is not the server's own.
  CHECK(http(port, "GET", "/health", "", {{"Origin", "http://evil.example"}, {"Host", "evil.example"}})
            .status == 403);
  CHECK(server.counters().of("parley_gateway_refused_total{reason=\"origin\"}") == 9);
  CHECK(server.log.has("refused a page of the origin 'http://evil.example'"));
}

TEST_CASE("GET /health: before it is ready there is a reason, and nothing else is served") {
  Config config;
  config.pipeline.clear();
  config.stages.clear();
  config.gateway.port = 0;
  AssistantOptions options;
  options.load_plugins = false;
  Assistant assistant(config, options);
  Serving serving(assistant);
  serving.open();
  const auto health = http(serving.port(), "GET", "/health");
  CHECK(health.status == 503);
  CHECK(health.json().at("error").at("message") == "the assistant is starting");
  CHECK(http(serving.port(), "POST", "/run", "{}").status == 503);
  CHECK_THROWS_WITH(CoreClient(serving.port()), "refused with 503");
  assistant.start();
  serving.set_ready();
  CHECK(http(serving.port(), "GET", "/health").status == 200);
}

TEST_CASE("serving: an address anybody reaches is refused, and so is a port that is taken") {
  Config config;
  config.pipeline.clear();
  config.stages.clear();
  AssistantOptions options;
  options.load_plugins = false;
  config.gateway.listen = "0.0.0.0";
  config.gateway.port = 0;
  {
    Assistant assistant(config, options);
    Serving serving(assistant);
    CHECK_THROWS_WITH_AS(serving.open(), doctest::Contains("gateway.listen is 0.0.0.0"), std::runtime_error);
  }
  config.gateway.listen = "127.0.0.1";
  Assistant first(config, options);
  Serving serving(first);
  serving.open();
  config.gateway.port = serving.port();
  Assistant second(config, options);
  Serving again(second);
  CHECK_THROWS_WITH_AS(again.open(), doctest::Contains("another program has that port"), std::runtime_error);
}
