// Skills that ask servers, over real sockets.
#include <future>

#include "runtime/http.hpp"
#include "support/end_to_end.hpp"
#include "support/gate.hpp"
#include "support/http_server.hpp"
#include "support/self_signed.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Connection = HttpServer::Connection;
using Request = HttpServer::Request;

using Ask = std::function<HttpRequest(const Turn&)>;

/// A skill that fetches what the test says and speaks what came of it.
class Web : public EndToEnd {
 public:
  Web() : EndToEnd(Time::kReal) {
    locale("web.test", "en-US/fetch.intent", "fetch {what}\n");
    locale("web.test", "en-US/wave.intent", "wave\n");
  }
  void fetch(Ask ask) {
    skill("web.test", [ask = std::move(ask)](LambdaSkill& skill) {
      skill.on_intent("wave", says("hello"));
      skill.on_intent("fetch", [&skill, ask](Turn turn) -> Task<> {
        const HttpRequest request = ask(turn);
        const Result<HttpResponse> answer = co_await skill.http(request);
        turn.speak(answer ? std::to_string(answer->status) + " " + answer->body : answer.error().message);
      });
    });
    start();
  }
  /// Fetches once. @param path  of the server
  std::string fetched(const std::string& path, const std::function<void(HttpRequest&)>& change = nullptr) {
    fetch([path, change](const Turn&) {
      HttpRequest request = HttpRequest::get(path);
      if (change) change(request);
      return request;
    });
    return say("fetch it").speech_text();
  }
};

/// A server that answers nothing until the client closes.
class Hanging {
 public:
  /// The turn that waits for it.
  EndToEnd::Pending asked_by(Web& run) {
    run.fetch([this](const Turn&) { return HttpRequest::get(server_.url()); });
    auto turn = run.begin("fetch it", session("kitchen"));
    REQUIRE(run.until([this] { return server_.requests().size() == 1; }));
    return turn;
  }
  std::string url() const { return server_.url(); }
  bool is_closed() { return closed_.get_future().wait_for(1min) == std::future_status::ready; }

 private:
  std::promise<void> closed_;
  HttpServer server_{[this](const Request&, Connection& connection) {
    connection.wait_for_close();
    closed_.set_value();
  }};
};

}  // namespace

TEST_CASE("http: a request has its method, headers and body; the answer its status, headers and body") {
  HttpServer server([](const Request& request, Connection& connection) {
    connection.reply(201, "got " + request.body, "X-Cups: 2\r\nContent-Type: text/plain\r\n");
  });
  Web run;
  run.skill("more.test", [](LambdaSkill&) {});
  std::map<std::string, std::string> headers;
  run.locale("post.test", "en-US/post.intent", "post it\n");
  run.skill("post.test", [&](LambdaSkill& skill) {
    skill.on_intent("post", [&](Turn turn) -> Task<> {
      HttpRequest request = HttpRequest::post(server.url() + "/cups?size=big", R"({"n": 2})");
      request.headers.emplace_back("X-Key", "secret");
      const Result<HttpResponse> answer = co_await skill.http(request);
      headers = answer->headers;
      turn.speak(std::to_string(answer->status) + " " + answer->body);
    });
  });
  run.start();
  CHECK(run.say("post it").speech_text() == R"(201 got {"n": 2})");
  CHECK(headers.at("x-cups") == "2");
  REQUIRE(server.requests().size() == 1);
  const Request request = server.requests().front();
  CHECK(request.method == "POST");
  CHECK(request.path == "/cups?size=big");
  CHECK(contains(request.head, "X-Key: secret\r\n"));
  CHECK(contains(request.head, "Content-Type: application/json\r\n"));
}

TEST_CASE("http: a redirection is followed, but no more of them than were allowed") {
  HttpServer server([](const Request& request, Connection& connection) {
    if (request.path == "/end") return connection.reply(200, "there");
    connection.reply(302, "", "Location: /end\r\n");
  });
  Web run;
  SUBCASE("followed") {
    CHECK(run.fetched(server.url() + "/begin") == "200 there");
  }
  SUBCASE("not allowed") {
    CHECK(run.fetched(server.url() + "/begin", [](HttpRequest& request) { request.redirections = 0; }) ==
          "302 ");
  }
}

TEST_CASE("http: redirections without an end are a failure") {
  HttpServer server(
      [](const Request&, Connection& connection) { connection.reply(302, "", "Location: /again\r\n"); });
  Web run;
  CHECK(contains(run.fetched(server.url() + "/begin?key=secret"),
                 "GET " + server.url() + "/begin: Number of redirects hit maximum amount"));
  CHECK(server.requests().size() == 6);
}

