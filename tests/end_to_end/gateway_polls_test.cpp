// Skills at the other end of a connection that are polled by the real stages: stop, converse, fallback,
// common query.
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kAsked = "what is the capital of france";

/// A skill on a connection of its own.
class Far {
 public:
  Far(Served& server, std::string id) : id_(std::move(id)), client_(server.client()) {
    send("test.here", kEmpty, {});
    client_.catch_up();
  }
  const std::string& id() const { return id_; }
  Json wait(const std::string& topic) { return client_.receive(topic); }
  /// Waits for a question and answers it.
  Json answer(const std::string& question, const std::string& topic, Json data) {
    const Json asked = wait(question);
    data["skill_id"] = id_;
    send(topic, data, asked.at("context"));
    return asked;
  }
  /// Waits for a dispatch and ends it with something said; nothing said: in silence.
  Json run(const std::string& intent, const std::string& text) {
    const Json dispatch = wait(id_ + ":" + intent);
    const Json& context = dispatch.at("context");
    if (!text.empty()) send("ovos.utterance.speak", {{"utterance", text}, {"lang", "en-US"}}, context);
    send("ovos.intent.handler.complete", kEmpty, context);
    return dispatch;
  }
  void send(const std::string& topic, const Json& data, Json context) {
    context["skill_id"] = id_;
    client_.send(topic, data, context);
  }
  CoreClient& client() { return client_; }

 private:
  std::string id_;
  CoreClient client_;
};

void ask(CoreClient& user, const std::string& text, const Json& session = {{"session_id", "s"}}) {
  user.passed.clear();
  user.send("ovos.utterance.handle", utterance(text), {{"session", session}});
}

/// The texts that were spoken up to the end of the turn.
std::vector<std::string> spoken(CoreClient& user) {
  user.receive("ovos.utterance.handled");
  std::vector<std::string> texts;
  for (const auto& message : user.passed) {
    if (message.at("type") == "ovos.utterance.speak") texts.push_back(message.at("data").at("utterance"));
  }
  return texts;
}

Json pong(bool can) {
  return {{"utterance", kAsked}, {"can_answer", can}, {"latency_ms", 0}};
}
Json knows(const std::string& text, double conf) {
  return {{"utterance", kAsked}, {"answer", text}, {"conf", conf}};
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("Q-7 remote skills: those that claim a question are asked, and the best answer is spoken") {
  Served server;
  server.real_stages({"common_query"});
  server.start();
  Far atlas(server, "atlas.test");
  Far almanac(server, "almanac.test");
  Far lamp(server, "lamp.test");
  CoreClient user = server.client();
  ask(user, kAsked);
  const Json ping = atlas.answer("ovos.common_query.ping", "ovos.common_query.pong", pong(true));
  CHECK(ping.at("data") == Json{{"utterance", kAsked}, {"lang", "en-US"}});
  almanac.answer("ovos.common_query.ping", "ovos.common_query.pong", pong(true));
  lamp.answer("ovos.common_query.ping", "ovos.common_query.pong", pong(false));
  const Json request =
      atlas.answer("atlas.test:common_query", "atlas.test.common_query.response", knows("Paris", 0.8));
  CHECK(request.at("data").at("utterance") == kAsked);
  almanac.answer("almanac.test:common_query", "almanac.test.common_query.response", knows("Lyon", 0.6));
  CHECK(spoken(user) == Words{"Paris"});
  CHECK(user.count("ovos.intent.handler.complete") == 1);
  lamp.client().catch_up();
  CHECK(lamp.client().count("lamp.test:common_query") == 0);
}

TEST_CASE("Q-7 remote skills: one that goes during the contest is not waited for") {
  Served server;
  server.real_stages({"common_query"});
  server.config.stages.at("common_query").options["poll_window"] = "1min";
  server.config.stages.at("common_query").options["collection_ceiling"] = "1min";
  server.config.stages.at("common_query").match_timeout = 5min;
  server.start();
  Far atlas(server, "atlas.test");
  auto almanac = std::make_unique<Far>(server, "almanac.test");
  auto lamp = std::make_unique<Far>(server, "lamp.test");
  CoreClient user = server.client();
  ask(user, kAsked);
  atlas.answer("ovos.common_query.ping", "ovos.common_query.pong", pong(true));
  almanac->answer("ovos.common_query.ping", "ovos.common_query.pong", pong(true));
  lamp->wait("ovos.common_query.ping");
  lamp.reset();  // before it has claimed anything
  atlas.answer("atlas.test:common_query", "atlas.test.common_query.response", knows("Paris", 0.7));
  almanac->wait("almanac.test:common_query");
  almanac.reset();  // before it has answered
  CHECK(spoken(user) == Words{"Paris"});
}

TEST_CASE("Q-2 remote skills: what nobody asked for, and what is no answer, is counted and not spoken") {
  Served server;
  server.real_stages({"common_query"});
  server.start();
  Far atlas(server, "atlas.test");
  CoreClient user = server.client();
  ask(user, kAsked);
  const Json ping = user.receive("ovos.common_query.ping");
  user.send("ovos.common_query.pong",
            {{"utterance", kAsked}, {"skill_id", "nobody.test"}, {"can_answer", true}},
            ping.at("context"));  // it does not say that it speaks for that skill (W-2)
  user.catch_up();
  atlas.answer("ovos.common_query.ping", "ovos.common_query.pong", pong(true));
  const Json request = atlas.wait("atlas.test:common_query");
  atlas.send("atlas.test.common_query.response",
             {{"utterance", kAsked}, {"skill_id", "atlas.test"}, {"answer", "Paris"}, {"conf", 7}},
             request.at("context"));
  CHECK(spoken(user).empty());
  CHECK(user.count("ovos.intent.unmatched") == 1);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"answer\"}") == 1);
}

