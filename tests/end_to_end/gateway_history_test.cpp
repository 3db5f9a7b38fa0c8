// What was said, over HTTP: sessions, transcripts, turns, the log, and forgetting.
#include "net/grant.hpp"
#include "support/patience.hpp"
#include "support/served.hpp"
#include "support/store_bytes.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

std::string token_line(const std::string& name, const std::string& rights) {
  return "  " + name + ": {token_sha256: " + net::sha256("secret of " + name) + ", rights: " + rights + "}\n";
}

/// A server with a file, whose one skill repeats what it is told, asks at "ask", and closes or forgets its
/// session when it is told to.
class Historian {
 public:
  explicit Historian(const std::filesystem::path& store, const std::string& tokens = {}) {
    server.config.store.path = store.string();
    server.keeps_as = "a test";
    if (!tokens.empty()) server.tokens(tokens);
    server.skill("echo.test", [](Turn turn) -> Task<> {
      const std::string said = turn.text();
      if (said.ends_with("close")) turn.emit("parley.session.close", Json::object());
      if (said.ends_with("forget")) turn.emit("parley.session.forget", Json::object());
      if (said.ends_with("ask")) {
        const auto answer = co_await turn.ask("which");
        turn.speak(answer ? "so be it" : "never mind");
        co_return;
      }
      turn.speak("you said " + said);
    });
    server.locale("echo.test", "en-US/which.dialog", "which one\n");
    server.start();
  }

  static Headers as(const std::string& name) {
    return name.empty() ? Headers{} : Headers{{"Authorization", "Bearer secret of " + name}};
  }
  Json run(const std::string& id, const std::string& text, Json more = Json::object(),
           const std::string& who = {}) {
    more["id"] = id;
    more["text"] = "go echo.test " + text;
    return http(server.port(), "POST", "/run", more.dump(), as(who)).json();
  }
  HttpAnswer get(const std::string& target, const std::string& who = {}, Headers headers = {}) {
    headers.merge(as(who));
    return http(server.port(), "GET", target, "", headers);
  }
  /// What is written behind comes a little later.
  Json get_when(const std::string& target, const std::function<bool(const Json&)>& is_there,
                const std::string& who = {}) {
    const Patience waits;
    while (true) {
      Json body = get(target, who).json();
      if (is_there(body)) return body;
      waits.once_more("what is written behind");
    }
  }
  Json transcript(const std::string& id, std::size_t turns, const std::string& who = {}) {
    return get_when(
        "/v1/sessions/" + id + "/transcript",
        [turns](const Json& body) { return body.contains("turns") && body.at("turns").size() == turns; },
        who);
  }
  HttpAnswer remove(const std::string& target, const std::string& who = {}) {
    return http(server.port(), "DELETE", target, "", as(who));
  }
  HttpAnswer forget(const Json& what, const std::string& who = {}) {
    return http(server.port(), "POST", "/v1/forget", what.dump(), as(who));
  }
  Served server;
};

std::string error_code(const HttpAnswer& answer) {
  return answer.json().at("error").at("code");
}

}  // namespace

TEST_CASE("K-4 history: a session is listed, shown, and read as JSON, Markdown and plain text") {
  const TemporaryFolder folder;
  Historian here(folder.path() / "parley.db");
  CHECK(here.run("me", "milk").at("session_state") == "open");
  here.run("me", "*eggs*");
  const Json json = here.transcript("me", 2);
  CHECK(json.at("session_id") == "me");
  CHECK(json.at("turns")[0].at("said") == "go echo.test milk");
  CHECK(json.at("turns")[0].at("answers")[0].at("text") == "you said go echo.test milk");
  CHECK(json.at("turns")[0].at("outcome") == "answered");
  CHECK(json.at("turns")[0].at("skill_id") == "echo.test");
  CHECK(json.at("turns")[0].at("time").get<std::string>().ends_with("Z"));

  const auto markdown = here.get("/v1/sessions/me/transcript", "", {{"Accept", "text/markdown"}});
  CHECK(markdown.headers.at("Content-Type") == "text/markdown; charset=utf-8");
  CHECK(markdown.body.find("> go echo\\.test \\*eggs\\*\n") != std::string::npos);
  const auto plain = here.get("/v1/sessions/me/transcript", "", {{"Accept", "text/plain;q=0.9, */*"}});
  CHECK(plain.body.find("  > go echo.test milk\n  < you said go echo.test milk\n") != std::string::npos);
  CHECK(here.get("/v1/sessions/me/transcript", "", {{"Accept", "image/png"}}).status == 406);

  const Json first = here.get("/v1/sessions/me/transcript?limit=1").json();
  CHECK(first.at("turns").size() == 1);
  const Json second =
      here.get("/v1/sessions/me/transcript?limit=1&after=" + first.at("next").get<std::string>()).json();
  CHECK(second.at("turns")[0].at("said") == "go echo.test *eggs*");
  CHECK(!second.contains("next"));

  const Json shown = here.get("/v1/sessions/me").json();
  CHECK(shown.at("state") == "open");
  CHECK(shown.at("owner") == "local");
  CHECK(shown.at("turns") == 2);
  CHECK(shown.at("session").at("session_id") == "me");
  CHECK(here.get("/v1/sessions/nobody").status == 404);
  CHECK(here.get("/v1/sessions/nobody/transcript").status == 404);
  CHECK(error_code(here.remove("/v1/sessions/nobody")) == "not_found");
}

