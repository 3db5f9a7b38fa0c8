// What a skill waits for outside of its strand, and what its callbacks may be.
#include <doctest/doctest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

/// A skill whose intent is "go <name>".
LambdaSkill& add_skill(EndToEnd& run, const std::string& name, std::function<Task<>(LambdaSkill&, Turn)> go) {
  run.locale(name + ".test", "en-US/go.intent", "go " + name + "\n");
  return run.skill(name + ".test", [go = std::move(go)](LambdaSkill& skill) {
    skill.on_intent("go", [&skill, go](Turn turn) { return go(skill, std::move(turn)); });
  });
}

/// Answers `<topic>` on `<topic>.response` with a text, like another skill or a client.
Subscription answers(EndToEnd& run, const std::string& topic, const std::string& text) {
  Bus& bus = run.assistant().bus();
  return bus.subscribe(topic, [&bus, text](const Message& question) {
    bus.publish(question.response({{"text", text}}));
  });
}

Task<> ask_lamp(LambdaSkill& skill, Turn turn) {
  Message question = turn.message().forward("lamp.state", Json::object());
  const auto answer = co_await skill.request(std::move(question), 2s);
  turn.speak(answer ? "it is " + answer->text("text") : "no answer");
}

}  // namespace

TEST_CASE("every: a coroutine waits between two calls, and is never there twice") {
  EndToEnd run;
  Words rang;
  run.skill("clock.test", [&rang](LambdaSkill& skill) {
    skill.every(10s, [&skill, &rang]() -> Task<> {
      rang.push_back("begin");
      co_await skill.sleep(15s);
      rang.push_back("end");
    });
  });
  run.start().run_for(60s);
  CHECK(rang == Words{"begin", "end", "begin", "end", "begin"});
}

TEST_CASE("at: a coroutine that throws is logged, and unloading ends one that waits") {
  EndToEnd run;
  Words rang;
  run.skill("clock.test", [&rang](LambdaSkill& skill) {
    skill.at(skill.clock().wall() + 1s, [&skill]() -> Task<> {
      co_await skill.sleep(1s);
      throw std::runtime_error("stuck hand");
    });
    skill.at(skill.clock().wall() + 1s, [&skill, &rang]() -> Task<> {
      rang.push_back("waits");
      co_await skill.sleep(24h);
      rang.push_back("woke");
    });
  });
  run.start().run_for(3s);
  CHECK(run.log.count("[skill clock.test] a timer threw: stuck hand") == 1);
  CHECK(run.unload("clock.test"));
  run.assistant().run_for(48h);
  CHECK(rang == Words{"waits"});
}

TEST_CASE("on_event: coroutines of several messages wait beside each other, up to a bound") {
  EndToEnd run;
  int begun = 0, ended = 0;
  run.skill("ear.test", [&](LambdaSkill& skill) {
    skill.on_event("door.opened", [&](Message message) -> Task<> {
      ++begun;
      co_await skill.sleep(1s);
      if (message.text("door") == "front") ++ended;
    });
  });
  auto& assistant = run.start();
  for (int i = 0; i < 70; ++i) assistant.bus().publish(Message("door.opened", {{"door", "front"}}));
  assistant.run_for(100ms);
  CHECK(begun == 64);
  CHECK(run.log.has("[skill ear.test] its handler of 'door.opened' runs 64 times already"));
  assistant.run_for(2s);
  CHECK(ended == 64);
  assistant.bus().publish(Message("door.opened", {{"door", "front"}}));
  assistant.run_for(2s);
  CHECK(ended == 65);
}

TEST_CASE("request: gives the answer of the same session and turn") {
  EndToEnd run;
  add_skill(run, "lamp", ask_lamp);
  auto& assistant = run.start();
  const Subscription stranger = assistant.bus().subscribe("lamp.state", [&](const Message& question) {
    assistant.bus().publish(question.response({{"text", "broken"}}).with_session(session("elsewhere")));
  });
  const Subscription lamp = answers(run, "lamp.state", "on");
  CHECK(run.say("go lamp", session("kitchen")).speech_text() == "it is on");
  const auto asked = std::find_if(run.heard.begin(), run.heard.end(),
                                  [](const Message& message) { return message.type() == "lamp.state"; });
  REQUIRE(asked != run.heard.end());
  CHECK(asked->context().skill_id == "lamp.test");
  CHECK(asked->session_id() == "kitchen");
}

