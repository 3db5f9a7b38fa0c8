#include <chrono>

#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

using namespace std::chrono_literals;
/// A stage that takes its time; then it claims everything for `skill_id:go`.
SlowAnswer slow(LambdaStage*& self, Duration time, std::string skill_id) {
  return [&self, time, skill_id = std::move(skill_id)](MatchRequest request) -> Task<std::optional<Match>> {
    co_await self->services().sleep(time);
    co_return Match(skill_id, "go", request.lang(), request.utterance());
  };
}

Answer throws() {
  return [](const MatchRequest&) -> std::optional<Match> { throw std::runtime_error("out of order"); };
}

}  // namespace

TEST_CASE("U-5 a stage that throws declines, and the next one is asked") {
  TestAssistant test;
  SUBCASE("an exception") {
    test.stage_at_once("broken", throws());
  }
  SUBCASE("a number") {
    test.stage_at_once("broken", [](const MatchRequest&) -> std::optional<Match> { throw 42; });
  }
  SUBCASE("after it has waited") {
    static LambdaStage* self = nullptr;
    self = &test.stage("broken", [](MatchRequest) -> Task<std::optional<Match>> {
      co_await self->services().sleep(1s);
      throw std::runtime_error("out of order");
    });
  }
  test.stage_at_once("sound", claims("some.skill", "go"));
  test.handler("some.skill", "go", does([](Turn& turn) { turn.speak("fine"); }));
  test.start();
  const auto result = test.say("hello");
  CHECK(result.speech_text() == "fine");
  CHECK(result.pipeline_id == "sound");
  CHECK(test.warned("'broken' threw"));
  CHECK(test.core().counters().of("parley_stage_faults_total{stage=\"broken\"}") == 1);
}

TEST_CASE("U-5 a quick answer counts like that of a match, and a match is asked when there is none") {
  TestAssistant test;
  int asked = 0;
  auto& stage = test.stage("quick", [&asked](MatchRequest request) -> Task<std::optional<Match>> {
    ++asked;
    co_return Match("some.skill", "slowly", request.lang(), request.utterance());
  });
  stage.quick = [](const MatchRequest& request) {
    if (request.utterance() == "throw") throw std::runtime_error("out of order");
    if (request.utterance() == "wait") return QuickAnswer();
    if (request.utterance() == "decline") return QuickAnswer(std::nullopt);
    return QuickAnswer(Match("some.skill", "go", request.lang(), request.utterance()));
  };
  test.handler("some.skill", "go", does([](Turn& turn) { turn.speak("quickly"); }));
  test.handler("some.skill", "slowly", does([](Turn& turn) { turn.speak("slowly"); }));
  test.start();
  CHECK(test.say("go").speech_text() == "quickly");
  CHECK(test.say("decline").status == TurnStatus::kUnmatched);
  CHECK(test.say("throw").status == TurnStatus::kUnmatched);
  CHECK(asked == 0);
  CHECK(test.warned("'quick' threw: out of order"));
  CHECK(test.core().counters().of("parley_stage_faults_total{stage=\"quick\"}") == 1);
  CHECK(test.say("wait").speech_text() == "slowly");
  CHECK(asked == 1);
}

TEST_CASE("a stage is called back after a time, unless it lets the token go; throwing is logged") {
  TestAssistant test;
  auto& stage =
      test.stage("late", [](MatchRequest) -> Task<std::optional<Match>> { co_return std::nullopt; });
  Subscription first, second, third;
  std::vector<std::string> called;
  stage.on_start = [&](LambdaStage& self) {
    first = self.services().after(10ms, [&] { called.emplace_back("first"); });
    second = self.services().after(20ms, [&] { called.emplace_back("second"); });
    third = self.services().after(30ms, [] { throw std::runtime_error("too late"); });
  };
  test.start();
  CHECK(called.empty());
  test.run_for(10ms);
  CHECK(called == std::vector<std::string>{"first"});
  second.reset();
  test.run_for(1s);
  CHECK(called.size() == 1);
  CHECK(test.warned("threw in a callback: too late"));
}

