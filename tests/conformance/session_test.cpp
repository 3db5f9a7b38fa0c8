#include <doctest/doctest.h>

#include "message/codec.hpp"
#include "session/session.hpp"
#include "support/bus_inlet.hpp"
#include "support/session_helpers.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// What is left of a session after a trip through the core.
Json round_trip(const Json& wire) {
  return to_json(*session_of(wire));
}

std::string encoded(const Json& session) {
  return Json{{"type", "ovos.utterance.handle"},
              {"data", {{"utterances", {"tea"}}}},
              {"context", {{"session", session}}}}
      .dump();
}

}  // namespace

// ---- S-1

TEST_CASE("S-1 fields: each is read and written as it was") {
  Json all = {{"session_id", "kitchen"}};
  for (const auto& field : field_cases()) {
    CAPTURE(field.name);
    all[field.name] = field.good;
    CHECK(round_trip({{"session_id", "s"}, {field.name, field.good}}) ==
          Json{{"session_id", "s"}, {field.name, field.good}});
  }
  CHECK(round_trip(all) == all);
  CHECK(round_trip({{"session_id", "s"}}) == Json{{"session_id", "s"}});  // omitted stays omitted
}

TEST_CASE("S-1 fields: a null, a wrong type, a bad element or a missing key spoils the field, and it alone") {
  for (const auto& field : field_cases()) {
    for (const auto& bad : field.bad) {
      CAPTURE(field.name);
      CAPTURE(bad);
      std::vector<std::string> spoiled;
      Json wire = {{"session_id", "s"}, {"site_id", "home"}, {"mine", 1}};
      wire[field.name] = bad;
      const Json left = to_json(session_from_json(wire, spoiled));
      Json expected = {{"session_id", "s"}, {"site_id", "home"}, {"mine", 1}};
      expected.erase(field.name);
      CHECK(left == expected);
      REQUIRE(spoiled.size() == 1);
      CHECK(spoiled[0].find(field.name) == 0);
      CHECK(spoiled[0].find(std::string(kind_of(bad))) != std::string::npos);
    }
  }
}

TEST_CASE("S-1 fields: an unknown field that is null is omitted as well") {
  std::vector<std::string> spoiled;
  CHECK(to_json(session_from_json({{"session_id", "s"}, {"mine", nullptr}}, spoiled)) ==
        Json{{"session_id", "s"}});
  CHECK(spoiled == std::vector<std::string>{"mine is null: taken as omitted"});
}

TEST_CASE("S-1 session_id: anything but a non-empty string is default, and said to be wrong") {
  for (const Json& bad : {Json(), Json(""), Json(7), Json(true), Json::array(), Json::object()}) {
    CAPTURE(bad);
    std::vector<std::string> spoiled;
    CHECK(session_from_json({{"session_id", bad}}, spoiled).session_id == "default");
    CHECK(spoiled.size() == 1);
  }
  std::vector<std::string> spoiled;
  CHECK(session_from_json(Json::object(), spoiled).session_id == "default");
  CHECK(spoiled.empty());
}

TEST_CASE("S-1 spoiled fields: the message goes on without them, with a warning each") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  BusInlet inlet(parley.bus(), "client 7");
  CHECK(inlet.receive(
      encoded({{"session_id", "s"}, {"lang", nullptr}, {"pipeline", {"one", 7}}, {"site_id", "home"}})));
  parley.run();
  CHECK(parley.warned("client 7: session.lang is null"));
  CHECK(parley.warned("client 7: session.pipeline is an array"));
  CHECK(parley.warnings.size() == 2);
  CHECK(parley.count("ovos.intent.unmatched") == 1);
  CHECK(parley.heard.size() == 3);
  for (const auto& message : parley.heard) {
    CHECK(to_json(*message.context().session) == Json{{"session_id", "s"}, {"site_id", "home"}});
  }
}

TEST_CASE("S-1 overrides: an empty list counts as none") {
  TestAssistant parley;
  parley.config.blacklisted_pipelines = {"two"};
  parley.config.blacklisted_skills = {"tea.test"};
  parley.config.blacklisted_intents = {"milk.test:pour"};
  std::vector<std::string> asked;
  const auto asks = [&asked](std::string name, Answer answer) {
    return [&asked, name, answer](const MatchRequest& request) {
      asked.push_back(name);
      return answer(request);
    };
  };
  parley.stage_at_once("one", asks("one", claims("tea.test", "brew")));
  parley.stage_at_once("two", asks("two", declines()));
  parley.stage_at_once("three", asks("three", claims("milk.test", "pour")));
  parley.handler("tea.test", "brew", does([](Turn&) {}));
  parley.handler("milk.test", "pour", does([](Turn&) {}));
  parley.start();
  const Json empty = {{"session_id", "s"},
                      {"pipeline", Json::array()},
                      {"blacklisted_pipelines", Json::array()},
                      {"blacklisted_skills", Json::array()},
                      {"blacklisted_intents", Json::array()}};
  CHECK(parley.say("tea", session_of(empty)).status == TurnStatus::kUnmatched);
  CHECK(asked == std::vector<std::string>{"one", "three"});
  Json other = empty;
  other["blacklisted_skills"] = {"milk.test"};  // a list of its own replaces the configured one
  CHECK(parley.say("tea", session_of(other)).skill_id == "tea.test");
}

// ---- S-2

