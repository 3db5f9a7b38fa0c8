#include <chrono>

#include "orchestrator/orchestrator.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

using namespace std::chrono_literals;
/// Claims `<skill>:<intent>` for an utterance of that form.
std::optional<Match> as_told(const MatchRequest& request) {
  const std::string& said = request.utterance();
  const auto colon = said.find(':');
  return Match(said.substr(0, colon), said.substr(colon + 1), request.lang(), said);
}

/// `[[skill_id, activated_at], …]`
Json listed(const std::optional<std::vector<ActiveHandler>>& handlers) {
  Json list = Json::array();
  if (handlers) {
    for (const auto& one : *handlers) list.push_back({one.skill_id, one.activated_at});
  }
  return list;
}

/// One stage that does as it is told; skills need not be there for what a dispatch does to the session.
class Recency {
 public:
  Recency() { stage_ = &test_.stage_at_once("stage", as_told); }
  void at_most(std::size_t handlers) {
    stage_->on_start = [handlers](LambdaStage& self) {
      self.services().remember_handlers(handlers, std::chrono::hours(1));
    };
  }
  LambdaStage& stage() { return *stage_; }
  TestAssistant& test() { return test_; }
  double now() { return unix_seconds(test_.core().clock().wall()); }

  /// Sends it; the session of the dispatch.
  SessionPtr dispatched(const std::string& to, Json session = Json::object()) {
    session["session_id"] = "kitchen";
    test_.heard.clear();
    test_.say(to, session_of(session));
    return test_.one(to).context().session;
  }

 private:
  TestAssistant test_;
  LambdaStage* stage_;
};

}  // namespace

TEST_CASE("D-1 dispatch: a reply of the entry message that says who is meant and who matched") {
  TestAssistant test;
  test.stage_at_once("engine", [](const MatchRequest& request) {
    Match match("coffee.test", "brew", "en-GB", request.utterances().back());
    match.slots = {{"size", "large"}};
    return std::optional(match);
  });
  test.config.stages["engine"].entries["engine_high"] = Json::object();
  test.config.pipeline = {"engine_high"};
  test.handler("coffee.test", "brew", does([](Turn&) {}));
  test.start();
  Context context;
  context.source = "a.client";
  context.destination = {"the.core", "another"};
  context.session = std::make_shared<const Session>("kitchen");
  context.rest = std::make_shared<const Json>(Json{{"room", "blue"}});
  test.send(Message("ovos.utterance.handle", {{"utterances", {"larch coffee", "large coffee"}}}, context));

  const Message dispatch = test.one("coffee.test:brew");
  CHECK(dispatch.data() ==
        Json{{"lang", "en-GB"}, {"utterance", "large coffee"}, {"slots", {{"size", "large"}}}});
  CHECK(dispatch.context().source == "the.core");
  CHECK(dispatch.context().destination == Names{"a.client"});
  CHECK(dispatch.context().skill_id == "coffee.test");
  CHECK(dispatch.context().pipeline_id == "engine");
  CHECK(*dispatch.context().rest == Json{{"room", "blue"}});
}

TEST_CASE("D-2 active_handlers: the skill is put at the head, and its older entry goes") {
  Recency recency;
  recency.test().start();
  recency.test().run_for(90s);
  const double now = recency.now();
  CHECK(listed(recency.dispatched("a:go")->active_handlers) == Json::array({{"a", now}}));
  const Json before = {{"active_handlers",
                        {{{"skill_id", "b"}, {"activated_at", 20}},
                         {{"skill_id", "a"}, {"activated_at", 30}},
                         {{"skill_id", "c"}, {"activated_at", 10}}}}};
  CHECK(listed(recency.dispatched("a:go", before)->active_handlers) ==
        Json::array({{"a", now}, {"b", 20.0}, {"c", 10.0}}));
}

TEST_CASE("D-2 active_handlers: the entry comes on top of what the stage made of the session") {
  TestAssistant test;
  test.stage_at_once("stage", [](const MatchRequest& request) {
    Match match("a", "go", request.lang(), request.utterance());
    auto session = std::make_shared<Session>(request.session());
    session->active_handlers = std::vector<ActiveHandler>{ActiveHandler("z", 5), ActiveHandler("a", 4)};
    match.updated_session = session;
    return std::optional(match);
  });
  test.start();
  test.say("hello", std::make_shared<const Session>("kitchen"));
  const double now = unix_seconds(test.core().clock().wall());
  CHECK(listed(test.one("ovos.intent.matched").context().session->active_handlers) ==
        Json::array({{"a", now}, {"z", 5.0}}));
}

