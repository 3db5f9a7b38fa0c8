// W-2 and W-3: skills at the other end of a connection.
#include <future>
#include <set>

#include "registry/registry.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// A connection that speaks for a skill.
CoreClient remote(Served& server, const std::string& skill_id) {
  CoreClient client = server.client();
  client.send("test.here", kEmpty, {{"skill_id", skill_id}});
  client.catch_up();
  client.passed.clear();
  return client;
}

void say(CoreClient& user, const std::string& text, const std::string& session = "s") {
  user.send("ovos.utterance.handle", utterance(text), in_session(session));
}

Json speech(const std::string& text) {
  return {{"utterance", text}, {"lang", "en-US"}};
}

}  // namespace

TEST_CASE("W-2 remote skill: it is dispatched to, speaks, reports its end, and the core tells of it once") {
  Served server;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test now");
  const Json dispatch = skill.receive("far.test:go");
  CHECK(dispatch.at("data").at("utterance") == "go far.test now");
  CHECK(dispatch.at("context").at("skill_id") == "far.test");
  CHECK(dispatch.at("context").at("pipeline_id") == "go");
  skill.send("ovos.utterance.speak", speech("hello"), dispatch.at("context"));
  skill.send("ovos.intent.handler.complete", {{"from", "the skill"}}, dispatch.at("context"));
  user.receive("ovos.utterance.handled");
  user.catch_up();
  CHECK(user.count("ovos.utterance.speak") == 1);
  CHECK(user.count("ovos.intent.handler.start") == 1);
  REQUIRE(user.count("ovos.intent.handler.complete") == 1);
  for (const auto& message : user.passed) {
    if (message.at("type") == "ovos.intent.handler.complete")
      CHECK(message.at("data") == Json{{"skill_id", "far.test"}, {"intent_name", "go"}});
  }
}

TEST_CASE("W-2 remote skill: an error it reports ends the turn as one, with its words") {
  Served server;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test");
  const Json dispatch = skill.receive("far.test:go");
  skill.send("ovos.intent.handler.error", {{"exception", "out of tea"}}, dispatch.at("context"));
  CHECK(user.receive("ovos.intent.handler.error").at("data").at("exception") == "out of tea");
  user.receive("ovos.utterance.handled");
  user.catch_up();
  CHECK(user.count("ovos.intent.handler.error") == 0);
}

TEST_CASE("S-6 remote skill: its report carries the session as it left it") {
  Served server;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test");
  Json context = skill.receive("far.test:go").at("context");
  context["session"]["intent_context"]["far.test:cup"] = {{"value", "blue"}};
  SUBCASE("and that is what the round ends with") {
    skill.send("ovos.intent.handler.complete", kEmpty, context);
    const Json session = user.receive("ovos.utterance.handled").at("context").at("session");
    CHECK(session.at("intent_context").at("far.test:cup").at("value") == "blue");
  }
  SUBCASE("another session's is ignored") {
    context["session"]["session_id"] = "other";
    skill.send("ovos.intent.handler.complete", kEmpty, context);
    const Json session = user.receive("ovos.utterance.handled").at("context").at("session");
    CHECK(session.at("session_id") == "s");
    CHECK_FALSE(session.contains("intent_context"));
  }
}

TEST_CASE("W-2 reports: only the right one counts, and none is relayed") {
  Served server;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient stranger = server.client();
  CoreClient user = server.client();
  say(user, "go far.test");
  const Json context = skill.receive("far.test:go").at("context");
  Json other_turn = context;
  other_turn["utterance_id"] = "another";
  Json other_skill = context;
  other_skill["skill_id"] = "near.test";
  Json nobody = context;
  nobody.erase("skill_id");
  stranger.send("ovos.intent.handler.complete", kEmpty, context);  // not from the connection of the skill
  stranger.send("ovos.intent.handler.complete", kEmpty, nobody);
  stranger.catch_up();
  skill.send("ovos.intent.handler.complete", kEmpty, other_turn);
  skill.send("ovos.intent.handler.error", kEmpty, other_skill);
  skill.send("ovos.intent.handler.complete", {{"skill_id", "near.test"}}, context);
  skill.send("ovos.intent.handler.start", kEmpty, context);
  skill.catch_up();
  user.catch_up();
  CHECK(user.count("ovos.intent.handler.start") == 1);  // the core's own
  CHECK(user.count("ovos.intent.handler.complete") == 0);
  CHECK(user.count("ovos.intent.handler.error") == 0);
  skill.send("ovos.intent.handler.complete", kEmpty, context);
  user.receive("ovos.utterance.handled");
  skill.send("ovos.intent.handler.complete", kEmpty, context);  // once more
  skill.catch_up();
  user.catch_up();
  CHECK(user.count("ovos.intent.handler.complete") == 1);
  CHECK(user.count("ovos.utterance.handled") == 0);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"report\"}") == 6);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"spoken_for\"}") == 1);
}

