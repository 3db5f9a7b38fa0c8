#include <chrono>

#include "orchestrator/orchestrator.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

using namespace std::chrono_literals;
const Names kWorked = {"ovos.utterance.handle",     "ovos.intent.matched",          "some.skill:go",
                       "ovos.intent.handler.start", "ovos.intent.handler.complete", "ovos.utterance.handled"};
const Names kFailed = {"ovos.utterance.handle",     "ovos.intent.matched",       "some.skill:go",
                       "ovos.intent.handler.start", "ovos.intent.handler.error", "ovos.utterance.handled"};

/// One skill, `some.skill`, with the one handler `go` that gets everything.
void give(TestAssistant& test, Handler handler) {
  test.stage_at_once("stage", claims("some.skill", "go"));
  test.handler("some.skill", "go", std::move(handler));
}

std::uint64_t dropped(TestAssistant& test) {
  return test.core().counters().of("parley_late_messages_dropped_total{skill=\"some.skill\"}");
}

std::string exception_of(const TestAssistant& test) {
  return test.one("ovos.intent.handler.error").text("exception");
}

/// Waits for an hour, and speaks even when it is cut short.
Task<> stubborn(Turn turn) {
  try {
    co_await turn.sleep(1h);
  } catch (const Cancelled&) {
    turn.speak("one more thing");
    turn.speak("and another");
  }
}

}  // namespace

TEST_CASE("D-5 trio: start and complete are forwards of the dispatch") {
  TestAssistant test;
  give(test, does([](Turn&) {}));
  test.start();
  Context context;
  context.source = "a.client";
  context.destination = {"the.core"};
  context.session = kitchen();
  test.send(Message("ovos.utterance.handle", {{"utterances", {"hello"}}}, context));
  CHECK(test.topics() == kWorked);
  const Message dispatch = test.one("some.skill:go");
  for (const char* topic : {"ovos.intent.handler.start", "ovos.intent.handler.complete"}) {
    const Message report = test.one(topic);
    CHECK(report.data() == Json{{"skill_id", "some.skill"}, {"intent_name", "go"}});
    CHECK(report.context().source == dispatch.context().source);
    CHECK(report.context().destination == Names{"a.client"});
    CHECK(report.context().utterance_id == dispatch.context().utterance_id);
    CHECK(report.context().skill_id == "some.skill");
    CHECK(report.context().pipeline_id == "stage");
  }
}

TEST_CASE("D-5 trio: a handler that throws ends as error, with what it threw") {
  TestAssistant test;
  std::string expected;
  SUBCASE("an exception") {
    give(test, does([](Turn&) { throw std::runtime_error("no water"); }));
    expected = "no water";
  }
  SUBCASE("an exception without words") {
    give(test, does([](Turn&) { throw std::runtime_error(""); }));
    expected = "std::runtime_error without a text";
  }
  SUBCASE("a number") {
    give(test, does([](Turn&) { throw 42; }));
    expected = "int was thrown, which is not a std::exception";
  }
  SUBCASE("after it was suspended") {
    give(test, [](Turn turn) -> Task<> {
      co_await turn.sleep(3s);
      throw std::runtime_error("no milk");
    });
    expected = "no milk";
  }
  SUBCASE("before it is a coroutine") {
    give(test, [](const Turn&) -> Task<> { throw std::runtime_error("no beans"); });
    expected = "no beans";
  }
  test.start();
  test.send(utterance_message("hello", kitchen()));
  test.run();
  CHECK(test.topics() == kFailed);
  CHECK(test.one("ovos.intent.handler.error").data() ==
        Json{{"skill_id", "some.skill"}, {"intent_name", "go"}, {"exception", expected}});
  test.heard.clear();
  test.say("hello again", kitchen());
  CHECK(test.topics() == kFailed);
}

TEST_CASE("D-5 trio: a stage that dispatches to itself has one, too") {
  TestAssistant test;
  auto& stage = test.stage_at_once("stage", claims("stage", "global_stop"));
  Names middle = {"ovos.intent.handler.complete"};
  SUBCASE("it works") {
    stage.handler = [](Turn turn) -> Task<> {
      co_await turn.sleep(1s);
      turn.speak("stopped");
      turn.change_session([](Session& session) { session.site_id = "quiet"; });
    };
    middle.insert(middle.begin(), "ovos.utterance.speak");
  }
  SUBCASE("it throws") {
    stage.handler = does([](Turn&) { throw 42; });
    middle = {"ovos.intent.handler.error"};
  }
  SUBCASE("it has no handler") {
    middle = {"ovos.intent.handler.error"};
  }
  SUBCASE("it is cut short") {
    stage.handler = stubborn;
    middle = {"ovos.intent.handler.error"};
  }
  test.start();
  test.send(utterance_message("stop", kitchen()));
  test.run();
  Names expected = {"ovos.utterance.handle", "ovos.intent.matched", "stage:global_stop",
                    "ovos.intent.handler.start"};
  expected.insert(expected.end(), middle.begin(), middle.end());
  expected.emplace_back("ovos.utterance.handled");
  CHECK(test.topics() == expected);
  if (middle.size() == 2) CHECK(test.heard.back().context().session->site_id == "quiet");
}