TEST_CASE("D-2 active_handlers: converse, response, stop and common_query push nothing, all others do") {
  Recency recency;
  recency.test().start();
  const Json before = {{"active_handlers", Json::array({{{"skill_id", "b"}, {"activated_at", 20}}})}};
  for (const char* name : {"converse", "response", "stop", "common_query"}) {
    CAPTURE(name);
    CHECK(listed(recency.dispatched(std::string("a:") + name, before)->active_handlers) ==
          Json::array({{"b", 20.0}}));
  }
  for (const char* name : {"fallback", "global_stop", "conversed", "go"}) {
    CAPTURE(name);
    CHECK(listed(recency.dispatched(std::string("a:") + name, before)->active_handlers) ==
          Json::array({{"a", recency.now()}, {"b", 20.0}}));
  }
}

TEST_CASE("D-2 active_handlers: a stage that stops everything is pushed under its own id") {
  Recency recency;
  recency.stage().handler = does([](Turn&) {});
  recency.test().start();
  CHECK(listed(recency.dispatched("stage:global_stop")->active_handlers) ==
        Json::array({{"stage", recency.now()}}));
}

TEST_CASE("D-3 converse_handlers: stamped on every dispatch to a skill, whatever its intent") {
  Recency recency;
  recency.test().start();
  const Json before = {
      {"converse_handlers",
       {{{"skill_id", "b"}, {"activated_at", 20}}, {{"skill_id", "a"}, {"activated_at", 30}}}}};
  for (const char* name : {"converse", "response", "stop", "common_query", "fallback", "go"}) {
    CAPTURE(name);
    CHECK(listed(recency.dispatched(std::string("a:") + name, before)->converse_handlers) ==
          Json::array({{"a", recency.now()}, {"b", 20.0}}));
  }
}

TEST_CASE("D-3 converse_handlers: a stage's dispatch to itself leaves them alone") {
  Recency recency;
  recency.stage().handler = does([](Turn&) {});
  recency.test().start();
  const Json before = {{"converse_handlers", Json::array({{{"skill_id", "b"}, {"activated_at", 20}}})}};
  for (const char* name : {"common_query", "global_stop"}) {
    CAPTURE(name);
    CHECK(listed(recency.dispatched(std::string("stage:") + name, before)->converse_handlers) ==
          Json::array({{"b", 20.0}}));
  }
}

TEST_CASE("D-3 converse_handlers: no more than the configured number") {
  Recency recency;
  std::size_t most = 16;
  SUBCASE("by default") {}
  SUBCASE("configured") {
    most = 2;
    recency.at_most(2);
  }
  recency.test().start();
  Json before = {{"converse_handlers", Json::array()}};
  for (int i = 0; i < 20; ++i) {
    before["converse_handlers"].push_back(
        {{"skill_id", "old." + std::to_string(i)}, {"activated_at", 100 - i}});
  }
  const auto kept = *recency.dispatched("a:go", before)->converse_handlers;
  REQUIRE(kept.size() == most);
  CHECK(kept.front().skill_id == "a");
  CHECK(kept.back().skill_id == "old." + std::to_string(most - 2));
}

TEST_CASE("D-3 converse_handlers: who waits for an answer is never evicted, unless the time for it is over") {
  Recency recency;
  recency.at_most(2);
  recency.test().start();
  Json before = {
      {"converse_handlers",
       {{{"skill_id", "b"}, {"activated_at", 30}}, {{"skill_id", "waiting"}, {"activated_at", 10}}}},
      {"response_mode", {{"skill_id", "waiting"}, {"expires_at", recency.now() + 1}}}};
  const double now = recency.now();
  CHECK(listed(recency.dispatched("a:go", before)->converse_handlers) ==
        Json::array({{"a", now}, {"waiting", 10.0}}));
  before["response_mode"]["expires_at"] = now;
  CHECK(listed(recency.dispatched("a:go", before)->converse_handlers) ==
        Json::array({{"a", now}, {"b", 30.0}}));
  before["response_mode"] = {{"skill_id", "b"}, {"expires_at", now + 1}};
  CHECK(listed(recency.dispatched("a:go", before)->converse_handlers) ==
        Json::array({{"a", now}, {"b", 30.0}}));
}