TEST_CASE("S-2 unknown fields: carried through a round untouched, to the last message") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", does([](Turn& turn) { turn.speak("done"); }));
  parley.start();
  const Json mine = {
      {"session_id", "s"}, {"x_vendor", {{"deep", {1, nullptr, "ü"}}}}, {"volume", 0.5}, {"flag", false}};
  parley.send(utterance_message("tea", session_of(mine)));
  CHECK(parley.heard.size() == 7);
  for (const auto& message : parley.heard) {
    CAPTURE(message.type());
    const Json session = to_json(*message.context().session);
    for (const auto& [key, value] : mine.items()) CHECK(session.at(key) == value);
  }
}

// ---- S-3

TEST_CASE("S-3 carrier: a session that is no object drops the message and is rejected once") {
  for (const Json& odd : {Json("default"), Json(7), Json(1.5), Json::array(), Json(true), Json(false)}) {
    CAPTURE(odd);
    TestAssistant parley;
    parley.stage_at_once("one", declines());
    parley.start();
    BusInlet inlet(parley.bus(), "client 7");
    CHECK_FALSE(inlet.receive(
        Json{{"type", "tea.ask"}, {"context", {{"session", odd}, {"utterance_id", "u-1"}, {"source", "x"}}}}
            .dump()));
    parley.run();
    CHECK(parley.topics() == std::vector<std::string>{"ovos.session.rejected"});
    CHECK(to_json(parley.heard.at(0)) ==
          Json{{"type", "ovos.session.rejected"},
               {"data", {{"msg_type", "tea.ask"}, {"reason", "malformed_carrier"}}},
               {"context", Json::object()}});
    CHECK(parley.warned("client 7: dropped a malformed message: context.session must be an object and is"));
  }
}

TEST_CASE("S-3 carrier: a rejected utterance starts no lifecycle, so that there is no handled for it") {
  TestAssistant parley;
  LambdaStage* self = nullptr;
  self = &parley.stage("one", [&self](MatchRequest request) -> Task<std::optional<Match>> {
    co_await self->services().sleep(1s);
    co_return Match("tea.test", "brew", request.lang(), request.utterance());
  });
  parley.start();
  parley.send(utterance_message("tea", kitchen(), "u-1"));
  parley.heard.clear();
  BusInlet inlet(parley.bus(), "client 7");
  inlet.receive(
      R"({"type": "ovos.utterance.handle", "data": {"utterances": ["tea"]}, "context": {"session": "x", "utterance_id": "u-1"}})");
  parley.run_for(0s);
  REQUIRE(parley.topics() == std::vector<std::string>{"ovos.session.rejected"});
  CHECK(to_json(parley.heard[0]).at("context") == Json::object());  // the id is that of a turn in flight
  parley.run();
  CHECK(parley.one("ovos.utterance.handled").context().utterance_id == "u-1");
}

TEST_CASE("S-3 carrier: null is absence") {
  TestAssistant parley;
  parley.stage_at_once("one", declines());
  parley.start();
  BusInlet inlet(parley.bus(), "client 7");
  CHECK(inlet.receive(
      R"({"type": "ovos.utterance.handle", "data": {"utterances": ["tea"]}, "context": {"session": null}})"));
  parley.run();
  CHECK(parley.count("ovos.session.rejected") == 0);
  CHECK(parley.one("ovos.utterance.handled").session_id() == "default");
  CHECK(parley.warnings.empty());
}

// ---- S-4

TEST_CASE("S-4 named sessions: nothing is kept between utterances, and everything is handed back") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  std::vector<Json> seen;
  parley.handler("tea.test", "brew", does([&seen](Turn& turn) {
                   seen.push_back(to_json(*turn.session()));
                   turn.change_session([](Session& session) { session.persona_id = "butler"; });
                   turn.speak("done");
                 }));
  parley.start();
  const TurnResult first =
      parley.say("tea", session_of({{"session_id", "kitchen"}, {"lang", "en-US"}, {"mine", 1}}));
  const Json handed_back = to_json(*first.session);
  CHECK(handed_back.at("persona_id") == "butler");
  CHECK(handed_back.at("mine") == 1);
  CHECK(handed_back.at("active_handlers").at(0).at("skill_id") == "tea.test");
  CHECK(parley.heard.back().type() == "ovos.utterance.handled");
  parley.say("tea", session_of({{"session_id", "kitchen"}}));
  parley.say("tea", first.session);
  REQUIRE(seen.size() == 3);
  CHECK_FALSE(seen[1].contains("persona_id"));
  CHECK_FALSE(seen[1].contains("lang"));
  CHECK_FALSE(seen[1].contains("mine"));
  CHECK(seen[1].at("active_handlers").size() == 1);
  CHECK(seen[2].at("persona_id") == "butler");
  CHECK(seen[2].at("mine") == 1);
  const Json stored = to_json(*parley.core().orchestrator().sessions().current());
  CHECK(stored == Json{{"session_id", "default"}});
}

TEST_CASE("S-4 named sessions: two turns of one session do not see each other's changes") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", after_a_second([](Turn& turn) {
                   turn.change_session([&](Session& session) { session.persona_id = turn.text(); });
                 }));
  parley.start();
  parley.send(utterance_message("a", session_of({{"session_id", "kitchen"}})));
  parley.run_for(500ms);
  parley.send(utterance_message("b", session_of({{"session_id", "kitchen"}, {"site_id", "home"}})));
  parley.run();
  const auto handled = parley.all("ovos.utterance.handled");
  REQUIRE(handled.size() == 2);
  CHECK(handled[0].context().session->persona_id == "a");
  CHECK_FALSE(handled[0].context().session->site_id);
  CHECK(handled[1].context().session->persona_id == "b");
}
