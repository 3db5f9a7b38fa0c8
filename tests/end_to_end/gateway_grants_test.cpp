// Tokens and what they grant, over real sockets.
#include "config/token_file.hpp"
#include "net/grant.hpp"
#include "settings/problem.hpp"
#include "support/patience.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

std::string client(const std::string& name, const std::string& token, const std::string& more = {}) {
  return "  " + name + ": {token_sha256: " + net::sha256(token) + more + "}\n";
}
Headers bearer(const std::string& token) {
  return {{"Authorization", "Bearer " + token}};
}

}  // namespace

TEST_CASE("tokens: the hash is the one sha256sum prints") {
  CHECK(net::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("tokens: without a known one nothing is served but /health, with one everything is") {
  Served server;
  server.skill("tea.test", echoes());
  server.tokens(client("kitchen", "secret"));
  server.start();
  const unsigned short port = server.port();
  CHECK(http(port, "GET", "/health").status == 200);
  const auto refused = http(port, "GET", "/v1/skills");
  CHECK(refused.status == 401);
  CHECK(refused.headers.at("WWW-Authenticate") == "Bearer");
  CHECK(refused.json().at("error").at("code") == "unauthorized");
  CHECK(http(port, "GET", "/v1/skills", "", bearer("wrong")).status == 401);
  CHECK(http(port, "GET", "/v1/skills", "", bearer(net::sha256("secret"))).status == 401);
  CHECK_THROWS_WITH(server.client(), "refused with 401");
  CHECK(http(port, "GET", "/v1/skills", "", bearer("secret")).status == 200);
  CHECK(http(port, "GET", "/v1/skills?token=secret").status == 200);
  CoreClient first(port, "/core", bearer("secret"));
  CoreClient second = server.client("?token=secret");
  first.send("test.x", kEmpty);
  CHECK_NOTHROW(second.receive("test.x"));
  CHECK(server.counters().of("parley_gateway_refused_total{reason=\"token\"}") == 4);
  CHECK(server.log.has("its token is not known"));
  for (const auto& line : server.log.all()) CHECK(line.find("secret") == line.npos);
}

TEST_CASE("grants: another's session is refused, to send to and to hear of") {
  Served server;
  server.skill("tea.test", echoes());
  server.tokens(client("kitchen", "k", ", sessions: own") + client("attic", "a"));
  server.start();
  CoreClient kitchen = server.client("?token=k");
  CoreClient attic = server.client("?token=a");
  for (const char* session : {"attic", "kitchenette", "default"})
    kitchen.send("ovos.utterance.handle", utterance("go tea.test"), in_session(session));
  kitchen.send("ovos.utterance.handle", utterance("go tea.test"));
  kitchen.send("ovos.utterance.handle", utterance("go tea.test"), in_session("kitchen.oven"));
  CHECK(kitchen.receive("ovos.utterance.handled").at("context").at("session").at("session_id") ==
        "kitchen.oven");
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"grant\"}") == 4);
  CHECK(server.log.count("does not cover session 'attic'") == 1);
  attic.send("ovos.utterance.handle", utterance("go tea.test"), in_session("attic"));
  attic.receive("ovos.utterance.handled");
  kitchen.passed.clear();
  kitchen.send("test.end", kEmpty, in_session("kitchen"));
  kitchen.receive("test.end");
  CHECK(kitchen.passed.empty());
  const unsigned short port = server.port();
  const std::string body = R"({"id": "attic", "text": "go tea.test"})";
  const auto refused = http(port, "POST", "/run", body, bearer("k"));
  CHECK(refused.status == 403);
  CHECK(refused.json().at("error").at("code") == "session_refused");
  CHECK(http(port, "POST", "/run", body, bearer("a")).status == 200);
  CHECK(http(port, "GET", "/last_response", "", bearer("k")).status == 404);
  CHECK(http(port, "GET", "/last_response", "", bearer("a")).status == 200);
  CHECK(http(port, "GET", "/v1/sessions/default", "", bearer("k")).status == 403);
}