TEST_CASE("D-5 trio: a dispatch never shows two ends") {
  TestAssistant test;
  give(test, stubborn);
  test.start();
  test.send(utterance_message("hello", kitchen()));
  test.run_for(3h);
  CHECK(test.topics() == kFailed);
}

TEST_CASE("D-5 trio: a skill that is unloaded while its handler runs ends as error, all else goes on") {
  TestAssistant test;
  test.stage_at_once("stage", [](const MatchRequest& request) {
    return std::optional(Match(request.utterance(), "go", request.lang(), request.utterance()));
  });
  test.handler("some.skill", "go", stubborn);
  test.handler("other.skill", "go", [](Turn turn) -> Task<> {
    co_await turn.sleep(10s);
    turn.speak("still here");
  });
  test.start();
  test.send(utterance_message("other.skill", kitchen(), "goes on"));
  test.heard.clear();
  test.send(utterance_message("some.skill", kitchen(), "ends"));
  std::optional<bool> gone;
  test.core().unload_skill("some.skill", [&](bool is_gone) { gone = is_gone; });
  test.run_for(0s);
  CHECK(gone == true);
  CHECK(exception_of(test).find("'some.skill' was unloaded") != std::string::npos);
  CHECK(test.one("ovos.utterance.handled").context().utterance_id == "ends");
  CHECK(test.count("ovos.utterance.speak") == 0);
  CHECK(dropped(test) == 2);
  test.run();
  CHECK(test.one("ovos.utterance.speak").text("utterance") == "still here");
  CHECK(test.count("ovos.utterance.handled") == 2);
}

TEST_CASE("D-6 handler bound: past it the turn ends as error with a timeout, then handled") {
  TestAssistant test;
  auto bound = 60s;
  SUBCASE("by default") {}
  SUBCASE("configured for all") {
    bound = 7s;
    test.config.orchestrator.handler_timeout = bound;
  }
  SUBCASE("configured for the skill") {
    bound = 90s;
    test.config.skills.options["some.skill"].handler_timeout = bound;
  }
  give(test, [](Turn turn) -> Task<> { co_await turn.sleep(1h); });
  test.start();
  test.send(utterance_message("hello", kitchen()));
  test.run_for(bound - 1ms);
  CHECK(test.heard.back().type() == "ovos.intent.handler.start");
  test.run_for(1ms);
  CHECK(test.topics() == kFailed);
  CHECK(exception_of(test).find("timeout") == 0);
  CHECK(dropped(test) == 0);
}

TEST_CASE("D-6 handler bound: one that ends just before it completes") {
  TestAssistant test;
  give(test, [](Turn turn) -> Task<> { co_await turn.sleep(turn.remaining() - 1ms); });
  test.start();
  test.send(utterance_message("hello", kitchen()));
  test.run_for(1h);
  CHECK(test.topics() == kWorked);
}

TEST_CASE("D-6 late speech: what a handler speaks after its bound is dropped and counted") {
  TestAssistant test;
  give(test, stubborn);
  test.start();
  test.send(utterance_message("hello", kitchen()));
  test.run_for(1h);
  CHECK(test.topics() == kFailed);
  CHECK(dropped(test) == 2);
}