TEST_CASE("U-5 a stage that never answers declines after ten seconds") {
  TestAssistant test;
  LambdaStage* self = nullptr;
  self = &test.stage("silent", slow(self, 24h, "some.skill"));
  test.stage_at_once("sound", claims("some.skill", "go"));
  test.handler("some.skill", "go", does([](Turn&) {}));
  test.start();
  test.send(utterance_message("hello"));
  test.run_for(9999ms);
  CHECK(test.count("ovos.intent.matched") == 0);
  test.run_for(1ms);
  CHECK(test.one("ovos.intent.matched").text("pipeline_id") == "sound");
  CHECK(test.count("ovos.utterance.handled") == 1);
  CHECK(test.warned("'silent' gave no answer within 10000 ms"));
}

TEST_CASE("U-5 the bound of a stage is its own") {
  TestAssistant test;
  LambdaStage* hasty = nullptr;
  LambdaStage* patient = nullptr;
  hasty = &test.stage("hasty", slow(hasty, 3s, "hasty.skill"));
  patient = &test.stage("patient", slow(patient, 30s, "patient.skill"));
  test.config.stages["hasty"].match_timeout = 2s;
  test.config.stages["patient"].match_timeout = 31s;
  test.start();
  CHECK(test.say("hello").pipeline_id == "patient");
  CHECK(test.warned("'hasty' gave no answer within 2000 ms"));
}

TEST_CASE("U-5 what a stage returns after its bound is ignored") {
  TestAssistant test;
  LambdaStage* self = nullptr;
  int returned = 0;
  self = &test.stage("late", [&](MatchRequest request) -> Task<std::optional<Match>> {
    try {
      co_await self->services().sleep(15s);
    } catch (const Cancelled&) {
      ++returned;
    }
    co_return Match("some.skill", "go", request.lang(), request.utterance());
  });
  test.handler("some.skill", "go", does([](Turn& turn) { turn.speak("too late"); }));
  test.start();
  test.send(utterance_message("hello"));
  test.run_for(1min);
  CHECK(returned == 1);
  CHECK(test.topics() == Names{"ovos.utterance.handle", "ovos.intent.unmatched", "ovos.utterance.handled"});
}

TEST_CASE("U-5 after so many faults in a row a stage is skipped, until it has rested") {
  TestAssistant test;
  int asked = 0;
  bool sound = false;
  test.stage_at_once("moody", [&](const MatchRequest& request) {
    ++asked;
    if (!sound) throw std::runtime_error("out of order");
    return std::optional(Match("some.skill", "go", request.lang(), request.utterance()));
  });
  test.handler("some.skill", "go", does([](Turn&) {}));
  test.config.orchestrator.max_consecutive_faults = 3;
  test.config.orchestrator.fault_cooldown = 60s;
  test.start();
  const auto count = [&](const std::string& name) {
    return test.core().counters().of(name + "{stage=\"moody\"}");
  };
  for (int i = 0; i < 5; ++i) CHECK(test.say("hello").status == TurnStatus::kUnmatched);
  CHECK(asked == 3);
  CHECK(count("parley_stage_faults_total") == 3);
  CHECK(count("parley_stage_tripped_total") == 1);
  CHECK(test.warned("'moody' failed 3 times in a row and is skipped for 60 s"));

  test.run_for(59s);
  test.say("hello");
  CHECK(asked == 3);
  test.run_for(1s);
  SUBCASE("one more fault, and it is skipped again") {
    test.say("hello");
    test.say("hello");
    CHECK(asked == 4);
    CHECK(count("parley_stage_tripped_total") == 2);
  }
  SUBCASE("an answer, and everything is forgotten") {
    sound = true;
    CHECK(test.say("hello").status == TurnStatus::kAnswered);
    sound = false;
    test.say("hello");
    test.say("hello");
    CHECK(asked == 6);
    CHECK(count("parley_stage_tripped_total") == 1);
  }
}

