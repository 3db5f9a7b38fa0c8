// Crash and takeover: what one client says is never the end of the process, nor another client's turn,
// session or skill.
#include "config/token_file.hpp"
#include "hostile/attack.hpp"
#include "support/hostile_messages.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

Headers bearer(const std::string& token) {
  return {{"Authorization", "Bearer " + token}};
}

/// Objects in objects, as the value of a field of a session.
std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += "{\"a\":";
  return text + "0" + std::string(depth, '}');
}

/// A skill at the other end of a connection, whose handlers end when the test says so.
class FarSkill {
 public:
  FarSkill(Served& server, std::string id, const std::string& query = {})
      : id_(std::move(id)), client_(server.client(query)) {
    client_.send("test.here", kEmpty, from(kEmpty));
    client_.catch_up();
  }
  Json dispatch() { return client_.receive(id_ + ":go"); }
  void speak(const Json& dispatch, const std::string& text) {
    client_.send("ovos.utterance.speak", {{"utterance", text}, {"lang", "en-US"}},
                 from(dispatch.at("context")));
  }
  void complete(const Json& dispatch) {
    client_.send("ovos.intent.handler.complete", kEmpty, from(dispatch.at("context")));
  }
  CoreClient& client() { return client_; }

 private:
  Json from(Json context) const {
    context["skill_id"] = id_;
    return context;
  }
  std::string id_;
  CoreClient client_;
};

/// A turn over HTTP on a thread of its own.
std::future<Json> run(const Served& server, const std::string& id, const std::string& text,
                      const std::string& token = {}) {
  return std::async(std::launch::async, [port = server.port(), id, text, token] {
    const Headers headers = token.empty() ? Headers() : bearer(token);
    return http(port, "POST", "/run", Json{{"id", id}, {"text", text}}.dump(), headers).json();
  });
}

/// Waits until all that was to come before is in `passed`, of a client that hears of one session only.
void settle(CoreClient& client, const std::string& session) {
  client.send("test.end", kEmpty, in_session(session));
  client.receive("test.end");
}

std::string with_id(const std::string& topic, const Json& data, const std::string& session,
                    const std::string& utterance_id) {
  return hostile::message(topic.c_str(), data,
                          {{"session", {{"session_id", session}}}, {"utterance_id", utterance_id}});
}

}  // namespace

TEST_CASE("hostile: a session nested 60,000 deep is refused wherever it comes in") {
  Served server;
  server.skill("honest.test", speaks_back());
  server.start();
  Honest honest(server);
  for (const std::size_t depth : {1'000U, 60'000U, 150'000U}) {
    for (const std::string& session :
         {R"({"session_id": "deep", "x": )" + nested(depth) + "}",
          R"({"session_id": "deep", "intent_context": )" + nested(depth) + "}"}) {
      for (const char* path : {"/run", "/v1/explain"}) {
        const std::string body = R"({"id": "deep", "text": "go honest.test", "session": )" + session + "}";
        CHECK(http(server.port(), "POST", path, body).status == 400);
      }
      CoreClient hostile = server.client("?topics=test.mark");
      hostile.send_text(R"({"type": "ovos.utterance.handle", "data": {"utterances": ["go honest.test"]},)"
                        R"( "context": {"session": )" +
                        session + "}}");
      hostile.send_text(R"({"type": "ovos.session.sync", "data": {"session": )" + session +
                        R"(}, "context": {}})");
      hostile.send_text(R"({"type": "flood.deep", "data": {"x": )" + nested(depth) + "}}");
      hostile.catch_up();
      honest.converse();
    }
  }
}

TEST_CASE("M-8 hostile: who knows the id of another's turn can't end it, speak in it or take its answer") {
  Served server;
  server.tokens(token_of("victim") + token_of("mallory", ", sessions: own"));
  server.start();
  FarSkill skill(server, "far.test", "?token=victim");
  auto answer = run(server, "victim", "go far.test", "victim");
  const Json dispatch = skill.dispatch();
  const std::string id = dispatch.at("context").at("utterance_id");
  CoreClient mallory = server.client("?token=mallory");
  for (const char* report : {"ovos.intent.handler.complete", "ovos.intent.handler.error"})
    mallory.send_text(with_id(report, {{"skill_id", "far.test"}}, "mallory", id));
  mallory.send_text(
      with_id("ovos.utterance.speak", {{"utterance", "lies"}, {"lang", "en-US"}}, "mallory", id));
  mallory.send_text(with_id("ovos.session.sync", {{"session", {{"lang", "de-DE"}}}}, "mallory", id));
  mallory.send_text(with_id("ovos.utterance.handle", utterance("go nobody.test"), "mallory", id));
  mallory.receive("ovos.utterance.handled");
  mallory.send_text(
      R"({"type": "ovos.utterance.handle", "data": {}, "context": {"session": 7, "utterance_id": ")" + id +
      "\"}}");
  settle(mallory, "mallory");
  skill.client().catch_up();
  skill.speak(dispatch, "the truth");
  skill.complete(dispatch);
  const Json got = answer.get();
  CAPTURE(got.dump());
  CHECK(got.at("status") == "answered");
  CHECK(got.at("speech_text") == "the truth");
  CHECK(got.at("session").at("session_id") == "victim");
  CHECK_FALSE(got.at("session").contains("lang"));
  for (const auto& message : mallory.passed) CHECK(message.dump().find("the truth") == std::string::npos);
}