TEST_CASE("http: an answer that is longer than allowed is a failure, however it comes") {
  HttpServer server([](const Request&, Connection& connection) {
    connection.begin();
    for (int i = 0; i < 64; ++i) connection.write(std::string(1024, 'x'));
  });
  Web run;
  CHECK(run.fetched(server.url() + "/long", [](HttpRequest& request) { request.most_bytes = 10'000; }) ==
        "GET " + server.url() + "/long: the answer is longer than 10000 bytes");
}

TEST_CASE("http: a server that says nothing is waited for no longer than the timeout") {
  Hanging hanging;
  Web run;
  CHECK(contains(run.fetched(hanging.url(), [](HttpRequest& request) { request.timeout = 200ms; }),
                 "Timeout was reached"));
  CHECK(hanging.is_closed());
}

TEST_CASE("http: what can't be sent is refused by name, and nothing is sent") {
  HttpServer server([](const Request&, Connection& connection) { connection.reply(200, "fine"); });
  Web run;
  SUBCASE("scheme") {
    CHECK(run.fetched("file:///etc/passwd") ==
          "GET file:///etc/passwd: the url must begin with http:// or https://");
  }
  SUBCASE("method") {
    CHECK(contains(run.fetched(server.url(), [](HttpRequest& request) { request.method = "FETCH"; }),
                   "the method must be GET, POST, PUT, PATCH, DELETE or HEAD"));
  }
  SUBCASE("header") {
    CHECK(contains(run.fetched(server.url(),
                               [](HttpRequest& request) { request.headers.emplace_back("X", "a\r\nY: b"); }),
                   "the header 'X' can't be sent"));
  }
  SUBCASE("timeout") {
    CHECK(contains(run.fetched(server.url(), [](HttpRequest& request) { request.timeout = 2h; }),
                   "the timeout must be from 1 ms to 1 hour"));
  }
  CHECK(server.requests().empty());
}

TEST_CASE("http: a redirection to another protocol is not followed") {
  HttpServer server([](const Request&, Connection& connection) {
    connection.reply(302, "", "Location: file:///etc/passwd\r\n");
  });
  Web run;
  const std::string said = run.fetched(server.url());
  CHECK(contains(said, "Unsupported protocol"));
  CHECK_FALSE(contains(said, "root:"));
}

TEST_CASE("http: a server whose certificate nobody vouches for is not asked") {
  const TemporaryFolder folder;
  Served server;
  server.config.gateway.certificate = folder.write("own.pem", self_signed()).string();
  server.start();
  Web run;
  const std::string said = run.fetched("https://127.0.0.1:" + std::to_string(server.port()) + "/health");
  CHECK(contains(said, "certificate"));
}

TEST_CASE("http: an answer in which nothing comes for too long is a failure") {
  HttpServer server([](const Request&, Connection& connection) {
    connection.begin();
    connection.write("one");
    connection.wait_for_close();
  });
  Web run;
  const std::string said = run.fetched(server.url(), [](HttpRequest& request) { request.silence = 1s; });
  CHECK(contains(said, "Timeout was reached"));
}

TEST_CASE("P-6 http: a stop ends the wait, closes the connection, and nothing is spoken") {
  Hanging hanging;
  Web run;
  const auto turn = hanging.asked_by(run);
  CHECK(run.say("stop", session("kitchen")).pipeline_id == "stop");
  CHECK(run.finish(turn).status == TurnStatus::kCancelled);
  CHECK(hanging.is_closed());
  CHECK(run.count("ovos.utterance.speak") == 0);
}

TEST_CASE("http: unloading the skill closes its connections, and nothing of it is left") {
  Hanging hanging;
  Web run;
  const auto turn = hanging.asked_by(run);
  CHECK(run.unload("web.test"));
  CHECK(hanging.is_closed());
  CHECK(run.finish(turn).status == TurnStatus::kError);
}

TEST_CASE("http: while one turn waits for a server, other turns of the same skill go on") {
  Gate gate;
  HttpServer server([&gate](const Request&, Connection& connection) {
    gate.pass();
    connection.reply(200, "slow");
  });
  Web run;
  run.config.workers = 1;
  run.fetch([&server](const Turn&) { return HttpRequest::get(server.url()); });
  const auto turn = run.begin("fetch it", session("kitchen"));
  REQUIRE(run.until([&] { return server.requests().size() == 1; }));
  CHECK(run.say("wave", session("cellar")).speech_text() == "hello");
  gate.open();
  CHECK(run.finish(turn).speech_text() == "200 slow");
}

TEST_CASE("http: 16 exchanges of a skill go on at a time; the next one waits for a place") {
  Gate gate;
  HttpServer server([&gate](const Request& request, Connection& connection) {
    if (request.path != "/other") gate.pass();
    connection.reply(200, "at last");
  });
  Web run;
  run.locale("other.test", "en-US/look.intent", "look\n");
  run.skill("other.test", [&server](LambdaSkill& skill) {
    skill.on_intent("look", [&](Turn turn) -> Task<> {
      const auto request = HttpRequest::get(server.url() + "/other");
      const auto answer = co_await skill.http(request);
      turn.speak(answer->body);
    });
  });
  run.fetch([&server](const Turn&) { return HttpRequest::get(server.url() + "/slow"); });
  std::vector<EndToEnd::Pending> turns;
  for (std::size_t i = 0; i < kHttpPlaces + 1; ++i)
    turns.push_back(run.begin("fetch it", session(std::to_string(i))));
  REQUIRE(run.until([&] { return server.requests().size() == kHttpPlaces; }));
  // Another skill has places of its own; when its request is through, the one too many would have come, too.
  CHECK(run.say("look", session("cellar")).speech_text() == "at last");
  CHECK(server.requests().size() == kHttpPlaces + 1);
  gate.open();
  for (const auto& turn : turns) CHECK(run.finish(turn).speech_text() == "200 at last");
  CHECK(server.requests().size() == kHttpPlaces + 2);
}

TEST_CASE("http_stream: pieces come while the server still writes") {
  Gate first_heard;
  HttpServer server([&first_heard](const Request&, Connection& connection) {
    connection.begin();
    connection.write("one");
    first_heard.pass();
    connection.write("two");
  });
  EndToEnd run(EndToEnd::Time::kReal);
  run.locale("web.test", "en-US/fetch.intent", "fetch it\n");
  run.skill("web.test", [&](LambdaSkill& skill) {
    skill.on_intent("fetch", [&](Turn turn) -> Task<> {
      HttpStream stream = skill.http_stream(HttpRequest::get(server.url()));
      while (const auto piece = co_await stream.next()) {
        turn.speak(*piece + " " + std::to_string(stream.status()));
        first_heard.open();
      }
      turn.speak(stream.failure().empty() ? "over" : stream.failure());
    });
  });
  run.start();
  CHECK(run.say("fetch it").speech_text() == "one 200 two 200 over");
}