TEST_CASE("D-4 recency: the lowest activated_at goes first, and of equal ones the one nearest the tail") {
  Recency recency;
  recency.at_most(3);
  recency.test().start();
  const auto entry = [](const char* id, int at) { return Json{{"skill_id", id}, {"activated_at", at}}; };
  const auto left = [&](const Json& handlers) {
    Names names;
    for (const auto& one :
         *recency.dispatched("new:go", {{"converse_handlers", handlers}})->converse_handlers) {
      names.push_back(one.skill_id);
    }
    return names;
  };
  CHECK(left({entry("a", 10), entry("b", 300), entry("c", 20)}) == Names{"new", "b", "c"});
  CHECK(left({entry("a", 50), entry("b", 300), entry("c", 50)}) == Names{"new", "a", "b"});
  CHECK(left({entry("a", 10), entry("b", 10), entry("c", 10), entry("d", 10)}) == Names{"new", "a", "b"});
}

TEST_CASE("D-4 recency: who is dispatched to after the clock was set back is the most recent all the same") {
  Recency recency;
  recency.at_most(2);
  recency.test().start();
  const double later = recency.now() + 3600;
  const Json before = {
      {"active_handlers", {{{"skill_id", "b"}, {"activated_at", later}}}},
      {"converse_handlers",
       {{{"skill_id", "b"}, {"activated_at", later}}, {{"skill_id", "c"}, {"activated_at", later - 1}}}}};
  const SessionPtr after = recency.dispatched("a:go", before);
  const double now = recency.now();
  CHECK(listed(after->active_handlers) == Json::array({{"a", now}, {"b", now}}));
  CHECK(listed(after->converse_handlers) == Json::array({{"a", now}, {"b", now}}));
}

TEST_CASE("D-7 nobody hosts the skill: an error that names it, at once") {
  TestAssistant test;
  test.stage_at_once("stage", as_told);
  test.handler("here.skill", "go", does([](Turn&) {}));
  test.start();
  std::string skill = "absent.skill";
  SUBCASE("never was there") {}
  SUBCASE("was unloaded") {
    skill = "here.skill";
    CHECK(test.say("here.skill:go").status == TurnStatus::kAnswered);
    bool gone = false;
    test.core().unload_skill(skill, [&](bool is_gone) { gone = is_gone; });
    test.run();
    REQUIRE(gone);
    test.heard.clear();
  }
  test.send(utterance_message((skill + ":go").c_str()));
  CHECK(test.topics() == Names{"ovos.utterance.handle", "ovos.intent.matched", skill + ":go",
                               "ovos.intent.handler.start", "ovos.intent.handler.error",
                               "ovos.utterance.handled"});
  const Json data = test.one("ovos.intent.handler.error").data();
  CHECK(data.at("skill_id") == skill);
  CHECK(data.at("intent_name") == "go");
  CHECK(data.at("exception").get<std::string>().find("'" + skill + "'") != std::string::npos);
}

TEST_CASE("D-9 speak: a forward of the dispatch, delivered to everyone by its topic, in its order") {
  TestAssistant test;
  test.stage_at_once("stage", as_told);
  test.handler("talk.skill", "go", [](Turn turn) -> Task<> {
    turn.speak("one");
    turn.speak("two");
    co_await turn.sleep(1s);
    SpeakOptions options;
    options.listen = true;
    turn.speak("three?", options);
  });
  test.start();
  Names one_ear;
  Names other_ear;
  const auto first = test.bus().subscribe(
      "ovos.utterance.speak", [&](const Message& said) { one_ear.push_back(said.text("utterance")); });
  const auto second = test.bus().subscribe(
      "ovos.utterance.*", [&](const Message& said) { other_ear.push_back(said.text("utterance")); });
  Context context;
  context.source = "a.client";
  context.destination = {"the.core"};
  context.session = std::make_shared<const Session>("kitchen");
  test.send(
      Message("ovos.utterance.handle", {{"utterances", {"talk.skill:go"}}, {"lang", "en-US"}}, context));
  test.run();

  CHECK(one_ear == Names{"one", "two", "three?"});
  CHECK(other_ear == Names{"", "one", "two", "three?", ""});
  const Message dispatch = test.one("talk.skill:go");
  const auto spoken = test.all("ovos.utterance.speak");
  REQUIRE(spoken.size() == 3);
  for (const auto& said : spoken) {
    CHECK(said.context().source == "the.core");
    CHECK(said.context().destination == Names{"a.client"});
    CHECK(said.context().utterance_id == dispatch.context().utterance_id);
    CHECK(said.context().skill_id == "talk.skill");
    CHECK(said.context().session == dispatch.context().session);
  }
  CHECK(spoken[0].data() == Json{{"utterance", "one"}, {"lang", "en-US"}});
  CHECK(spoken[2].data() == Json{{"utterance", "three?"}, {"lang", "en-US"}, {"listen", true}});
}

}  // namespace parley::testing