TEST_CASE("M-8 hostile: an id that is taken beforehand is nobody else's turn") {
  Served server;
  server.skill("honest.test", speaks_back());
  server.start();
  FarSkill skill(server, "far.test");
  auto first = run(server, "a", "go honest.test");
  const std::string known = first.get().at("utterance_id");
  const auto dot = known.rfind('.');
  CoreClient mallory = server.client("?topics=test.mark");
  std::vector<std::string> guesses;
  if (dot != known.npos) {  // an id that counts up
    for (int next = 1; next <= 40; ++next)
      guesses.push_back(known.substr(0, dot + 1) + std::to_string(std::stoi(known.substr(dot + 1)) + next));
  }
  CHECK_MESSAGE(guesses.empty(), "an id of the core can be guessed from another: " << known);
  CHECK(known.size() >= 32);  // 128 bits
  for (const auto& guess : guesses)
    mallory.send_text(with_id("ovos.utterance.handle", utterance("go far.test"), "mallory", guess));
  mallory.catch_up();
  const Json got = run(server, "victim", "go honest.test mine").get();
  CHECK(got.at("speech_text") == "go honest.test mine");
  CHECK(got.at("session").at("session_id") == "victim");
}

TEST_CASE("M-8 hostile: an id that is used again is its sender's own, and nobody hears of the other turn") {
  Served server;
  server.skill("honest.test", speaks_back());
  server.start();
  FarSkill skill(server, "far.test");
  CoreClient victim = server.client("?session=victim");
  CoreClient mallory = server.client("?session=mallory");
  victim.send_text(with_id("ovos.utterance.handle", utterance("go far.test"), "victim", "mine"));
  const Json dispatch = skill.dispatch();
  mallory.send_text(with_id("ovos.utterance.handle", utterance("go honest.test lies"), "mallory", "mine"));
  mallory.receive("ovos.utterance.handled");
  skill.speak(dispatch, "the truth");
  skill.complete(dispatch);
  CHECK(victim.receive("ovos.utterance.handled").at("context").at("session").at("session_id") == "victim");
  settle(victim, "victim");
  CHECK(victim.count("ovos.utterance.speak") == 1);
  CHECK(victim.count("ovos.utterance.handled") == 0);  // it has been received above, and there is no other
  for (const auto& message : victim.passed) CHECK(message.dump().find("lies") == std::string::npos);
  settle(mallory, "mallory");
  for (const auto& message : mallory.passed) CHECK(message.dump().find("the truth") == std::string::npos);
}