TEST_CASE("D-6 late speech: it is known by its utterance_id, by whatever way the skill sends it") {
  TestAssistant test;
  test.stage_at_once("stage", claims("some.skill", "go"));
  LambdaSkill* skill = nullptr;
  std::optional<Message> dispatch;
  test.locale("some.skill", "en-US/go.intent", "go\n");
  test.skill("some.skill", [&](LambdaSkill& self) {
    skill = &self;
    self.on_intent("go", [&dispatch](Turn turn) -> Task<> {
      if (!dispatch) {
        dispatch = turn.message();
        co_await turn.sleep(1h);
      }
      turn.speak("in time");
    });
  });
  test.start();
  const auto speak = [&] {
    skill->emit(dispatch->forward("ovos.utterance.speak", {{"utterance", "by hand"}, {"lang", "en-US"}}));
    test.run();
  };
  test.say("hello");
  speak();
  CHECK(test.count("ovos.utterance.speak") == 0);
  CHECK(dropped(test) == 1);
  skill->emit(dispatch->forward("test.something", Json::object()));
  skill->emit(Message("ovos.utterance.speak", {{"utterance", "on its own account"}, {"lang", "en-US"}}));
  test.run();
  CHECK(test.count("test.something") == 1);
  CHECK(test.one("ovos.utterance.speak").text("utterance") == "on its own account");

  test.heard.clear();
  test.send(utterance_message("hello", nullptr, dispatch->context().utterance_id));  // the id is free again
  CHECK(test.one("ovos.utterance.speak").text("utterance") == "in time");
  CHECK(test.count("ovos.intent.handler.complete") == 1);
}

TEST_CASE("D-6 late speech: a handler that completed may still speak") {
  TestAssistant test;
  std::optional<Turn> kept;
  give(test, does([&kept](Turn& turn) { kept = turn; }));
  test.start();
  test.send(utterance_message("hello", kitchen(), "u1"));
  CHECK(test.topics() == kWorked);
  test.run_for(2h);
  kept->speak("ding");
  test.run();
  CHECK(test.one("ovos.utterance.speak").context().utterance_id == "u1");
  CHECK(dropped(test) == 0);
  kept.reset();
}

TEST_CASE("D-6 cancelled: a handler that gives up by itself is an error that says so") {
  TestAssistant test;
  give(test, does([](Turn&) { throw Cancelled("enough"); }));
  test.start();
  CHECK(test.say("hello", kitchen()).status == TurnStatus::kCancelled);
  CHECK(test.topics() == kFailed);
  CHECK(exception_of(test) == "cancelled");
}

TEST_CASE("D-8 session: complete, error and handled carry it as the handler left it") {
  TestAssistant test;
  bool fails = false;
  give(test, does([&fails](Turn& turn) {
         turn.speak("before");
         turn.change_session([](Session& session) {
           session.site_id = "attic";
           session.session_id = "elsewhere";
         });
         turn.speak("after");
         if (fails) throw std::runtime_error("no water");
       }));
  SUBCASE("complete") {}
  SUBCASE("error") {
    fails = true;
  }
  test.start();
  test.send(utterance_message("hello", kitchen()));
  for (const char* topic : {"some.skill:go", "ovos.intent.handler.start"}) {
    CHECK_FALSE(test.one(topic).context().session->site_id.has_value());
  }
  const auto spoken = test.all("ovos.utterance.speak");
  REQUIRE(spoken.size() == 2);
  CHECK_FALSE(spoken[0].context().session->site_id.has_value());
  CHECK(spoken[1].context().session->site_id == "attic");
  const std::string end = fails ? "ovos.intent.handler.error" : "ovos.intent.handler.complete";
  for (const std::string& topic : {end, std::string("ovos.utterance.handled")}) {
    CAPTURE(topic);
    CHECK(test.one(topic).context().session->site_id == "attic");
    CHECK(test.one(topic).session_id() == "kitchen");
  }
}

TEST_CASE("D-8 session: what a handler left alone is as others made it meanwhile") {
  TestAssistant test;
  give(test, [](Turn turn) -> Task<> {
    turn.change_session([](Session& session) { session.site_id = "attic"; });
    co_await turn.sleep(1s);
  });
  test.start();
  test.send(utterance_message("hello", kitchen(), "u1"));
  const Json patch = {{"session", {{"session_id", "kitchen"}, {"persona_id", "butler"}}}};
  test.send(test.one("ovos.intent.handler.start").forward("ovos.session.sync", patch));
  test.run();
  for (const char* topic : {"ovos.intent.handler.complete", "ovos.utterance.handled"}) {
    CHECK(test.one(topic).context().session->site_id == "attic");
    CHECK(test.one(topic).context().session->persona_id == "butler");
  }
}

TEST_CASE("D-8 session: a handler that was cut short leaves none") {
  TestAssistant test;
  give(test, [](Turn turn) -> Task<> {
    turn.change_session([](Session& session) { session.site_id = "attic"; });
    co_await turn.sleep(1h);
  });
  test.start();
  test.say("hello", kitchen());
  CHECK_FALSE(test.heard.back().context().session->site_id.has_value());
}

}  // namespace parley::testing