TEST_CASE("grants: topics that may be sent and received") {
  Served server;
  server.tokens(client("lamp", "l", ", send: [lamp.*], receive: [lamp.*, test.mark]") + client("all", "a"));
  server.start();
  CoreClient lamp = server.client("?token=l");
  CoreClient all = server.client("?token=a");
  lamp.send("ovos.stop", kEmpty);
  lamp.send("lamp.on", kEmpty);
  lamp.receive("lamp.on");
  CHECK(all.receive("lamp.on").at("type") == "lamp.on");
  CHECK(all.passed.empty());
  all.send("test.secret", kEmpty);
  all.send("lamp.off", kEmpty);
  lamp.receive("lamp.off");
  CHECK(lamp.passed.empty());
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"grant\"}") == 1);
}

TEST_CASE("grants: what may not be reached is on the session that every stage sees") {
  Served server;
  server.skill("tea.test", echoes());
  server.skill("safe.test", echoes());
  server.tokens(client("guest", "g", ", sessions: own, blacklisted_skills: [safe.test]"));
  server.start();
  CoreClient guest = server.client("?token=g");
  guest.send("ovos.utterance.handle", utterance("go safe.test"), in_session("guest"));
  guest.receive("ovos.intent.unmatched");
  guest.send("ovos.utterance.handle", utterance("go tea.test"), in_session("guest"));
  CHECK_NOTHROW(guest.receive("ovos.utterance.speak"));
  const auto run = [&](const std::string& text) {
    return http(server.port(), "POST", "/run", Json{{"id", "guest"}, {"text", text}}.dump(), bearer("g"))
        .json()
        .at("status");
  };
  CHECK(run("go safe.test") == "unmatched");
  CHECK(run("go tea.test") == "answered");
}

TEST_CASE("grants: a rate and a size of its own") {
  Served server;
  server.tokens(client("slow", "s", ", messages_per_second: 5, max_frame: 1000") + client("all", "a"));
  server.start();
  CoreClient slow = server.client("?token=s");
  CoreClient all = server.client("?token=a");
  for (int i = 0; i < 500; ++i) slow.send("test.flood", kEmpty);
  slow.send("test.large", {{"text", std::string(2000, 'x')}});
  CHECK(slow.closed() == 1009);
  all.catch_up();
  CHECK(all.count("test.flood") >= 5);
  CHECK(all.count("test.flood") < 500);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"rate\"}") ==
        500 - all.count("test.flood"));
  CHECK(server.log.count("more messages than the grant of 'slow' allows") == 1);
}

TEST_CASE("tokens: reading them again holds for new connections and drops none") {
  Served server;
  server.tokens(client("old", "o"));
  server.start();
  CoreClient old = server.client("?token=o");
  server.tokens(client("new", "n"));
  server.reload();
  CHECK_THROWS_WITH(server.client("?token=o"), "refused with 401");
  CoreClient fresh = server.client("?token=n");
  old.send("test.still", kEmpty);
  CHECK_NOTHROW(fresh.receive("test.still"));
  server.tokens("  broken: 7\n");
  CHECK_THROWS_AS(server.reload(), ConfigError);
  CHECK_NOTHROW(server.client("?token=n"));
}

TEST_CASE("tokens: everything that is wrong with the file is told at once, with its place") {
  TemporaryFolder folder;
  const auto file = folder.write("tokens.yaml",
                                 "clients:\n"
                                 "  one: {token_sha256: abc}\n"
                                 "  two: {sessions: mine}\n"
                                 "  three: {token_sha256: " +
                                     net::sha256("x") +
                                     ", send: [a..b], max_frame: -1, colour: red}\n"
                                     "  four: {token_sha256: " +
                                     net::sha256("y") +
                                     ", blacklisted_skills: [x.y]}\n"
                                     "  five: {token_sha256: " +
                                     net::sha256("y") + "}\n");
  try {
    read_token_file(file);
    FAIL("it was read");
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    for (const char* part : {":2:23: 'clients.one.token_sha256' must be 64",
                             "'clients.two.sessions' must be any, own, default or a list; found 'mine'",
                             "client 'two' has no token_sha256", "'a..b' in 'topics' is neither",
                             "'clients.three.max_frame' must be a size", "unknown key 'clients.three.colour'",
                             "client 'four' has blacklists and may use the default session",
                             "another client has the same token"}) {
      CAPTURE(text);
      CHECK(contains(text, part));
    }
  }
  CHECK_THROWS_WITH_AS(read_token_file(folder.path() / "none.yaml"), doctest::Contains("can't be read"),
                       ConfigError);
}