TEST_CASE("S-6 hostile: ovos.session.sync changes no session that its sender may not use") {
  Served server;
  server.skill("honest.test", speaks_back());
  server.tokens(token_of("victim") + token_of("mallory", ", sessions: own"));
  server.start();
  FarSkill skill(server, "far.test", "?token=victim");
  CoreClient victim = server.client("?session=victim&token=victim");
  victim.send("ovos.utterance.handle", utterance("go far.test"), in_session("victim"));
  const Json dispatch = skill.dispatch();
  const Json before = http(server.port(), "GET", "/v1/sessions/default", {}, bearer("victim")).json();
  CoreClient mallory = server.client("?token=mallory");
  const Json id = dispatch.at("context").at("utterance_id");
  for (const char* of : {"default", "victim"}) {
    const Json change = {{"session_id", of}, {"lang", "de-DE"}, {"blacklisted_skills", {"honest.test"}}};
    for (const char* carrier : {"default", "victim", "mallory"}) {
      Json context = in_session(carrier);
      mallory.send("ovos.session.sync", {{"session", change}}, context);
      context["utterance_id"] = id;
      mallory.send("ovos.session.sync", {{"session", change}}, context);
    }
    mallory.send("ovos.session.sync", {{"session", change}});
  }
  settle(mallory, "mallory");
  skill.client().send("test.after", kEmpty, {{"skill_id", "far.test"}});
  skill.complete(dispatch);
  const Json handled = victim.receive("ovos.utterance.handled").at("context").at("session");
  CHECK_FALSE(handled.contains("lang"));
  CHECK_FALSE(handled.contains("blacklisted_skills"));
  CHECK(http(server.port(), "GET", "/v1/sessions/default", {}, bearer("victim")).json() == before);
}

TEST_CASE("W-4 hostile: a client can't lift its own deny list while its turn is under way") {
  Served server;
  server.skill("safe.test", says("open"));
  server.real_stages({"fallback_medium", "go"});
  server.tokens(token_of("guest", ", sessions: own, blacklisted_skills: [safe.test]"));
  server.start();
  CoreClient guest = server.client("?token=guest");
  Json context = in_session("guest");
  context["skill_id"] = "guest.test";
  guest.send("ovos.fallback.register", {{"skill_id", "guest.test"}, {"priority", 60}}, context);
  guest.send("ovos.utterance.handle", utterance("go safe.test"), in_session("guest"));
  const Json ping = guest.receive("guest.test.fallback.ping");
  Json open = {{"session_id", "guest"}, {"blacklisted_skills", Json::array({"nobody.test"})}};
  Json reply = ping.at("context");
  reply["skill_id"] = "guest.test";
  guest.send("ovos.session.sync", {{"session", open}}, reply);
  open["blacklisted_skills"] = Json::array();
  guest.send("ovos.session.sync", {{"session", open}}, reply);
  guest.send("guest.test.fallback.pong", {{"skill_id", "guest.test"}, {"can_handle", false}}, reply);
  guest.receive("ovos.utterance.handled");
  CHECK(guest.count("safe.test:go") == 0);
  CHECK(guest.count("ovos.intent.unmatched") == 1);
}