TEST_CASE("request: nothing when nobody answers in time") {
  EndToEnd run;
  add_skill(run, "lamp", ask_lamp);
  run.start();
  const auto before = run.assistant().clock().now();
  CHECK(run.say("go lamp").speech_text() == "no answer");
  CHECK(run.assistant().clock().now() - before == 2s);
}

TEST_CASE("request: a stop ends the wait for it, and an answer after that is heard by nobody") {
  EndToEnd run;
  add_skill(run, "lamp", ask_lamp);
  auto& assistant = run.start();
  const auto turn = run.begin("go lamp", session("kitchen"));
  run.until([&] { return run.count("lamp.state") == 1; });
  assistant.bus().publish(utterance_message("stop", session("kitchen")));
  CHECK(run.finish(turn).status == TurnStatus::kCancelled);
  assistant.bus().publish(Message("lamp.state.response", {{"text", "on"}}).with_session(session("kitchen")));
  assistant.run_for(5s);
  CHECK(run.count("ovos.utterance.speak") == 0);
}

TEST_CASE("request: without a timeout it is refused by name") {
  EndToEnd run;
  add_skill(run, "lamp", [](LambdaSkill& skill, Turn turn) -> Task<> {
    static_cast<void>(co_await skill.request(turn.message().forward("lamp.state", Json::object()), 0s));
  });
  run.start();
  CHECK(run.say("go lamp").error == "the request 'lamp.state' needs a timeout above zero");
}

TEST_CASE("run_blocking: gives what the function returns, and throws what it threw as text") {
  EndToEnd run;
  add_skill(run, "sum", [](LambdaSkill& skill, Turn turn) -> Task<> {
    const auto add = [] { return std::string("four"); };
    const std::string sum = co_await skill.run_blocking(add);
    turn.speak(sum);
    const auto fail = [] { throw std::runtime_error("no abacus"); };
    co_await skill.run_blocking(fail);
  });
  run.start();
  const TurnResult result = run.say("go sum");
  CHECK(result.speech_text() == "four");
  CHECK(result.error == "no abacus");
}

TEST_CASE("run_blocking: holds up neither another skill nor another turn of the same one") {
  std::latch computing(1), answered(1);
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.workers = 2;
  std::atomic<bool> first{true};
  add_skill(run, "slow", [&](LambdaSkill& skill, Turn turn) -> Task<> {
    if (!first.exchange(false)) co_return turn.speak("at once");
    const auto work = [&] {
      computing.count_down();
      answered.wait();
    };
    turn.speak("one moment");
    co_await skill.run_blocking(work);
    turn.speak("done");
  });
  run.start();
  const auto turn = run.begin("go slow", session("kitchen"));
  REQUIRE(run.until([&] { return run.spoken().size() == 1; }));
  computing.wait();
  CHECK(run.say("go slow", session("cellar")).speech_text() == "at once");
  answered.count_down();
  CHECK(run.finish(turn).speech_text() == "one moment done");
}

TEST_CASE("wakeup: a coroutine of a skill waits for another one, or until it is time") {
  EndToEnd run;
  Words lines;
  run.skill("bell.test", [&lines](LambdaSkill& skill) {
    const auto bell = skill.make_wakeup();
    skill.on_event("wait", [&skill, &lines, bell](const Message&) -> Task<> {
      const auto began = skill.clock().now();
      co_await bell->wait_until(began + 10s);
      const auto took = std::chrono::duration_cast<std::chrono::seconds>(skill.clock().now() - began);
      lines.push_back(std::to_string(took.count()));
    });
    skill.on_event("ring", [bell](const Message&) { bell->notify(); });
  });
  auto& assistant = run.start();
  assistant.bus().publish(Message("wait"));
  assistant.run_for(3s);
  assistant.bus().publish(Message("ring"));
  assistant.run_for(20s);
  assistant.bus().publish(Message("wait"));
  assistant.run_for(20s);
  assistant.bus().publish(Message("ring"));  // nobody waits: the next wait ends at once
  assistant.run_for(1s);
  assistant.bus().publish(Message("wait"));
  assistant.run_for(1s);
  CHECK(lines == Words{"3", "10", "0"});
}
