// W-1, W-4 and W-5 over real sockets.
#include "support/patience.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {}  // namespace

TEST_CASE(
    "W-1 /core: a turn is taken over the socket, and every message of it is seen, the client's own "
    "included") {
  Served server;
  server.skill("tea.test", says("here you are"));
  server.start();
  CoreClient client = server.client();
  client.send("ovos.utterance.handle", utterance("go tea.test"), in_session("s"));
  const Json handled = client.receive("ovos.utterance.handled");
  CHECK(topics_of(client.passed) == std::vector<std::string>{"ovos.utterance.handle", "ovos.intent.matched",
                                                             "tea.test:go", "ovos.intent.handler.start",
                                                             "ovos.utterance.speak",
                                                             "ovos.intent.handler.complete"});
  CHECK(client.passed.at(4).at("data").at("utterance") == "here you are");
  CHECK(handled.at("context").at("session").at("session_id") == "s");
  for (const auto& message : client.passed) CHECK(message.size() == 3);
}

TEST_CASE("W-1 /core: every message goes to every client") {
  Served server;
  server.start();
  CoreClient one = server.client();
  CoreClient two = server.client();
  two.catch_up();
  one.send("test.hello", {{"text", "grüß dich\n\"x\""}}, {{"unknown", {1, 2}}});
  CHECK(two.receive("test.hello") == Json{{"type", "test.hello"},
                                          {"data", {{"text", "grüß dich\n\"x\""}}},
                                          {"context", {{"unknown", {1, 2}}}}});
  CHECK(one.receive("test.hello").at("data").at("text") == "grüß dich\n\"x\"");
}

TEST_CASE("W-1 /core: what is said while a client is being let in reaches it, though nothing is said after") {
  constexpr const char* kSent = "parley_gateway_messages_sent_total";
  constexpr int kMoments = 50;
  Served server;
  server.start();
  int heard = 0;
  for (int round = 0; round < 6 * kMoments; ++round) {
    const std::uint64_t before = server.counters().of(kSent);
    const std::string topic = "test.round_" + std::to_string(round);  // the last client may still be there
    auto coming = std::async(std::launch::async, [&] { return server.client("?topics=" + topic); });
    const auto is_in = [&coming] { return coming.wait_for(0s) == std::future_status::ready; };
    const int moment = round % kMoments;  // so often the loop has gone round since; the last one: it is in
    for (int i = 0; !is_in() && (i < moment || moment == kMoments - 1); ++i) {
      server.ask([](Assistant&) { return true; });
    }
    server.ask([&](Assistant& assistant) {
      assistant.bus().publish(Message(topic));
      return true;
    });
    CoreClient client = coming.get();
    http(server.port(), "GET", "/health");  // the gateway has dealt with all that came before
    if (server.counters().of(kSent) == before) continue;
    ++heard;
    CHECK_NOTHROW(client.receive(topic));
  }
  CHECK(heard > 0);
}

TEST_CASE("W-1 topics: exact ones and prefixes of any depth, and nothing else") {
  Served server;
  server.start();
  CoreClient all = server.client();
  CoreClient some = server.client("?topics=a.b,c.*,test.mark");
  some.catch_up();
  for (const char* topic : {"a.b", "a.b.c", "c.d", "c.d.e", "c", "cc.d", "a"})
    all.send(topic, Json::object());
  all.catch_up();
  some.passed.clear();
  some.catch_up();
  CHECK(topics_of(some.passed) == std::vector<std::string>{"a.b", "c.d", "c.d.e", "test.mark", "test.mark"});
}

TEST_CASE("W-1 topics: empty is everything, and a pattern that is none is refused by name") {
  Served server;
  server.start();
  CoreClient client = server.client("?topics=&session=");
  client.send("test.anything", Json::object());
  CHECK_NOTHROW(client.receive("test.anything"));
  CHECK_THROWS_WITH(server.client("?topics=a..b"), "refused with 400");
  const auto answer = http(server.port(), "GET", "/core?topics=*.b", "",
                           {{"Upgrade", "websocket"},
                            {"Connection", "upgrade"},
                            {"Sec-WebSocket-Version", "13"},
                            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}});
  CHECK(answer.status == 400);
  CHECK(answer.json().at("error").at("code") == "bad_topics");
  CHECK(contains(answer.json().at("error").at("message").get<std::string>(), "'*.b'"));
}