TEST_CASE("W-2 hostile: pongs and answers for a skill count from nobody but who speaks for it") {
  Served server;
  server.real_stages({"common_query", "converse", "fallback_low"});
  server.start();
  FarSkill skill(server, "far.test");
  skill.client().send("ovos.fallback.register", {{"skill_id", "far.test"}, {"priority", 80}},
                      {{"skill_id", "far.test"}});
  skill.client().catch_up();
  CoreClient user = server.client("?session=s");
  CoreClient mallory = server.client();
  const Json session = {{"session_id", "s"},
                        {"converse_handlers", {{{"skill_id", "far.test"}, {"activated_at", unix_now()}}}}};
  user.send("ovos.utterance.handle", utterance("what is the capital of france"), {{"session", session}});
  const auto forge = [&](const std::string& ping, const std::string& pong, Json data) {
    const Json asked = mallory.receive(ping);
    data["skill_id"] = "far.test";
    data["utterance"] = "what is the capital of france";
    for (const bool claims : {true, false}) {
      Json context = asked.at("context");
      if (claims) context["skill_id"] = "far.test";
      mallory.send(pong, data, context);
    }
    mallory.catch_up();
    return skill.client().receive(ping);
  };
  const auto say = [&](const Json& asked, const std::string& pong, Json data) {
    data["skill_id"] = "far.test";
    data["utterance"] = "what is the capital of france";
    Json context = asked.at("context");
    context["skill_id"] = "far.test";
    skill.client().send(pong, data, context);
  };
  const Json no_claim = {{"can_answer", false}};
  say(forge("ovos.common_query.ping", "ovos.common_query.pong", {{"can_answer", true}, {"latency_ms", 0}}),
      "ovos.common_query.pong", no_claim);
  say(forge("far.test.converse.ping", "far.test.converse.pong", {{"result", true}}), "far.test.converse.pong",
      {{"result", false}});
  say(forge("far.test.fallback.ping", "far.test.fallback.pong", {{"can_handle", true}}),
      "far.test.fallback.pong", {{"can_handle", false}});
  user.receive("ovos.intent.unmatched");
  for (const char* never : {"far.test:common_query", "far.test:converse", "far.test:fallback"})
    CHECK(user.count(never) == 0);
}

TEST_CASE("tokens hostile: an empty list of clients or topics lets nobody do anything") {
  Served server;
  server.tokens(token_of("all") + token_of("mute", ", send: [], receive: []"));
  server.start();
  CoreClient mute = server.client("?token=mute");
  CoreClient all = server.client("?token=all");
  mute.send("test.x", kEmpty);
  CHECK(http(server.port(), "GET", "/health").status == 200);
  CHECK(
      http(server.port(), "POST", "/run", R"({"id": "mute", "text": "go x.test"})", bearer("mute")).status ==
      403);
  all.send("test.y", kEmpty);
  all.catch_up();
  CHECK(all.count("test.x") == 0);
  mute.close();
  CHECK(mute.passed.empty());
  Served nobody;
  TemporaryFolder folder;
  nobody.config.gateway.tokens = folder.write("none.yaml", "clients: {}\n").string();
  bool served = true;
  try {
    nobody.start();
    served = http(nobody.port(), "GET", "/v1/skills").status != 401;
  } catch (const std::exception&) {
    served = false;  // a file that lets nobody in may as well be refused
  }
  CHECK_FALSE(served);
}

TEST_CASE("R-6 hostile: what is registered in another's session is not told") {
  Served server;
  server.real_stages({"intent_high"});
  server.tokens(token_of("attic", ", sessions: own") + token_of("mallory", ", sessions: own"));
  server.start();
  CoreClient attic = server.client("?token=attic");
  Json context = in_session("attic");
  context["skill_id"] = "attic.test";
  attic.send("ovos.intent.register.template",
             {{"skill_id", "attic.test"},
              {"intent_name", "secret"},
              {"lang", "en-US"},
              {"samples", {"say friend and enter"}}},
             context);
  settle(attic, "attic");
  CoreClient mallory = server.client("?token=mallory");
  const auto told = [&](const std::string& topic, const Json& data) {
    mallory.send(topic, data, in_session("mallory"));
    return mallory.receive(topic + ".response").dump();
  };
  for (const char* session : {"attic", "mallory", "default"}) {
    CHECK(told("ovos.intent.list", {{"session_id", session}}).find("attic.test") == std::string::npos);
    CHECK(
        told("ovos.intent.describe", {{"skill_id", "attic.test"}, {"session_id", session}}).find("friend") ==
        std::string::npos);
  }
  CHECK(told("ovos.intent.list", kEmpty).find("attic.test") == std::string::npos);
  CHECK(told("ovos.intent.describe", {{"skill_id", "attic.test"}}).find("friend") == std::string::npos);
  CHECK(told("ovos.pipeline.intent.intents.list", kEmpty).find("secret") == std::string::npos);
  CHECK(http(server.port(), "GET", "/v1/intents", {}, bearer("mallory")).body.find("secret") ==
        std::string::npos);
  CHECK(http(server.port(), "GET", "/v1/intents", {}, bearer("attic")).body.find("secret") !=
        std::string::npos);
}