TEST_CASE("K-4 history: lists come in pages, the latest session first, and wrong parameters are named") {
  const TemporaryFolder folder;
  Historian here(folder.path() / "parley.db");
  for (const char* const id : {"one", "two", "three"}) here.run(id, "milk");
  here.transcript("three", 1);
  Names seen;
  std::string after;
  for (int pages = 0; pages < 4; ++pages) {
    const Json page = here.get("/v1/sessions?limit=1" + (after.empty() ? "" : "&after=" + after)).json();
    for (const auto& session : page.at("sessions")) seen.push_back(session.at("id"));
    if (!page.contains("next")) break;
    after = page.at("next");
  }
  CHECK(seen == Names{"three", "two", "one"});
  CHECK(here.get("/v1/sessions?state=closed").json().at("sessions").empty());
  for (const char* const wrong : {"state=shut", "limit=0", "sate=open"}) {
    const auto refused = here.get("/v1/sessions?" + std::string(wrong));
    CHECK(refused.status == 400);
    CHECK(refused.json().at("error").at("field") ==
          std::string(wrong).substr(0, std::string(wrong).find('=')));
  }
  CHECK(here.get("/v1/log?since=yesterday").json().at("error").at("field") == "since");
  CHECK(here.get("/v1/log?after=x").json().at("error").at("field") == "after");
}

TEST_CASE("K-4 history: a turn has its trace, and each event of the log names its cause") {
  const TemporaryFolder folder;
  Historian here(folder.path() / "parley.db");
  const std::string id = here.run("me", "milk").at("utterance_id");
  const Json turn = here.get_when("/v1/turns/" + id, [](const Json& body) {
    return body.contains("trace") && body.at("trace").is_object();
  });
  CHECK(turn.at("said") == "go echo.test milk");
  CHECK(turn.at("session_id") == "me");
  CHECK(!turn.at("trace").at("steps").empty());
  CHECK(here.get("/v1/turns/none").status == 404);

  const Json log = here.get_when("/v1/log?session=me", [](const Json& body) {
    return !body.at("events").empty() && body.at("events").back().at("kind") == "handled";
  });
  const auto& events = log.at("events");
  CHECK(events.front().at("kind") == "utterance");
  CHECK(events.at(1).at("kind") == "match");
  CHECK(events.at(1).at("causes")[0] == events.front().at("event_id"));
  CHECK(events.front().at("utterance_id") == id);
  CHECK(here.get("/v1/log?session=me&kind=speech").json().at("events").size() == 1);
  CHECK(here.get("/v1/log?skill=echo.test&outcome=answered").json().at("events").size() == events.size());
  CHECK(here.get("/v1/log?outcome=unmatched").json().at("events").empty());
  CHECK(here.get("/v1/log?until=1971-01-01T00:00:00Z").json().at("events").empty());
  const Json page = here.get("/v1/log?session=me&limit=1").json();
  CHECK(
      here.get("/v1/log?session=me&after=" + page.at("next").get<std::string>()).json().at("events").size() ==
      events.size() - 1);
}

TEST_CASE("K-4 history: somebody else's things are as if they were not there, and admin sees all") {
  const TemporaryFolder folder;
  Historian here(folder.path() / "parley.db",
                 token_line("anna", "[talk, read, write]") + token_line("bert", "[talk, read, write]") +
                     token_line("clara", "[talk]") + token_line("root", "[admin]"));
  const std::string id = here.run("me", "milk", Json::object(), "anna").at("utterance_id");
  here.transcript("me", 1, "anna");
  CHECK(here.get("/v1/sessions", "bert").json().at("sessions").empty());
  CHECK(here.get("/v1/sessions?owner=anna", "bert").json().at("sessions").empty());
  CHECK(here.get("/v1/log", "bert").json().at("events").empty());
  for (const std::string target :
       {"/v1/sessions/me", "/v1/sessions/me/transcript", "/v1/sessions/me?owner=anna"})
    CHECK(here.get(target, "bert").status == 404);
  CHECK(here.get("/v1/turns/" + id, "bert").status == 404);
  CHECK(here.remove("/v1/sessions/me?forget=true", "bert").status == 404);
  CHECK(here.forget({{"session_id", "me"}}, "bert").json().at("turns") == 0);
  CHECK(error_code(here.forget({{"owner", "anna"}}, "bert")) == "right_refused");
  CHECK(error_code(here.forget({{"all", true}}, "bert")) == "right_refused");
  CHECK(here.get("/v1/sessions", "clara").status == 403);
  CHECK(here.forget({{"session_id", "me"}}, "clara").status == 403);
  CHECK(here.get("/v1/turns/" + id, "anna").status == 200);
  CHECK(here.get("/v1/sessions/me", "root").json().at("owner") == "anna");
  CHECK(here.get("/v1/sessions?owner=anna", "root").json().at("sessions").size() == 1);
  CHECK(here.forget({{"owner", "anna"}}, "root").json().at("turns") == 1);
  CHECK(here.get("/v1/sessions/me", "anna").status == 404);
}