TEST_CASE("W-3 speakers: who comes first speaks for a skill, anybody else is refused") {
  Served server;
  server.skill("near.test", does([](Turn& turn) { turn.speak("near"); }));
  server.start();
  CoreClient first = remote(server, "far.test");
  CoreClient second = server.client();
  second.send("test.claim", kEmpty, {{"skill_id", "far.test"}});
  second.send("test.claim", kEmpty, {{"skill_id", "near.test"}});  // hosted here
  second.send("test.claim", kEmpty, {{"skill_id", "go"}});         // a stage
  second.send("test.claim", kEmpty, {{"skill_id", "no:skill"}});
  second.catch_up();
  CHECK(second.count("test.claim") == 0);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"spoken_for\"}") == 4);
  CHECK(server.log.has("speaks for 'far.test'"));
  CHECK(server.log.has("'near.test': this process hosts it"));
  first.send("test.claim", kEmpty, {{"skill_id", "far.test"}});
  CHECK_NOTHROW(second.receive("test.claim"));
}

TEST_CASE("W-3 speakers: a skill is free again once its connection has gone") {
  Served server;
  server.start();
  {
    CoreClient first = remote(server, "far.test");
    first.send("ovos.intent.register.template",
               {{"skill_id", "far.test"}, {"intent_name", "x"}, {"lang", "en-US"}, {"samples", {"say x"}}},
               {{"skill_id", "far.test"}});
    first.catch_up();
    CoreClient watcher = server.client();
    watcher.catch_up();
    first.close();
    watcher.receive("ovos.skill.deregister");
  }
  CoreClient second = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test");
  CHECK_NOTHROW(second.receive("far.test:go"));
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"spoken_for\"}") == 0);
}

TEST_CASE("W-3 speakers: a skill that is back before all it said was read speaks for itself again") {
  Served server;
  server.start();
  for (const int said : {200, 2000, 20'000}) {  // more than the loop takes at a time
    CoreClient first = remote(server, "far.test");
    for (int i = 0; i < said; ++i) first.send("test.much", kEmpty, {{"skill_id", "far.test"}});
    first.drop();
    CoreClient second = remote(server, "far.test");
    CoreClient user = server.client();
    say(user, "go far.test");
    CHECK_NOTHROW(second.receive("far.test:go"));
    CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"spoken_for\"}") == 0);
    second.close();
  }
}

TEST_CASE("W-3 disconnection: registrations go, once for each session they were made in, fallback ones too") {
  Served server;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient watcher = server.client();
  watcher.catch_up();
  const auto in = [](const char* session) {
    Json context = in_session(session);
    context["skill_id"] = "far.test";
    return context;
  };
  const Json intent{
      {"skill_id", "far.test"}, {"intent_name", "x"}, {"lang", "en-US"}, {"samples", {"say x"}}};
  skill.send("ovos.intent.register.template", intent, {{"skill_id", "far.test"}});
  skill.send("ovos.intent.register.template", intent, in("kitchen"));
  skill.send("ovos.entity.register",
             {{"skill_id", "far.test"}, {"entity_name", "cup"}, {"lang", "en-US"}, {"samples", {"blue"}}},
             in("kitchen"));
  skill.send("ovos.fallback.register", {{"skill_id", "far.test"}, {"priority", 50}}, in("attic"));
  skill.catch_up();
  CHECK(server.ask([](Assistant& assistant) { return assistant.registry().intents().size(); }) == 2);
  watcher.passed.clear();
  SUBCASE("with a goodbye") {
    skill.close();
  }
  SUBCASE("without one") {
    skill.drop();
  }
  std::vector<std::string> sessions;
  for (int i = 0; i < 3; ++i) {
    const Json gone = watcher.receive("ovos.skill.deregister");
    CHECK(gone.at("data") == Json{{"skill_id", "far.test"}});
    CHECK(gone.at("context").at("skill_id") == "far.test");
    sessions.push_back(gone.at("context").value("/session/session_id"_json_pointer, std::string("default")));
  }
  std::sort(sessions.begin(), sessions.end());
  CHECK(sessions == std::vector<std::string>{"attic", "default", "kitchen"});
  watcher.catch_up();
  CHECK(watcher.count("ovos.skill.deregister") == 0);
  REQUIRE(watcher.count("ovos.fallback.deregister") == 1);
  for (const auto& message : watcher.passed) {
    if (message.at("type") == "ovos.fallback.deregister")
      CHECK(message.at("context").at("session").at("session_id") == "attic");
  }
  CHECK(server.ask([](Assistant& assistant) { return assistant.registry().intents().size(); }) == 0);
  CHECK(server.ask(
      [](Assistant& assistant) { return assistant.bus().presence().of("far.test") == Presence::kNone; }));
}