TEST_CASE("W-1 session: only that one's messages, and none is the default one") {
  Served server;
  server.start();
  CoreClient all = server.client();
  CoreClient mine = server.client("?session=mine");
  CoreClient common = server.client("?session=default&topics=test.*");
  mine.send("test.ready", Json::object(), in_session("mine"));
  mine.receive("test.ready");
  common.catch_up();
  all.send("test.x", {{"of", "none"}});
  all.send("test.x", {{"of", "mine"}}, in_session("mine"));
  all.send("test.x", {{"of", "other"}}, in_session("other"));
  all.send("test.x", {{"of", "default"}}, in_session("default"));
  all.send("test.end", Json::object(), in_session("mine"));
  mine.receive("test.end");
  REQUIRE(mine.count("test.x") == 1);
  CHECK(mine.passed.front().at("data").at("of") == "mine");
  common.catch_up();
  std::vector<std::string> heard;
  for (const auto& message : common.passed) {
    if (message.at("type") == "test.x") heard.push_back(message.at("data").at("of"));
  }
  CHECK(heard == std::vector<std::string>{"none", "default"});
}

TEST_CASE("W-1 parley.*: only who asks for the trace of turns gets it") {
  Served server;
  server.skill("tea.test", says("yes"));
  server.start();
  CoreClient client = server.client();
  client.send("ovos.utterance.handle", utterance("go tea.test"), in_session("s"));
  client.receive("ovos.utterance.handled");
  client.catch_up();
  CHECK(client.count("parley.turn.trace") == 0);
  CoreClient curious = server.client("?topics=parley.*,test.mark");
  curious.catch_up();
  client.send("ovos.utterance.handle", utterance("go tea.test"), in_session("s"));
  CHECK(curious.receive("parley.turn.trace").at("data").at("outcome") == "complete");
  client.catch_up();
  CHECK(client.count("parley.turn.trace") == 0);
}

TEST_CASE("W-1 binary: a binary frame is a malformed message, and the connection goes on") {
  Served server;
  server.start();
  CoreClient client = server.client();
  client.send_binary(R"({"type": "test.binary"})");
  client.catch_up();
  CHECK(client.count("test.binary") == 0);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"malformed\"}") == 1);
  CHECK(server.log.count("a binary frame") == 1);
}

TEST_CASE("W-1 breaches: what is no WebSocket closes that connection, and costs nobody else anything") {
  Served server;
  server.start();
  CoreClient other = server.client();
  SUBCASE("a reserved opcode") {
    CoreClient client = server.client();
    client.send_raw(std::string("\x83\x80\x00\x00\x00\x00", 6));
    CHECK(client.closed() == 1002);
  }
  SUBCASE("an unmasked frame") {
    CoreClient client = server.client();
    client.send_raw(std::string("\x81\x02{}", 4));
    CHECK(client.closed() == 1002);
  }
  SUBCASE("text that is not UTF-8") {
    CoreClient client = server.client();
    client.send_raw(std::string("\x81\x82\x00\x00\x00\x00\xff\xfe", 8));
    CHECK(client.closed() == 1007);
  }
  SUBCASE("a fragment of nothing") {
    CoreClient client = server.client();
    client.send_raw(std::string("\x80\x82\x00\x00\x00\x00{}", 8));
    CHECK(client.closed() == 1002);
  }
  other.catch_up();
  CHECK(server.counters().of("parley_gateway_disconnects_total{reason=\"protocol\"}") == 1);
  CHECK(server.log.count("it broke the WebSocket protocol") == 1);
}

TEST_CASE("W-4 a client may not speak for the core: refused, logged once, counted") {
  Served server;
  server.start();
  CoreClient client = server.client();
  const std::vector<std::string> forged{"ovos.intent.matched",
                                        "ovos.intent.unmatched",
                                        "ovos.utterance.handled",
                                        "ovos.session.rejected",
                                        "ovos.core.ready",
                                        "tea.test:go",
                                        "ovos.intent.list.response",
                                        "ovos.intent.describe.response",
                                        "ovos.converse.active.list.response",
                                        "ovos.pipeline.go.intents.list.response",
                                        "parley.turn.trace"};
  for (const auto& topic : forged) client.send(topic, Json::object());
  client.catch_up();
  CHECK(client.passed.empty());
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"core_topic\"}") == forged.size());
  CHECK(server.log.count("only the core says this") == 1);
  CHECK(server.log.has("'ovos.intent.matched'"));
}

