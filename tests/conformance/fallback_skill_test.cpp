// What a skill of this process does as a fallback: OVOS-FALLBACK-1 §7 and §10, with F-4.
#include "support/fallback_fixture.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// Says yes to utterances that hold this text, and counts how often it is asked.
auto about(std::string text, int* times_asked = nullptr) {
  return [text = std::move(text), times_asked](const auto& query) {
    if (times_asked != nullptr) ++*times_asked;
    return std::any_of(query.utterances.begin(), query.utterances.end(),
                       [&](const std::string& said) { return contains(said, text); });
  };
}
Handler speaks(std::string text) {
  return does([text = std::move(text)](Turn& turn) { turn.speak(text); });
}

}  // namespace

TEST_CASE(
    "FALLBACK-1 §10 skill MUST emit ovos.fallback.register before it gets dispatches; F-4 with its lowest "
    "number") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(70, about("moon"), speaks("seventy"));
    skill.on_fallback(30, about("sun"), speaks("thirty"));
    skill.on_fallback(50, about("star"), speaks("fifty"));
  });
  run.start();
  REQUIRE(run.until([&] { return run.count("ovos.fallback.register") == 3; }));
  for (const auto& message : run.all("ovos.fallback.register")) {
    CHECK(message.text("skill_id") == "a.test");
    CHECK(message.context().skill_id == "a.test");
    CHECK(message.session_id() == "default");
  }
  CHECK(run.all("ovos.fallback.register").back().data().at("priority") == 30);
}

TEST_CASE("polls: a skill sees a language tag or none, whatever a message has for one") {
  FallbackRun run;
  std::vector<std::string> seen;
  run.skill("a.test", [&seen](LambdaSkill& skill) {
    skill.on_fallback(
        70,
        [&seen](const auto& query) {
          seen.push_back(query.lang);
          return false;
        },
        speaks("x"));
  });
  run.start();
  const std::vector<std::string> sent{"de-AT", "../../x", std::string("en\0.x", 5), "", "en/US"};
  for (const std::string& lang : sent)
    run.assistant().bus().publish(Message("a.test.fallback.ping", {{"utterances", {"hi"}}, {"lang", lang}}));
  run.assistant().bus().publish(Message("a.test.fallback.ping", {{"utterances", {"hi"}}, {"lang", 7}}));
  REQUIRE(run.until([&] { return seen.size() == sent.size() + 1; }));
  CHECK(seen == std::vector<std::string>{"de-AT", "", "", "", "", ""});
}

TEST_CASE("FALLBACK-1 §10 skill: one that never registered is neither asked nor dispatched to") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill&) {});
  run.start();
  CHECK(run.winner(prefers({"a.test"})).empty());
  CHECK(run.asked().empty());
}

TEST_CASE("FALLBACK-1 §10 skill MUST reply to <own_skill_id>.fallback.ping with its pong") {
  FallbackRun run;
  bool willing = false;
  SUBCASE("yes") {
    willing = true;
  }
  SUBCASE("no") {}
  run.skill("a.test", [willing](LambdaSkill& skill) {
    skill.on_fallback(
        10, [willing](const auto&) { return willing; }, speaks("here"));
  });
  run.start();
  run.winner();
  const Message ping = run.one("a.test.fallback.ping");
  const Message pong = run.one("a.test.fallback.pong");
  CHECK(pong.data() == Json{{"skill_id", "a.test"}, {"can_handle", willing}});
  CHECK(pong.session_id() == "kitchen");
  CHECK(pong.context().utterance_id == ping.context().utterance_id);
}

TEST_CASE("FALLBACK-1 §10 skill: a ping without anything said is answered with no") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        10, [](const auto&) { return true; }, speaks("here"));
  });
  run.start();
  const std::vector<Json> empty{Json::object(),
                                {{"utterances", "no list"}},
                                {{"utterances", Json::array()}},
                                {{"utterances", {1, nullptr}}}};
  for (const Json& data : empty) {
    CAPTURE(data.dump());
    run.heard.clear();
    run.assistant().bus().publish(Message("a.test.fallback.ping", data));
    REQUIRE(run.until([&] { return run.count("a.test.fallback.pong") == 1; }));
    CHECK(run.one("a.test.fallback.pong").data().at("can_handle") == false);
  }
}

