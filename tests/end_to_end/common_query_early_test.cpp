// When the contest begins, who may be in it, and what a skill may do (section Q; OVOS-COMMON-QUERY-1, section
// 14), through a whole assistant.
#include <doctest/doctest.h>

#include "support/quiz.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

TEST_CASE("Q-3 s14 early start: the contest runs while the stages before it think") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8, 900ms);
  run.thinks = 1s;
  run.start();
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Paris.");
  CHECK(run.elapsed() == 1s);
  CHECK(run.count("ovos.common_query.ping") == 1);
}

TEST_CASE("Q-3 early start: what an earlier stage claims at once begins no contest") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.claims = testing::claims("gone.test", "go");
  run.start();
  run.say(kQuestion, session("s"));
  CHECK(run.count("ovos.common_query.ping") == 0);
}

TEST_CASE("Q-3 early start: a handler that takes its time begins no contest") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.locale("slow.test", "en-US/go.intent", "go slowly\n");
  run.skill("slow.test", [](LambdaSkill& skill) {
    skill.on_intent("go", [](Turn turn) -> Task<> {
      co_await turn.sleep(1s);
      turn.speak("Gone.");
    });
  });
  run.claims = testing::claims("slow.test", "go");
  run.start();
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Gone.");
  CHECK(run.elapsed() == 1s);
  CHECK(run.count("ovos.common_query.ping") == 0);
}

TEST_CASE("Q-3 early start: what an earlier stage claims after a while leaves no contest behind") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8, 3s);
  run.thinks = 1s;
  run.claims = testing::claims("gone.test", "go");
  run.start();
  run.say(kQuestion, session("s"));
  run.claims = nullptr;
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Paris.");
  CHECK(run.count("ovos.common_query.ping") == 2);  // its own contest, not the abandoned one
}

TEST_CASE("Q-3 early start: a new utterance in the session evicts, and the first runs its own contest") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.thinks = 1s;
  run.start();
  const auto first = run.begin(kQuestion, session("s"));
  run.assistant().run_for(10ms);
  const auto second = run.begin("who was napoleon", session("s"));
  CHECK(run.finish(second).speech_text() == "Paris.");
  CHECK(run.finish(first).speech_text() == "Paris.");
  CHECK(run.count("ovos.common_query.ping") == 3);
}

TEST_CASE("Q-3 early start: bounded in all sessions together, and only where the stage is in the pipeline") {
  Quiz run;
  run.config.stages.at("common_query").options["max_early_contests"] = 1;
  run.knows("atlas.test", "Paris.", 0.8);
  run.thinks = 1s;
  run.start();
  const auto one = run.begin(kQuestion, session("one"));
  const auto two = run.begin(kQuestion, session("two"));
  run.assistant().run_for(500ms);
  CHECK(run.count("ovos.common_query.ping") == 1);
  CHECK(run.finish(one).speech_text() == "Paris.");
  CHECK(run.finish(two).speech_text() == "Paris.");
  CHECK(run.count("ovos.common_query.ping") == 2);
  Session elsewhere("three");
  elsewhere.pipeline = {"upstream"};
  run.say(kQuestion, std::make_shared<const Session>(elsewhere));
  CHECK(run.count("ovos.common_query.ping") == 2);
}

TEST_CASE("s14 without early start the contest begins with the match") {
  Quiz run;
  run.config.stages.at("common_query").options["early_start"] = false;
  run.knows("atlas.test", "Paris.", 0.8, 900ms);
  run.thinks = 1s;
  run.start();
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Paris.");
  CHECK(run.elapsed() == 1900ms);
}

TEST_CASE(
    "Q-4 s4.2 the gate: questions pass, commands don't cost a poll, a language without data passes all") {
  Quiz run;
  run.config.language.enabled = {"en-US", "it-IT"};
  run.knows("atlas.test", "Paris.", 0.8);
  run.start();
  for (const char* const command : {"play music", "set a timer", "turn off the lights"}) {
    CAPTURE(command);
    CHECK(run.say(command).status == TurnStatus::kUnmatched);
  }
  CHECK(run.count("ovos.common_query.ping") == 0);
  for (const char* const question : {kQuestion, "who invented electricity", "tell me about France"}) {
    CAPTURE(question);
    CHECK(run.say(question).speech_text() == "Paris.");
  }
  CHECK(run.say("metti la musica", session("s"), "it-IT").speech_text() == "Paris.");
  run.config.stages.at("common_query").options["gate"] = false;
  Quiz open;
  open.config.stages.at("common_query").options["gate"] = false;
  open.knows("atlas.test", "Paris.", 0.8);
  open.start();
  CHECK(open.say("play music").speech_text() == "Paris.");
}

TEST_CASE("Q-5 ties go by the configured order of skills, then by skill_id") {
  for (const bool ordered : {false, true}) {
    CAPTURE(ordered);
    Quiz run;
    if (ordered) run.config.stages.at("common_query").options["skill_order"] = {"b.test"};
    run.knows("a.test", "A.", 0.7);
    run.knows("b.test", "B.", 0.7);
    run.start();
    CHECK(run.say(kQuestion).speech_text() == (ordered ? "B." : "A."));
  }
}

TEST_CASE(
    "Q-5 s14 a reranker is used when one is configured, and one that does not exist is refused by name") {
  Quiz run;
  run.config.stages.at("common_query").options["reranker"] = "agreement";
  run.knows("a.test", "It is Lyon.", 0.75);
  run.knows("b.test", "Paris on the Seine.", 0.7);
  run.knows("c.test", "Paris on the river Seine.", 0.65);
  run.start();
  CHECK(run.say(kQuestion).speech_text() == "Paris on the Seine.");
  Quiz wrong;
  wrong.config.stages.at("common_query").options["reranker"] = "magic";
  wrong.start();
  CHECK(contains(wrong.problems(), "'reranker' must be one of confidence, agreement; found 'magic'"));
}

TEST_CASE("s14 skill: a claim or an answer that throws is none, with a warning, and costs nobody else") {
  Quiz run;
  run.skill("broken.test", [](LambdaSkill& skill) {
    skill.on_question(
        [](const Query&) -> std::optional<QuestionClaim> { throw std::runtime_error("no claim"); },
        [](Query) -> Task<std::optional<QuestionAnswer>> { co_return std::nullopt; });
  });
  run.skill("worse.test", [](LambdaSkill& skill) {
    skill.on_question([](const Query&) { return std::optional(QuestionClaim(0s)); },
                      [](Query) -> Task<std::optional<QuestionAnswer>> {
                        throw std::runtime_error("no answer");
                        co_return std::nullopt;
                      });
  });
  run.knows("atlas.test", "Paris.", 0.8);
  run.start();
  CHECK(run.say(kQuestion).speech_text() == "Paris.");
  CHECK(run.elapsed() == 0s);
  CHECK(run.log.has("no claim"));
  CHECK(run.log.has("no answer"));
}

TEST_CASE("Q-7 s14 with real threads: fifty skills answer at once") {
  Quiz run(EndToEnd::Time::kReal);
  for (int i = 0; i < 50; ++i) {
    run.skill("know" + std::to_string(i) + ".test", [i](LambdaSkill& skill) {
      skill.on_question([](const Query&) { return std::optional(QuestionClaim(0s)); },
                        [i](Query) -> Task<std::optional<QuestionAnswer>> {
                          co_return QuestionAnswer("answer " + std::to_string(i), 0.5 + i * 0.005);
                        });
    });
  }
  run.start();
  for (int i = 0; i < 5; ++i) CHECK(run.say(kQuestion, session("s")).speech_text() == "answer 49");
}