TEST_CASE("P-3 remote skills: they are asked, the latest that says yes is stopped, and no other one") {
  Served server;
  server.real_stages({"stop_high", "go"});
  server.start();
  Far radio(server, "radio.test");
  Far piano(server, "piano.test");
  CoreClient user = server.client();
  ask(user, "go radio.test");
  radio.run("go", "");
  Json session = user.receive("ovos.utterance.handled").at("context").at("session");
  ask(user, "go piano.test", session);
  piano.run("go", "");
  session = user.receive("ovos.utterance.handled").at("context").at("session");
  ask(user, "stop", session);
  SUBCASE("the latest says yes: the other one need not be waited for") {
    piano.answer("ovos.stop.ping", "ovos.stop.pong", {{"can_handle", true}});
    piano.run("stop", "quiet now");
    CHECK(spoken(user) == Words{"quiet now"});
    radio.client().catch_up();
    CHECK(radio.client().count("radio.test:stop") == 0);
  }
  SUBCASE("the latest says no") {
    piano.answer("ovos.stop.ping", "ovos.stop.pong", {{"can_handle", false}});
    radio.answer("ovos.stop.ping", "ovos.stop.pong", {{"can_handle", true}});
    radio.run("stop", "silence");
    CHECK(spoken(user) == Words{"silence"});
  }
  SUBCASE("what is no boolean is a no") {
    piano.answer("ovos.stop.ping", "ovos.stop.pong", {{"can_handle", "yes"}});
    radio.answer("ovos.stop.ping", "ovos.stop.pong", {{"can_handle", true}});
    radio.run("stop", "silence");
    CHECK(spoken(user) == Words{"silence"});
  }
}

TEST_CASE("P-6 remote skills: a handler that still runs is ended by the stop, and heard no more") {
  Served server;
  server.real_stages({"stop_high", "go"});
  server.start();
  Far radio(server, "radio.test");
  CoreClient user = server.client();
  ask(user, "go radio.test");
  const Json context = radio.wait("radio.test:go").at("context");
  user.receive("ovos.intent.handler.start");
  ask(user, "stop", context.at("session"));
  radio.answer("ovos.stop.ping", "ovos.stop.pong", {{"can_handle", true}});
  radio.run("stop", "");
  CHECK(contains(user.receive("ovos.intent.handler.error").at("data").at("exception").get<std::string>(),
                 "stopped"));
  user.receive("ovos.utterance.handled");
  user.receive("ovos.utterance.handled");
  radio.send("ovos.utterance.speak", {{"utterance", "and now the news"}, {"lang", "en-US"}}, context);
  radio.client().catch_up();
  user.catch_up();
  CHECK(user.count("ovos.utterance.speak") == 0);
}

TEST_CASE("P-5 remote skills: a global stop reaches every connection once") {
  Served server;
  server.real_stages({"stop_high", "go"});
  server.start();
  Far radio(server, "radio.test");
  CoreClient user = server.client();
  ask(user, "stop everything");
  user.receive("ovos.utterance.handled");
  CHECK(user.count("ovos.stop") == 1);
  CHECK(radio.wait("ovos.stop").at("context").at("session").at("session_id") == "s");
}

TEST_CASE("C-2 remote skills: the one that spoke last is offered what is said next, until it is done") {
  Served server;
  server.real_stages({"converse", "go"});
  server.start();
  Far game(server, "game.test");
  CoreClient user = server.client();
  ask(user, "go game.test");
  game.run("go", "guess a number");
  Json session = user.receive("ovos.utterance.handled").at("context").at("session");
  ask(user, "is it seven", session);
  const Json ping = game.answer("game.test.converse.ping", "game.test.converse.pong", {{"result", true}});
  CHECK(ping.at("data").at("utterances") == Json{"is it seven"});
  game.run("converse", "it is");
  session = user.receive("ovos.utterance.handled").at("context").at("session");
  CHECK(user.count("ovos.utterance.speak") == 1);
  ask(user, "hello", session);
  game.answer("game.test.converse.ping", "game.test.converse.pong", {{"result", false}});
  user.receive("ovos.utterance.handled");
  CHECK(user.count("ovos.intent.unmatched") == 1);
}

TEST_CASE("F-3 remote skills: they are asked in the order of their priorities, one by one") {
  Served server;
  server.real_stages({"fallback_low"});
  server.start();
  Far first(server, "first.test");
  Far second(server, "second.test");
  first.send("ovos.fallback.register", {{"skill_id", "first.test"}, {"priority", 80}}, kEmpty);
  second.send("ovos.fallback.register", {{"skill_id", "second.test"}, {"priority", 90}}, kEmpty);
  first.client().catch_up();
  second.client().catch_up();
  CoreClient user = server.client();
  ask(user, "flurb the grommet");
  const Json ping =
      first.answer("first.test.fallback.ping", "first.test.fallback.pong", {{"can_handle", false}});
  CHECK(ping.at("data").at("utterances") == Json{"flurb the grommet"});
  second.answer("second.test.fallback.ping", "second.test.fallback.pong", {{"can_handle", true}});
  second.run("fallback", "flurbed");
  CHECK(spoken(user) == Words{"flurbed"});
  second.send("ovos.fallback.deregister", {{"skill_id", "second.test"}}, kEmpty);
  second.client().catch_up();
  ask(user, "flurb the grommet");
  first.answer("first.test.fallback.ping", "first.test.fallback.pong", {{"can_handle", false}});
  CHECK(spoken(user).empty());
  CHECK(user.count("ovos.intent.unmatched") == 1);
}