TEST_CASE("tokens: a file without clients lets nobody in") {
  Served server;
  server.tokens("  {}\n");
  server.start();
  CHECK(http(server.port(), "GET", "/health").status == 200);
  CHECK(http(server.port(), "GET", "/v1/skills").status == 401);
  CHECK(http(server.port(), "GET", "/v1/skills", "", bearer("anything")).status == 401);
  CHECK_THROWS_WITH(server.client(), "refused with 401");
  CHECK(server.log.has("lists no clients: nobody is let in"));
}

TEST_CASE("grants: an empty list of topics allows none") {
  Served server;
  server.tokens(client("mute", "m", ", send: []") + client("deaf", "d", ", receive: []") +
                client("all", "a"));
  server.start();
  CoreClient mute = server.client("?token=m");
  CoreClient deaf = server.client("?token=d");
  CoreClient all = server.client("?token=a");
  mute.send("test.from.mute", kEmpty);
  deaf.send("test.from.deaf", kEmpty);
  all.receive("test.from.deaf");
  mute.receive("test.from.deaf");
  CHECK(all.count("test.from.mute") == 0);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"grant\"}") == 1);
  deaf.close();
  CHECK(deaf.passed.empty());
}

TEST_CASE("grants: who has no right to talk says nothing and runs nothing, and still looks around") {
  Served server;
  server.skill("tea.test", echoes());
  server.tokens(client("reader", "r", ", rights: [read]") + client("nothing", "n", ", rights: []") +
                client("talker", "t") + client("boss", "b", ", rights: [admin]"));
  server.start();
  const unsigned short port = server.port();
  const std::string body = R"({"id": "s", "text": "go tea.test"})";
  for (const char* path : {"/run", "/v1/explain"}) {
    CHECK(http(port, "POST", path, body, bearer("r")).status == 403);
    CHECK(http(port, "POST", path, body, bearer("n")).status == 403);
    CHECK(http(port, "POST", path, body, bearer("t")).status == 200);
    CHECK(http(port, "POST", path, body, bearer("b")).status == 200);
  }
  const auto refused = http(port, "POST", "/run", body, bearer("r"));
  CHECK(refused.json().at("error").at("code") == "right_refused");
  CHECK(http(port, "GET", "/v1/skills", "", bearer("r")).status == 200);
  CHECK(http(port, "GET", "/v1/skills", "", bearer("n")).status == 403);
  CoreClient reader = server.client("?token=r");
  CoreClient talker = server.client("?token=t");
  reader.send("ovos.utterance.handle", utterance("go tea.test"), in_session("s"));
  talker.send("test.end", kEmpty);
  reader.receive("test.end");
  CHECK(reader.passed.empty());
}

TEST_CASE("grants: a session named in data is looked at like the one in the context") {
  Served server;
  server.tokens(client("kitchen", "k", ", sessions: own"));
  server.start();
  CoreClient kitchen = server.client("?token=k");
  kitchen.send("ovos.session.sync", {{"session", {{"session_id", "attic"}, {"lang", "de-DE"}}}},
               in_session("kitchen"));
  kitchen.send("ovos.session.sync", {{"session", {{"session_id", "kitchen"}, {"lang", "de-DE"}}}},
               in_session("kitchen"));
  kitchen.receive("ovos.session.sync");
  CHECK(server.log.count("does not cover session 'attic'") == 1);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"grant\"}") == 1);
}

TEST_CASE("grants: what is denied stays on a session that is changed by hand") {
  Served server;
  server.tokens(client("guest", "g", ", sessions: own, blacklisted_skills: [safe.test]"));
  server.start();
  CoreClient guest = server.client("?token=g");
  guest.send("ovos.session.sync",
             {{"session", {{"session_id", "guest"}, {"blacklisted_skills", Json::array({"x.test"})}}}},
             in_session("guest"));
  const Json sync = guest.receive("ovos.session.sync");
  CHECK(sync.at("data").at("session").at("blacklisted_skills") == Json({"x.test", "safe.test"}));
}

