// A stage that does not return holds everything up, and is named while it does.
#include <doctest/doctest.h>

#include <thread>

#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

TEST_CASE("the loop: who holds it is named while it is held, and what had to wait goes on afterwards") {
  const LogLines log;
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.orchestrator.watchdog = 20ms;
  run.config.pipeline = {"heavy", "intent_high"};
  run.locale("anna.test", "en-US/go.intent", "go anna\n");
  run.skill("anna.test", [](LambdaSkill& skill) {
    skill.on_intent("go", does([](Turn& turn) { turn.speak("at once"); }));
  });
  run.make().add_stage(
      "heavy", std::make_unique<LambdaStage>(at_once([&log](const MatchRequest& request) {
        while (request.utterance() == "hold" && !log.has("stage heavy has held the loop for"))
          std::this_thread::yield();
        return std::optional<Match>();
      })));
  run.assistant().start();
  const auto holds = run.begin("hold", session("one"));
  const auto waits = run.begin("go anna", session("two"));
  CHECK(run.finish(waits).speech_text() == "at once");
  CHECK(run.finish(holds).speech_text().empty());
  CHECK(log.has("everything waits for it"));
}
