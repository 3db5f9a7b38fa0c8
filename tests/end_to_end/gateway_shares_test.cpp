// W-5: what one connection may take up, and that others have theirs, over real sockets.
#include "net/client.hpp"
#include "net/grant.hpp"
#include "orchestrator/orchestrator.hpp"
#include "support/patience.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// A skill on a connection of its own, which answers nothing.
CoreClient silent_skill(Served& server, const std::string& skill_id) {
  CoreClient skill = server.client("?topics=test.*," + skill_id + ":go");
  skill.send("test.here", kEmpty, {{"skill_id", skill_id}});
  skill.catch_up();
  return skill;
}

void utter(CoreClient& user, const std::string& text, const std::string& session) {
  user.send("ovos.utterance.handle", utterance(text), in_session(session));
}

}  // namespace

TEST_CASE("W-5 shares: a client whose skill hangs waits for itself; others and its other sessions go on") {
  Served server;
  server.config.orchestrator.max_in_flight_of_client = 8;
  server.config.orchestrator.max_in_flight_of_session = 3;
  server.skill("tea.test", says("yes"));
  server.real_stages({"stop_high", "go"});
  server.start();
  CoreClient stuck = silent_skill(server, "stuck.test");
  CoreClient hub = server.client("?topics=ovos.utterance.*");
  for (int i = 0; i < 10; ++i) utter(hub, "go stuck.test", "one");
  for (int i = 0; i < 3; ++i) stuck.receive("stuck.test:go");
  utter(hub, "go tea.test", "two");
  hub.receive("ovos.utterance.speak");
  for (int i = 0; i < 30; ++i) utter(hub, "go stuck.test", "more" + std::to_string(i));
  CoreClient other = server.client("?topics=ovos.utterance.*");
  utter(other, "go tea.test", "three");
  other.receive("ovos.utterance.speak");
  CHECK(server.ask([](Assistant& assistant) { return assistant.orchestrator().busy(); }) <= 9);
}

TEST_CASE("W-5 shares: 'stop' does not wait behind what it is to stop") {
  Served server;
  server.config.orchestrator.max_in_flight_of_session = 1;
  server.real_stages({"stop_high", "go"});
  server.start();
  CoreClient stuck = silent_skill(server, "stuck.test");
  CoreClient user = server.client("?topics=ovos.*");
  utter(user, "go stuck.test", "s");
  const Json session = stuck.receive("stuck.test:go").at("context").at("session");
  utter(user, "go stuck.test", "s");
  user.send("ovos.utterance.handle", utterance("stop everything"), {{"session", session}});
  CHECK(contains(user.receive("ovos.intent.handler.error").at("data").at("exception").get<std::string>(),
                 "stopped"));
}

TEST_CASE(
    "W-5 shares: skills and registrations beyond a connection's share are refused, and a grant raises it") {
  Served server;
  server.config.gateway.max_skills = 2;
  server.config.gateway.max_registrations = 3;
  const auto token = [](const std::string& name, const std::string& more) {
    return "  " + name + ": {token_sha256: " + net::sha256(name) + more + "}\n";
  };
  server.tokens(token("plain", "") + token("host", ", max_skills: 5, max_registrations: 5"));
  server.start();
  const auto claim = [&](const std::string& name) {
    CoreClient client = server.client("?token=" + name);
    for (int i = 0; i < 6; ++i)
      client.send("test.here", kEmpty, {{"skill_id", name + std::to_string(i) + ".test"}});
    for (int i = 0; i < 8; ++i) {
      client.send("ovos.intent.register.template",
                  {{"skill_id", name + "0.test"},
                   {"intent_name", "i" + std::to_string(i)},
                   {"lang", "en-US"},
                   {"samples", {"sample " + std::to_string(i)}}},
                  {{"skill_id", name + "0.test"}});
    }
    client.catch_up();
    const auto intents = http(server.port(), "GET", "/v1/intents?token=" + name).json().at("intents").size();
    const auto skills = http(server.port(), "GET", "/v1/skills?token=" + name).json().at("remote").size();
    client.close();
    return std::pair(skills, intents);
  };
  CHECK(claim("plain") == std::pair<std::size_t, std::size_t>(2, 3));
  CHECK(server.log.has("gateway.max_skills"));
  CHECK(server.log.has("gateway.max_registrations"));
  const Patience waits;
  while (!http(server.port(), "GET", "/v1/skills?token=host").json().at("remote").empty())
    waits.once_more("the skills to leave");
  CHECK(claim("host") == std::pair<std::size_t, std::size_t>(5, 5));
}

TEST_CASE("W-5 shares: whoever leaves too many questions open loses the first of its own") {
  Served server;
  server.config.orchestrator.max_questions_of_client = 2;
  server.skill("asks.test", [](Turn turn) -> Task<> {
    const auto kind = co_await turn.ask("which");
    static_cast<void>(kind);
    turn.speak("done");
  });
  server.locale("asks.test", "en-US/which.dialog", "Which one?\n");
  server.start();
  CoreClient polite = server.client("?topics=ovos.*&session=p");
  utter(polite, "go asks.test", "p");
  polite.receive("ovos.utterance.speak");
  CoreClient many = server.client("?topics=ovos.*");
  for (const char* session : {"a", "b", "c"}) {
    utter(many, "go asks.test", session);
    many.receive("ovos.utterance.speak");
  }
  const Json ended = many.receive("ovos.intent.handler.error");
  CHECK(ended.at("context").at("session").at("session_id") == "a");
  CHECK(contains(ended.at("data").at("exception").get<std::string>(), "questions of this client"));
  many.receive("ovos.utterance.handled");
  CHECK(server.ask([](Assistant& assistant) { return assistant.orchestrator().in_flight(); }) <= 4);
  CHECK(polite.count("ovos.utterance.handled") == 0);
  utter(polite, "go asks.test", "p");  // the one that waits is replaced: it had not ended
  polite.receive("ovos.utterance.handled");
  CHECK(polite.count("ovos.intent.handler.error") == 0);
}

TEST_CASE("M-8 shares: whoever knows the id of another's turn does not speak in it") {
  Served server;
  server.start();
  CoreClient skill = silent_skill(server, "slow.test");
  CoreClient user = server.client("?topics=ovos.utterance.*");
  CoreClient other = server.client("?topics=ovos.utterance.*");
  utter(user, "go slow.test", "s");
  const Json dispatch = skill.receive("slow.test:go");
  const std::string turn = dispatch.at("context").at("utterance_id");
  CHECK(turn.size() == 32);
  Json context = dispatch.at("context");
  context.erase("skill_id");
  other.send("ovos.utterance.speak", {{"utterance", "not me"}, {"lang", "en-US"}}, context);
  const Json spoken = user.receive("ovos.utterance.speak");
  CHECK(spoken.at("data").at("utterance") == "not me");
  CHECK_FALSE(spoken.at("context").contains("utterance_id"));
  context["skill_id"] = "slow.test";
  skill.send("ovos.utterance.speak", {{"utterance", "me"}, {"lang", "en-US"}}, context);
  CHECK(user.receive("ovos.utterance.speak").at("context").at("utterance_id") == turn);
}