TEST_CASE("S-3 grants: a carrier that is no object passes the same grant and rate as any other message") {
  Served server;
  server.tokens(client("lamp", "l", ", send: [lamp.*], messages_per_second: 3") + client("all", "a"));
  server.start();
  CoreClient lamp = server.client("?token=l");
  CoreClient all = server.client("?token=a");
  lamp.send_text(R"({"type": "ovos.utterance.handle", "context": {"session": 7}})");
  lamp.send_text(R"({"type": "ovos.utterance.handled", "context": {"session": 7}})");
  lamp.send_text(R"({"type": "lamp.on", "context": {"session": 7}})");
  CHECK(all.receive("ovos.session.rejected").at("data").at("msg_type") == "lamp.on");
  CHECK(all.passed.empty());
  for (int i = 0; i < 20; ++i) lamp.send_text(R"({"type": "lamp.on", "context": {"session": 7}})");
  CoreClient other = server.client("?token=l");
  const Patience waits;
  while (server.counters().of("parley_gateway_dropped_total{reason=\"rate\"}") < 17) {
    waits.once_more("those over the rate");
    all.catch_up();
  }
  CHECK(all.count("ovos.session.rejected") < 20);
}

TEST_CASE("R-6 grants: what others registered in sessions of their own is not told") {
  Served server;
  server.tokens(client("kitchen", "k", ", sessions: own") + client("attic", "a", ", sessions: own"));
  server.start();
  CoreClient attic = server.client("?token=a");
  attic.send("ovos.intent.register.template",
             {{"skill_id", "attic.test"},
              {"intent_name", "light"},
              {"lang", "en-US"},
              {"samples", {"light please"}}},
             {{"skill_id", "attic.test"}, {"session", {{"session_id", "attic"}}}});
  attic.send("ovos.intent.list", kEmpty, in_session("attic"));
  CHECK(attic.receive("ovos.intent.list.response").at("data").at("intents").size() == 1);
  CoreClient kitchen = server.client("?token=k");
  for (const Json& asked : {Json(kEmpty), Json{{"session_id", "attic"}}}) {
    kitchen.send("ovos.intent.list", asked, in_session("kitchen"));
    CHECK(kitchen.receive("ovos.intent.list.response").at("data").at("intents").empty());
  }
  kitchen.send("ovos.intent.describe", {{"skill_id", "attic.test"}}, in_session("kitchen"));
  CHECK(kitchen.receive("ovos.intent.describe.response").at("data").at("ok") == false);
  CHECK(http(server.port(), "GET", "/v1/intents", "", bearer("k")).json().at("intents").empty());
  CHECK(http(server.port(), "GET", "/v1/intents", "", bearer("a")).json().at("intents").size() == 1);
}

TEST_CASE("grants: the size that is granted holds over HTTP as well, before the body is read") {
  Served server;
  server.skill("tea.test", echoes());
  server.tokens(client("slow", "s", ", max_frame: 200"));
  server.start();
  const Json small = {{"id", "s"}, {"text", "go tea.test"}};
  const Json large = {{"id", "s"}, {"text", "go tea.test " + std::string(300, 'x')}};
  CHECK(http(server.port(), "POST", "/run", small.dump(), bearer("s")).status == 200);
  const auto refused = http(server.port(), "POST", "/run", large.dump(), bearer("s"));
  CHECK(refused.status == 413);
  CHECK(contains(refused.body, "200 bytes (the grant's max_frame)"));
  const std::string head = "POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n";
  CHECK(contains(raw_exchange(server.port(), head), "401"));
}

TEST_CASE("tokens: wrong ones cost their connection, and many of them time") {
  Served server;
  server.tokens(client("kitchen", "secret"));
  server.start();
  const std::string guess =
      "GET /v1/skills HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer nope\r\n\r\n";
  const std::string answers = raw_exchange(server.port(), guess + guess + guess);
  CHECK(contains(answers, "401"));
  CHECK(answers.find("401") == answers.rfind("401"));
  CHECK(http(server.port(), "GET", "/v1/skills", "", bearer("secret")).status == 200);
}

TEST_CASE("tokens: a key nobody knows, one that is there twice, and rights that are none are told") {
  TemporaryFolder folder;
  const auto file =
      folder.write("tokens.yaml", "clientz: {}\nclients:\n  one: {token_sha256: " + net::sha256("x") +
                                      ", rights: [talk, fly], max_turn: 5, max_skills: 0}\n");
  try {
    read_token_file(file);
    FAIL("it was read");
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    for (const char* part : {"unknown key 'clientz'; did you mean 'clients'?", "found 'fly'",
                             "unknown key 'clients.one.max_turn'; did you mean 'clients.one.max_turns'?",
                             "'clients.one.max_skills' must be a whole number"}) {
      CAPTURE(text);
      CHECK(contains(text, part));
    }
  }
}