TEST_CASE("K-5 close: over HTTP, with a turn, by a skill and by a client; the transcript is in the log") {
  const TemporaryFolder folder;
  Historian here(folder.path() / "parley.db");
  here.run("me", "milk");
  here.transcript("me", 1);
  CHECK(here.remove("/v1/sessions/me").status == 204);
  CHECK(here.get("/v1/sessions/me").json().at("state") == "closed");
  CHECK(here.get("/v1/sessions/me").json().at("session").is_null());
  const Json closed = here.get("/v1/log?session=me&kind=session_closed").json().at("events");
  REQUIRE(closed.size() == 1);
  CHECK(closed[0].at("data").at("transcript").at("turns")[0].at("said") == "go echo.test milk");
  CHECK(here.run("me", "again").at("session_state") == "open");  // it opens anew

  CHECK(here.run("you", "milk", {{"close", true}}).at("session_state") == "closed");
  CHECK(here.get("/v1/sessions/you").json().at("state") == "closed");
  CHECK(error_code(http(here.server.port(), "POST", "/run", R"({"id": "me", "text": "x", "close": 1})")) ==
        "bad_request");

  here.run("skilled", "milk");
  CHECK(here.run("skilled", "close").at("session_state") == "closed");

  here.run("remote", "milk");
  auto client = here.server.client();
  client.send("parley.session.close", {{"session_id", "remote"}}, in_session("remote"));
  CHECK(client.receive("parley.session.close.response").at("data").at("closed") == true);
  CHECK(here.get("/v1/sessions/remote").json().at("state") == "closed");
}

TEST_CASE("K-5 close: a question that was open in the session is over") {
  const TemporaryFolder folder;
  Historian here(folder.path() / "parley.db");
  CHECK(here.run("me", "ask").at("listen") == true);
  CHECK(here.remove("/v1/sessions/me").status == 204);
  CHECK(here.run("me", "milk").at("speech_text") == "you said go echo.test milk");
}

TEST_CASE("forgetting: while the server runs no word is left in the file or beside it") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  Historian here(file);
  here.run("me", "mirabelle");
  here.run("you", "quince");
  here.transcript("me", 1);
  here.transcript("you", 1);
  CHECK(is_in_files(file, "mirabelle"));
  const Json gone = here.forget({{"session_id", "me"}}).json();
  CHECK(gone.at("turns") == 1);
  CHECK(gone.at("sessions") == 1);
  CHECK(gone.at("events") >= 4);
  CHECK(!is_in_files(file, "mirabelle"));
  CHECK(is_in_files(file, "quince"));
  CHECK(here.get("/last_response?id=me").status == 404);
  CHECK(here.remove("/v1/sessions/you?forget=true").status == 204);
  CHECK(!is_in_files(file, "quince"));
  CHECK(here.get("/v1/sessions/you").status == 404);
  CHECK(error_code(here.forget(Json::object())) == "bad_request");
  CHECK(error_code(here.forget({{"all", true}, {"owner", "me"}})) == "bad_request");

  here.run("skilled", "damson");
  here.run("skilled", "forget");
  auto client = here.server.client();
  client.send("parley.session.forget", {{"session_id", "skilled"}}, in_session("skilled"));
  client.receive("parley.session.forget.response");
  CHECK(!is_in_files(file, "damson"));
  here.run("last", "medlar");
  CHECK(here.forget({{"all", true}}).json().at("sessions") >= 1);
  CHECK(!is_in_files(file, "medlar"));
}

TEST_CASE("K-5 rights: a client closes and forgets sessions only as its grant allows") {
  const TemporaryFolder folder;
  Historian here(folder.path() / "parley.db", token_line("clara", "[talk]"));
  here.run("me", "milk", Json::object(), "clara");
  auto client = here.server.client("?token=secret%20of%20clara");
  client.send("parley.session.forget", {{"session_id", "me"}}, in_session("me"));
  CHECK(client.receive("parley.session.forget.response").at("data").at("error").at("code") == "forbidden");
  client.send("parley.session.close", {{"session_id", "me"}}, in_session("me"));
  CHECK(client.receive("parley.session.close.response").at("data").at("closed") == true);
}

TEST_CASE("K-5 default: it comes back after a restart as it was") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  const auto sync = [](Historian& here) {
    auto client = here.server.client();
    client.send("ovos.session.sync", {{"session", {{"session_id", "default"}, {"persona_id", "known"}}}});
    client.catch_up();
  };
  {
    Historian here(file);
    sync(here);
    CHECK(here.get("/v1/sessions/default").json().at("persona_id") == "known");
  }
  Historian here(file);
  const Json back = here.get("/v1/sessions/default").json();
  CHECK(back.at("persona_id") == "known");
  CHECK(!back.contains("response_mode"));
  here.forget({{"session_id", "default"}});
  CHECK(!here.get("/v1/sessions/default").json().contains("persona_id"));
}