TEST_CASE("tokens hostile: without tokens no name but this machine's is answered to") {
  Served server;
  server.skill("honest.test", speaks_back());
  server.start();
  const std::string body = R"({"id": "x", "text": "go honest.test"})";
  const std::string port = std::to_string(server.port());
  for (const std::string& host :
       {"127.0.0.1:" + port, "localhost:" + port, std::string("localhost"), "[::1]:" + port})
    CHECK(http(server.port(), "POST", "/run", body, {{"Host", host}}).status == 200);
  for (const std::string& host :
       {std::string("evil.example"), "evil.example:" + port, std::string("127.0.0.1.evil.example"),
        std::string("localhost.evil.example"), std::string("@")}) {
    CAPTURE(host);
    const int status = http(server.port(), "POST", "/run", body, {{"Host", host}}).status;
    CHECK(status >= 400);
    CHECK(status < 500);
    CHECK_THROWS(CoreClient(server.port(), "/core", {{"Host", host}}));
  }
  Honest(server).converse();
}

TEST_CASE("tokens hostile: a connection has few guesses, and others are let in meanwhile") {
  Served server;
  server.skill("honest.test", speaks_back());
  server.tokens(token_of("honest"));
  server.start();
  RawSocket guesser(server.port());
  constexpr int kGuesses = 1'000;
  int sent = 0;
  while (sent < kGuesses &&
         guesser.send("GET /v1/skills HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer guess" +
                      std::to_string(sent) + "\r\n\r\n"))
    ++sent;
  guesser.end_sending();
  const std::string answers = guesser.read_all();
  int refused = 0;
  for (auto at = answers.find(" 401 "); at != answers.npos; at = answers.find(" 401 ", at + 1)) ++refused;
  CHECK(refused >= 1);
  CHECK(refused <= 20);
  Honest(server, "honest", "honest").converse();
}

TEST_CASE("grants hostile: their bounds hold over HTTP and for what is malformed too") {
  Served server;
  server.skill("honest.test", speaks_back());
  server.tokens(token_of("honest") +
                token_of("small", ", sessions: own, max_frame: 1000, messages_per_second: 5"));
  server.start();
  const std::string body =
      Json{{"id", "small"}, {"text", "go honest.test"}, {"lang", "en-US"}, {"more", std::string(5'000, 'x')}}
          .dump();
  CHECK(http(server.port(), "POST", "/run", body, bearer("small")).status == 413);
  CHECK(http(server.port(), "POST", "/v1/explain", body, bearer("small")).status == 413);
  CoreClient listener = server.client("?token=honest&topics=ovos.session.rejected,test.mark");
  CoreClient small = server.client("?token=small");
  for (int i = 0; i < 500; ++i)
    small.send_text(R"({"type": "ovos.utterance.handle", "data": {}, "context": {"session": 7}})");
  Honest honest(server, "honest", "honest");
  honest.converse();
  listener.catch_up();
  CHECK(listener.count("ovos.session.rejected") <= 20);
  Served mute;
  mute.tokens(token_of("honest") + token_of("mute", ", send: [test.*]"));
  mute.start();
  CoreClient hears = mute.client("?token=honest&topics=ovos.session.rejected,test.mark");
  CoreClient says = mute.client("?token=mute");
  says.send_text(R"({"type": "ovos.utterance.handle", "data": {}, "context": {"session": 7}})");
  says.catch_up();
  hears.catch_up();
  CHECK(hears.count("ovos.session.rejected") == 0);
}