TEST_CASE("W-4 questions: a client asks what the core answers, and hears it") {
  Served server;
  server.start();
  CoreClient client = server.client();
  client.send("ovos.intent.list", Json::object(), {{"source", "me"}});
  const Json answer = client.receive("ovos.intent.list.response");
  CHECK(answer.at("data").at("ok") == true);
  CHECK(answer.at("context").at("destination") == "me");
}

TEST_CASE("W-5 frames: one that is too large closes its connection, with a reason") {
  Served server;
  server.config.gateway.max_frame = 4096;
  server.start();
  CoreClient other = server.client();
  CoreClient client = server.client();
  client.send("test.fits", {{"text", std::string(3000, 'x')}});
  client.receive("test.fits");
  client.send("test.large", {{"text", std::string(5000, 'x')}});
  CHECK(client.closed() == 1009);
  other.catch_up();
  CHECK(other.count("test.large") == 0);
  CHECK(server.counters().of("parley_gateway_disconnects_total{reason=\"too_large\"}") == 1);
  CHECK(server.log.has("more than 4096 bytes (gateway.max_frame)"));
}

TEST_CASE("W-5 slow: who never reads is disconnected, and who reads gets everything") {
  Served server;
  server.config.gateway.max_queue = 256 * 1024;
  server.start();
  CoreClient reader = server.client();
  CoreClient sleeper = server.client("?topics=test.*");
  reader.catch_up();
  const std::string text(16 * 1024, 'x');
  constexpr int kMany = 600;  // more than the sockets' buffers hold
  for (int i = 0; i < kMany; ++i) {
    reader.send("test.flood", {{"text", text}, {"number", i}});
    REQUIRE(reader.receive("test.flood").at("data").at("number") == i);
  }
  CHECK(sleeper.closed() == 0);
  CHECK(server.counters().of("parley_gateway_disconnects_total{reason=\"slow\"}") == 1);
  CHECK(server.log.count("it reads too slowly") == 1);
  reader.catch_up();
}

TEST_CASE("W-5 connections: more than the bound get 503, and room that is made is used") {
  Served server;
  server.config.gateway.max_connections = 3;
  server.start();
  CoreClient one = server.client();
  CoreClient two = server.client();
  auto three = std::make_unique<CoreClient>(server.client());
  CHECK_THROWS_WITH(server.client(), "refused with 503");
  const auto answer = http(server.port(), "GET", "/health");
  CHECK(answer.status == 503);
  CHECK(answer.json().at("error").at("code") == "too_many_connections");
  CHECK(server.counters().of("parley_gateway_refused_total{reason=\"connections\"}") == 2);
  CHECK(server.log.has("gateway.max_connections"));
  three->close();
  three.reset();
  for (bool in = false; !in;) {  // the end of a connection is nobody's to wait for
    try {
      CoreClient again = server.client();
      again.catch_up();
      in = true;
    } catch (const std::runtime_error& error) {
      REQUIRE(std::string(error.what()) == "refused with 503");
    }
  }
  one.catch_up();
}