TEST_CASE(
    "FALLBACK-1 §10 skill MUST take <own_skill_id>:fallback: its handler runs within the trio and MAY "
    "speak") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        10, [](const auto&) { return true; }, does([](Turn& turn) {
          CHECK(turn.text() == "what now");
          CHECK(turn.slots().empty());
          turn.speak("one");
          turn.speak("two");
        }));
  });
  run.start();
  const TurnResult turn = run.say("what now", session("kitchen"));
  CHECK(turn.status == TurnStatus::kAnswered);
  CHECK(turn.speech_text() == "one two");
  CHECK(run.one("a.test:fallback").data() ==
        Json{{"lang", "en-US"}, {"utterance", "what now"}, {"slots", Json::object()}});
  CHECK(run.count("ovos.intent.handler.start") == 1);
  CHECK(run.count("ovos.intent.handler.complete") == 1);
}

TEST_CASE("FALLBACK-1 §7 handler MAY act silently") {
  FallbackRun run;
  bool acted = false;
  run.skill("a.test", [&acted](LambdaSkill& skill) {
    skill.on_fallback(
        10, [](const auto&) { return true; }, does([&acted](Turn&) { acted = true; }));
  });
  run.start();
  const TurnResult turn = run.say("what now");
  CHECK(turn.status == TurnStatus::kAnswered);
  CHECK(turn.speech.empty());
  CHECK(acted);
}

TEST_CASE(
    "FALLBACK-1 §7 handler MUST complete within the lifecycle: one that throws or takes too long is an "
    "error") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(10, about("throw"), does([](Turn&) { throw std::runtime_error("out of ideas"); }));
    Handler slow = [](Turn turn) -> Task<> { co_await turn.sleep(1h); };
    skill.on_fallback(20, about("sleep"), std::move(slow));
  });
  run.start();
  CHECK(run.say("throw").error == "out of ideas");
  const TurnResult late = run.say("sleep");
  CHECK(late.status == TurnStatus::kError);
  CHECK(contains(late.error, "timeout"));
}

TEST_CASE(
    "F-4 several handlers: the first in order that can answer is the one that does, in whatever order they "
    "came") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        70, [](const auto&) { return true; }, speaks("seventy"));
    skill.on_fallback(30, about("moon"), speaks("thirty"));
    skill.on_fallback(50, about("moon landing"), speaks("fifty"));
  });
  run.start();
  CHECK(run.say("the moon landing").speech_text() == "thirty");
  CHECK(run.say("the sun").speech_text() == "seventy");
}

TEST_CASE(
    "F-4 several handlers: another skill with a number in between is asked after the one with the lowest") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(10, about("moon"), speaks("ten"));
    skill.on_fallback(
        90, [](const auto&) { return true; }, speaks("ninety"));
  });
  run.start();
  run.remote("b.test", 50, answers(true));
  CHECK(run.winner() == "a.test");
  CHECK(run.asked() == Names{"a.test"});
}

TEST_CASE("F-4 can_answer is asked once a turn, and who said yes for a later candidate is who answers") {
  FallbackRun run;
  int asked = 0;
  run.skill("a.test", [&asked](LambdaSkill& skill) {
    skill.on_fallback(10, about("moon", &asked), speaks("the moon"));
  });
  run.start();
  TurnInput input("the spoon");
  input.utterances = {"the spoon", "the moon"};
  std::optional<TurnResult> result;
  converse(run.assistant(), std::move(input), [&](TurnResult turn) { result = std::move(turn); });
  REQUIRE(run.until([&] { return result.has_value(); }));
  CHECK(result->status == TurnStatus::kAnswered);
  CHECK(result->speech_text() == "the moon");
  CHECK(asked == 1);
}

TEST_CASE("F-4 can_answer that throws counts as a no, is named, and the next handler is asked") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        10, [](const auto&) -> bool { throw std::runtime_error("no idea"); }, speaks("never"));
    skill.on_fallback(
        20, [](const auto&) { return true; }, speaks("twenty"));
  });
  run.start();
  CHECK(run.say("what now").speech_text() == "twenty");
  CHECK(run.log.has("its can_answer threw, which counts as a no: no idea"));
}

TEST_CASE(
    "F-4 a dispatch without a ping before it goes to the first handler that takes it, else it is an error") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) { skill.on_fallback(10, about("moon"), speaks("the moon")); });
  run.config.pipeline = {"straight"};
  run.make().add_stage("straight", std::make_unique<LambdaStage>(at_once(claims("a.test", "fallback"))));
  run.assistant().start();
  CHECK(run.say("the moon").speech_text() == "the moon");
  CHECK(run.say("the sun").error == "no fallback handler of the skill takes this");
}