TEST_CASE("W-3 disconnection: what it was running ends as an error that names it") {
  Served server;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test", "a");
  say(user, "go far.test", "b");
  skill.receive("far.test:go");
  skill.receive("far.test:go");
  skill.drop();
  for (int i = 0; i < 2; ++i) {
    const Json error = user.receive("ovos.intent.handler.error");
    CHECK(contains(error.at("data").at("exception").get<std::string>(), "'far.test' was lost"));
  }
}

TEST_CASE("D-6 remote skill: past its bound the turn ends, and what it says then is dropped and counted") {
  Served server;
  server.config.orchestrator.handler_timeout = 50ms;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test");
  const Json context = skill.receive("far.test:go").at("context");
  CHECK(contains(user.receive("ovos.intent.handler.error").at("data").at("exception").get<std::string>(),
                 "timeout"));
  user.receive("ovos.utterance.handled");
  skill.send("ovos.utterance.speak", speech("too late"), context);
  Json nobody = context;
  nobody.erase("skill_id");
  skill.send("ovos.utterance.speak", speech("still too late"), nobody);
  skill.send("ovos.intent.handler.complete", kEmpty, context);
  skill.send("ovos.utterance.speak", speech("by the way"), {{"skill_id", "far.test"}});
  CHECK(user.receive("ovos.utterance.speak").at("data").at("utterance") == "by the way");
  user.catch_up();
  CHECK(user.count("ovos.intent.handler.complete") == 0);
  CHECK(server.counters().of("parley_late_messages_dropped_total{skill=\"far.test\"}") == 3);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"report\"}") == 0);  // it could not know
}

TEST_CASE("D-9 remote skill: one that completed may still speak later") {
  Served server;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test");
  const Json context = skill.receive("far.test:go").at("context");
  skill.send("ovos.intent.handler.complete", kEmpty, context);
  user.receive("ovos.utterance.handled");
  skill.send("ovos.utterance.speak", speech("the tea is ready"), context);
  CHECK(user.receive("ovos.utterance.speak").at("data").at("utterance") == "the tea is ready");
}

TEST_CASE("W-2 one connection may host several skills, and turns of many sessions at a time") {
  Served server;
  server.start();
  CoreClient skills = remote(server, "one.test");
  skills.send("test.here", kEmpty, {{"skill_id", "two.test"}});
  skills.catch_up();
  CoreClient user = server.client("?topics=ovos.utterance.handled");
  constexpr int kTurns = 50;
  for (int i = 0; i < kTurns; ++i) say(user, i % 2 == 0 ? "go one.test" : "go two.test", std::to_string(i));
  std::vector<Json> contexts;
  while (contexts.size() < kTurns) {
    const Json message = skills.receive();
    if (message.at("type").get<std::string>().ends_with(":go")) contexts.push_back(message.at("context"));
  }
  for (auto last = contexts.rbegin(); last != contexts.rend(); ++last)
    skills.send("ovos.intent.handler.complete", kEmpty, *last);
  std::set<std::string> sessions;
  for (int i = 0; i < kTurns; ++i)
    sessions.insert(user.receive().at("context").at("session").at("session_id"));
  CHECK(sessions.size() == kTurns);
}