TEST_CASE("W-5 malformed: ten thousand in a row cost their sender alone, and make few log lines") {
  Served server;
  server.skill("tea.test", says("yes"));
  server.start();
  CoreClient hostile = server.client("?topics=test.mark");
  CoreClient polite = server.client();
  const std::vector<std::string> rubbish{"",
                                         "{",
                                         "[]",
                                         "7",
                                         "null",
                                         "\"x\"",
                                         "{}",
                                         R"({"type": 7})",
                                         R"({"type": ""})",
                                         R"({"type": "a..b"})",
                                         R"({"type": "a.b", "data": []})",
                                         R"({"type": "a.b", "data": null})",
                                         R"({"type": "a.b", "context": 7})",
                                         R"({"type": "a.b", "data": {"x": NaN}})",
                                         std::string(300, '['),
                                         R"({"type": "a.b\u0000\u001b[2J"})"};
  constexpr int kMany = 10'000;
  for (int i = 0; i < kMany; ++i) {
    hostile.send_text(rubbish[static_cast<std::size_t>(i) % rubbish.size()]);
    if (i % 1000 != 0) continue;
    polite.send("ovos.utterance.handle", utterance("go tea.test"), in_session("p"));
    polite.receive("ovos.utterance.handled");
  }
  hostile.catch_up();
  CHECK(polite.count("ovos.utterance.speak") == kMany / 1000);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"malformed\"}") == kMany);
  CHECK(server.log.count("dropped a malformed message") <= 3);
  for (const auto& line : server.log.all()) CHECK(line.find('\x1b') == line.npos);
}

TEST_CASE("S-3 carrier: over the socket, a session that is no object is rejected, and nothing else follows") {
  Served server;
  server.start();
  CoreClient client = server.client();
  client.send_text(
      R"({"type": "ovos.utterance.handle", "data": {"utterances": ["x"]}, "context": {"session": 7, "utterance_id": "u-9"}})");
  CHECK(client.receive("ovos.session.rejected").at("context") == Json::object());
  client.catch_up();
  CHECK(client.passed.empty());
}

TEST_CASE("W-1 the end: clients get a close frame, and a turn that runs is finished first") {
  Served server;
  server.config.gateway.drain_timeout = 20s;
  server.start();
  CoreClient skill = server.client();
  CoreClient user = server.client();
  skill.send("test.here", Json::object(), {{"skill_id", "far.test"}});
  skill.catch_up();
  user.send("ovos.utterance.handle", utterance("go far.test"), in_session("s"));
  const Json dispatch = skill.receive("far.test:go");
  std::thread ending([&server] { server.stop(); });
  for (const Patience waits; http(server.port(), "GET", "/health").status != 503;) {
    if (!waits.is_left()) break;  // the thread has to be joined
  }
  CHECK(http(server.port(), "POST", "/run", R"({"id": "x", "text": "go far.test"})").status == 503);
  skill.send("ovos.intent.handler.complete", Json::object(), dispatch.at("context"));
  CHECK_NOTHROW(user.receive("ovos.utterance.handled"));
  CHECK(user.closed() == 1001);
  CHECK(skill.closed() == 1001);
  ending.join();
}

TEST_CASE(
    "W-1 the end: whoever is asked something is told that nobody waits for the answer, which nobody does") {
  Served server;
  server.config.gateway.drain_timeout = 600s;
  server.locale("asks.test", "en-US/which.dialog", "Which one?\n");
  server.locale("asks.test", "de-DE/which.dialog", "Welche?\n");
  server.skill("asks.test", [](Turn turn) -> Task<> {
    co_await turn.ask("which");
    turn.speak("this is not said");
  });
  server.config.language.enabled = {"en-US", "de-DE"};
  server.start();
  CoreClient user = server.client();
  user.send("ovos.utterance.handle", utterance("go asks.test"), in_session("s"));
  CHECK(user.receive("ovos.utterance.speak")["data"]["utterance"] == "Which one?");
  Json german = in_session("t");
  german["session"]["output_lang"] = "de-DE";
  user.send("ovos.utterance.handle", utterance("go asks.test"), german);
  CHECK(user.receive("ovos.utterance.speak")["data"]["utterance"] == "Welche?");
  server.stop();
  std::map<std::string, std::string> said;
  for (int i = 0; i < 2; ++i) {
    const Json speech = user.receive("ovos.utterance.speak");
    said[speech["context"]["session"]["session_id"]] = speech["data"]["utterance"];
  }
  for (int i = 0; i < 2; ++i)
    CHECK_FALSE(user.receive("ovos.utterance.handled")["context"]["session"].contains("response_mode"));
  CHECK(said == std::map<std::string, std::string>{
                    {"s", "Sorry, I have to stop here. Please ask me again in a moment."},
                    {"t", "Ich muss das leider abbrechen. Bitte frag mich gleich noch einmal."}});
  CHECK(user.closed() == 1001);
}