TEST_CASE("U-5 faults with answers between them never skip a stage; declines are no faults") {
  TestAssistant test;
  int asked = 0;
  test.stage_at_once("moody", [&](const MatchRequest&) -> std::optional<Match> {
    if (++asked % 2 == 1) throw std::runtime_error("out of order");
    return std::nullopt;
  });
  test.config.orchestrator.max_consecutive_faults = 2;
  test.start();
  for (int i = 0; i < 8; ++i) test.say("hello");
  CHECK(asked == 8);
}

TEST_CASE("U-5 without a rest, a stage that was given up stays so") {
  TestAssistant test;
  int asked = 0;
  test.stage_at_once("broken", [&](const MatchRequest&) -> std::optional<Match> {
    ++asked;
    throw std::runtime_error("out of order");
  });
  test.config.orchestrator.max_consecutive_faults = 1;
  test.config.orchestrator.fault_cooldown = 0s;
  test.start();
  test.say("hello");
  test.run_for(24h);
  test.say("hello");
  CHECK(asked == 1);
}

TEST_CASE("U-5 a bound that passes while a stage waits for others is a decline, and no fault of the stage") {
  TestAssistant test;
  LambdaStage* self = nullptr;
  std::shared_ptr<Wakeup> wakeup;
  self = &test.stage("asks", [&](MatchRequest request) -> Task<std::optional<Match>> {
    if (request.utterance() == "wake") {
      wakeup = self->services().make_wakeup(request);
      co_await wakeup->wait_until(self->services().clock().now() + 1h);
      co_return std::nullopt;
    }
    for (int i = 0; i < 5; ++i) {
      PollRequest poll(request.message().reply("test.ping", Json::object()), "test.pong", 3s);
      poll.expected.push_back("far.test");
      const PollResult result = co_await self->services().poll(std::move(poll));
      CHECK(result.timed_out);
      if (request.utterance() == "think") co_await self->services().sleep(1s);
    }
    co_return std::nullopt;
  });
  test.config.stages["asks"].match_timeout = 5s;
  test.config.orchestrator.max_consecutive_faults = 1;
  test.start();
  test.bus().presence().arrive("far.test", Presence::kRemote);
  for (const char* text : {"ask", "wake", "think"}) {
    CAPTURE(text);
    for (int i = 0; i < 3; ++i) {
      const auto began = test.core().clock().now();
      CHECK(test.say(text).status == TurnStatus::kUnmatched);
      CHECK(test.core().clock().now() == began + 5s);
    }
  }
  CHECK(test.warnings.empty());
  const auto& counters = test.core().counters();
  CHECK(counters.of("parley_stage_faults_total{stage=\"asks\"}") == 0);
  CHECK(counters.of("parley_stage_gave_up_total{stage=\"asks\"}") == 9);
}

TEST_CASE("U-5 a stage that spends its time itself is at fault, though it has asked others before") {
  TestAssistant test;
  LambdaStage* self = nullptr;
  self = &test.stage("dawdles", [&](MatchRequest request) -> Task<std::optional<Match>> {
    PollRequest poll(request.message().reply("test.ping", Json::object()), "test.pong", 1s);
    poll.expected.push_back("nobody.test");
    const PollResult result = co_await self->services().poll(std::move(poll));
    CHECK(result.departed.size() == 1);
    co_await self->services().sleep(24h);
    co_return std::nullopt;
  });
  test.start();
  CHECK(test.say("hello").status == TurnStatus::kUnmatched);
  CHECK(test.core().counters().of("parley_stage_faults_total{stage=\"dawdles\"}") == 1);
  CHECK(test.warned("'dawdles' gave no answer within 10000 ms"));
}

}  // namespace parley::testing