TEST_CASE("D-6 remote skill: time in which it waits for the user's answer does not count") {
  Served server;
  server.config.orchestrator.handler_timeout = 1500ms;  // in which a busy machine must say what it waits for
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  say(user, "go far.test");
  const Json context = skill.receive("far.test:go").at("context");
  const double now = server.ask([](Assistant& assistant) { return unix_seconds(assistant.clock().wall()); });
  const Json mode{{"skill_id", "far.test"}, {"expires_at", now + 3600}};
  skill.send("ovos.session.sync", {{"session", {{"session_id", "s"}, {"response_mode", mode}}}}, context);
  skill.catch_up();
  // A turn that is not waiting runs into its bound meanwhile: so much time has gone by.
  say(user, "go far.test", "other");
  CHECK(contains(user.receive("ovos.intent.handler.error").at("data").at("exception").get<std::string>(),
                 "timeout"));
  CHECK(user.receive("ovos.utterance.handled").at("context").at("session").at("session_id") == "other");
  skill.send("ovos.intent.handler.complete", kEmpty, context);
  CHECK(user.receive("ovos.intent.handler.complete").at("context").at("session").at("session_id") == "s");
}

TEST_CASE(
    "POST /run: what is asked again before the turn that answered ends is open with the session it gives") {
  Served server;
  server.real_stages({"converse", "go"});
  server.start();
  CoreClient skill = remote(server, "far.test");
  const auto run = [&](const Json& body) {
    return std::async(std::launch::async,
                      [&server, body] { return http(server.port(), "POST", "/run", body.dump()).json(); });
  };
  const double now = server.ask([](Assistant& assistant) { return unix_seconds(assistant.clock().wall()); });
  const Json mode{{"skill_id", "far.test"}, {"expires_at", now + 3600}};
  const auto ask = [&](Json context) {
    skill.send("ovos.session.sync", {{"session", {{"session_id", "me"}, {"response_mode", mode}}}}, context);
    context["session"]["response_mode"] = mode;
    skill.send("ovos.utterance.speak", {{"utterance", "Which?"}, {"lang", "en-US"}, {"listen", true}},
               context);
    skill.catch_up();
  };
  auto first = run({{"id", "me"}, {"text", "go far.test"}});
  const Json context = skill.receive("far.test:go").at("context");
  ask(context);
  const Json asked = first.get();
  CHECK(asked.at("speech_text") == "Which?");
  auto second = run({{"id", "me"}, {"text", "green"}, {"session", asked.at("session")}});
  const Json answer = skill.receive("far.test:response").at("context");
  ask(context);
  skill.send("ovos.intent.handler.complete", kEmpty, answer);
  const Json again = second.get();
  CHECK(again.at("speech_text") == "Which?");
  CHECK(again.at("session").contains("response_mode"));
}

TEST_CASE("C-1 remote skill: a question of one that failed, ran into its bound or has gone is open no more") {
  Served server;
  server.config.orchestrator.handler_timeout = 500ms;
  server.start();
  CoreClient skill = remote(server, "far.test");
  CoreClient user = server.client();
  std::string how;
  double lasts = 3600;
  SUBCASE("it failed") {
    how = "fails";
  }
  SUBCASE("its time was over") {
    how = "waits";
    lasts = 0.05;
  }
  SUBCASE("its connection was lost") {
    how = "goes";
  }
  for (const char* session : {"s", "default"}) {
    CAPTURE(session);
    if (how == "goes" && session == std::string("default")) continue;  // it can be lost once
    say(user, "go far.test", session);
    const Json context = skill.receive("far.test:go").at("context");
    const double now =
        server.ask([](Assistant& assistant) { return unix_seconds(assistant.clock().wall()); });
    const Json mode{{"skill_id", "far.test"}, {"expires_at", now + lasts}};
    skill.send("ovos.session.sync", {{"session", {{"session_id", session}, {"response_mode", mode}}}},
               context);
    skill.catch_up();
    if (how == "fails") skill.send("ovos.intent.handler.error", {{"exception", "no"}}, context);
    if (how == "goes") skill.drop();
    user.receive("ovos.intent.handler.error");
    CHECK_FALSE(user.receive("ovos.utterance.handled").at("context").at("session").contains("response_mode"));
  }
}
