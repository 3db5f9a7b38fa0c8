// What a skill can do with its runtime, through a whole assistant on a clock that jumps.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "registry/registry.hpp"
#include "skill/skill_host.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("turn: a handler sees what was said, in which language, with which slots, in which session") {
  EndToEnd run;
  run.locale("a.test", "en-US/brew.intent", "brew {drink} for {who}\n");
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_intent("brew", does([](Turn& turn) {
                      CHECK(turn.text() == "brew Coffee for Ann");
                      CHECK(turn.lang() == "en-US");
                      CHECK(turn.slots() == Slots{{"drink", "Coffee"}, {"who", "Ann"}});
                      CHECK(turn.slot("drink") == "Coffee");
                      CHECK(turn.slot("sugar") == std::nullopt);
                      CHECK(turn.session_id() == "kitchen");
                      CHECK(turn.session()->site_id == "upstairs");
                      CHECK(turn.message().type() == "a.test:brew");
                      CHECK_FALSE(turn.utterance_id().empty());
                      CHECK(turn.time_zone() == "Asia/Tokyo");
                      CHECK(turn.remaining() == 60s);
                      CHECK_FALSE(turn.cancelled());
                      turn.speak("first");
                      SpeakOptions listening;
                      listening.listen = true;
                      turn.speak("second", listening);
                    }));
  });
  run.start();
  Session kitchen("kitchen");
  kitchen.site_id = "upstairs";
  kitchen.location.emplace();
  kitchen.location->tz = "Asia/Tokyo";
  const TurnResult result = run.say("brew Coffee for Ann", std::make_shared<const Session>(kitchen));
  CHECK(result.status == TurnStatus::kAnswered);
  CHECK(result.speech_text() == "first second");
  CHECK(result.listen);
}

TEST_CASE("turn: emit puts a forward of the dispatch on the bus, the skill's own emit its name") {
  EndToEnd run;
  run.locale("a.test", "en-US/go.intent", "go now\n");
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.emit(Message("a.test.started", {{"at", 1}}));
    skill.on_intent("go", does([](Turn& turn) { turn.emit("a.test.gone", {{"far", true}}); }));
  });
  run.start();
  REQUIRE(run.until([&] { return run.count("a.test.started") == 1; }));
  const TurnResult result = run.say("go now", session("s"));
  REQUIRE(run.count("a.test.gone") == 1);
  for (const auto& message : run.heard) {
    if (message.type() == "a.test.started") CHECK(message.context().skill_id == "a.test");
    if (message.type() != "a.test.gone") continue;
    CHECK(message.data() == Json{{"far", true}});
    CHECK(message.context().utterance_id == result.utterance_id);
    CHECK(message.context().skill_id == "a.test");
    CHECK(message.session_id() == "s");
  }
}

TEST_CASE("speak: a screen and options go with what is said, and the last of a turn are its result's") {
  EndToEnd run;
  run.locale("a.test", "en-US/go.intent", "go now\n");
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_intent("go", does([](Turn& turn) {
                      SpeakOptions shown;
                      shown.screen.emplace();
                      shown.screen->title = "Soup <b>";
                      shown.screen->list.emplace_back("salt", true);
                      shown.screen->list.emplace_back("water");
                      shown.screen->step = Screen::Step{2, 7};
                      shown.options.emplace_back("Next", "next step");
                      turn.speak("first", shown);
                      turn.speak("second");
                    }));
  });
  run.start();
  const TurnResult result = run.say("go now", session("s"));
  REQUIRE(result.screen);
  CHECK(*result.screen == Json{{"title", "Soup <b>"},
                               {"list", {{{"text", "salt"}, {"done", true}}, {{"text", "water"}}}},
                               {"step", {{"k", 2}, {"n", 7}}}});
  REQUIRE(result.options);
  CHECK(*result.options == Json::array({{{"text", "Next"}, {"say", "next step"}}}));
  std::size_t with_screen = 0;
  for (const auto& message : run.heard)
    if (message.type() == "ovos.utterance.speak") with_screen += message.data().contains("screen");
  CHECK(with_screen == 1);
}

TEST_CASE("D-8 change_session: the round and its end carry what the handler changed, but never another id") {
  EndToEnd run;
  run.locale("a.test", "en-US/go.intent", "go now\n");
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_intent("go", does([](Turn& turn) {
                      turn.change_session([](Session& mine) {
                        mine.session_id = "stolen";
                        mine.site_id = "cellar";
                      });
                      CHECK(turn.session()->session_id == "s");
                      turn.speak("moved");
                    }));
  });
  run.start();
  const TurnResult result = run.say("go now", session("s"));
  CHECK(result.session_id == "s");
  CHECK(result.session->site_id == "cellar");
  std::size_t checked = 0;
  for (const auto& message : run.heard) {
    if (message.type() != "ovos.utterance.speak" && message.type() != "ovos.intent.handler.complete")
      continue;
    CHECK(message.context().session->site_id == "cellar");
    ++checked;
  }
  CHECK(checked == 2);
}

TEST_CASE("on_keywords: required, chosen and excluded vocabularies decide, and give slots") {
  EndToEnd run;
  run.locale("lamp.test", "en-US/set.voc", "set\nturn\n");
  run.locale("lamp.test", "en-US/up.voc", "(up|brighter)\n");
  run.locale("lamp.test", "en-US/down.voc", "down\ndarker\n");
  run.locale("lamp.test", "en-US/question.voc", "why\n");
  run.locale("lamp.test", "de-DE/set.voc", "mach\n");  // the others are missing: not in German
  run.skill("lamp.test", [](LambdaSkill& skill) {
    Keywords words = keywords().require("set").one_of({"up", "down"}).exclude("question");
    skill.on_keywords("dim", words, does([](Turn& turn) { turn.speak(turn.slot("up") ? "up" : "down"); }));
  });
  run.start();
  CHECK(run.say("turn it brighter").speech_text() == "up");
  CHECK(run.say("set it down please").speech_text() == "down");
  CHECK(run.say("why did you turn it down").status == TurnStatus::kUnmatched);
  CHECK(run.say("turn it around").status == TurnStatus::kUnmatched);
  CHECK(run.say("mach up", nullptr, "de-DE").status == TurnStatus::kUnmatched);
}

TEST_CASE("F-4 on_fallback: a skill's handlers are asked by priority, and one that throws says no") {
  EndToEnd run;
  run.skill("facts.test", [](LambdaSkill& skill) {
    const auto about = [](const char* word) {
      return [word](const Query& query) { return contains(query.utterances.front(), word); };
    };
    skill.on_fallback(
        90, [](const Query&) { return true; }, does([](Turn& t) { t.speak("no idea"); }));
    skill.on_fallback(30, about("moon"), does([](Turn& t) { t.speak("far away"); }));
    skill.on_fallback(
        20, [](const Query&) -> bool { throw std::runtime_error("can't think"); },
        does([](Turn& t) { t.speak("never"); }));
    skill.on_fallback(40, about("moon landing"), does([](Turn& t) { t.speak("too late"); }));
  });
  run.start();
  CHECK(run.say("how far is the moon").speech_text() == "far away");
  CHECK(run.say("tell me of the moon landing").speech_text() == "far away");
  CHECK(run.say("what of the sun").speech_text() == "no idea");
  CHECK(run.log.has("[skill facts.test] its can_answer threw, which counts as a no: can't think"));
}

TEST_CASE("on_event: hears exact topics and whole prefixes, and one that throws goes on hearing") {
  EndToEnd run;
  Words heard;
  run.skill("ear.test", [&heard](LambdaSkill& skill) {
    skill.on_event("door.opened",
                   [&heard](const Message& message) { heard.push_back("exact " + message.type()); });
    skill.on_event("door.*", [&heard](const Message& message) {
      heard.push_back(message.type());
      if (message.type() == "door.broken") throw std::runtime_error("ouch");
    });
  });
  auto& assistant = run.start();
  for (const auto* topic : {"door.opened", "door.broken", "window.opened", "door.bell.rang"}) {
    assistant.bus().publish(Message(topic));
  }
  assistant.run_until_idle();
  CHECK(heard == Words{"exact door.opened", "door.opened", "door.broken", "door.bell.rang"});
  CHECK(run.log.has("[skill ear.test] its handler of 'door.*' threw: ouch"));
  CHECK(run.unload("ear.test"));
  assistant.bus().publish(Message("door.opened"));
  assistant.run_until_idle();
  CHECK(heard.size() == 4);
}

TEST_CASE("every and at: ring when it is their time, at once when it has passed, until they are cancelled") {
  EndToEnd run;
  Words rang;
  TimerId ticking = 0;
  run.skill("clock.test", [&](LambdaSkill& skill) {
    ticking = skill.every(10s, [&] { rang.push_back("tick"); });
    skill.at(skill.clock().wall() + 25s, [&] { rang.push_back("alarm"); });
    skill.at(skill.clock().wall() - 1h, [&] { rang.push_back("late"); });
    const TimerId never = skill.at(skill.clock().wall() + 1s, [&] { rang.push_back("never"); });
    skill.cancel_timer(never);
    skill.cancel_timer(4711);
    skill.every(11s, [] { throw std::runtime_error("stuck hand"); });
    skill.on_event("silence", [&](const Message&) { skill.cancel_timer(ticking); });
  });
  auto& assistant = run.start();
  assistant.run_for(35s);
  CHECK(rang == Words{"late", "tick", "tick", "alarm", "tick"});
  CHECK(run.log.count("[skill clock.test] a timer threw: stuck hand") == 3);
  assistant.bus().publish(Message("silence"));
  assistant.run_for(60s);
  CHECK(rang.size() == 5);
}

TEST_CASE("every: takes a period of one millisecond or more") {
  EndToEnd run;
  run.skill("hasty.test", [](LambdaSkill& skill) { skill.every(999us, [] {}); });
  run.start();
  CHECK(
      contains(run.problems(), "skill hasty.test: refused to start: every() takes a period of 1 ms or more"));
}

TEST_CASE("cancel_timer: what is due at the same moment and was cancelled first does not ring") {
  EndToEnd run;
  Words rang;
  run.skill("clock.test", [&](LambdaSkill& skill) {
    const auto noon = skill.clock().wall() + 1min;
    const auto second = std::make_shared<TimerId>(0);
    skill.at(noon, [&skill, &rang, second] {
      rang.push_back("first");
      skill.cancel_timer(*second);
    });
    *second = skill.at(noon, [&rang] { rang.push_back("second"); });
  });
  run.start();
  run.assistant().run_for(2min);
  CHECK(rang == Words{"first"});
}

TEST_CASE("every: a timer may cancel itself") {
  EndToEnd run;
  int rang = 0;
  run.skill("clock.test", [&](LambdaSkill& skill) {
    const auto self = std::make_shared<TimerId>(0);
    *self = skill.every(1s, [&skill, &rang, self] {
      if (++rang == 3) skill.cancel_timer(*self);
    });
  });
  run.start();
  run.assistant().run_for(1min);
  CHECK(rang == 3);
}

TEST_CASE("turn: a handler that has completed may still speak when its timer rings") {
  EndToEnd run;
  run.locale("egg.test", "en-US/boil.intent", "boil an egg\n");
  run.skill("egg.test", [](LambdaSkill& skill) {
    skill.on_intent("boil", does([&skill](Turn& turn) {
                      turn.speak("In five minutes.");
                      skill.at(skill.clock().wall() + 5min,
                               [turn]() mutable { turn.speak("Your egg is ready."); });
                    }));
  });
  run.start();
  const TurnResult result = run.say("boil an egg", session("kitchen"));
  CHECK(result.speech_text() == "In five minutes.");
  run.assistant().run_for(5min);
  CHECK(run.spoken() == Words{"In five minutes.", "Your egg is ready."});
  CHECK(run.heard.back().session_id() == "kitchen");
}

TEST_CASE("sleep: suspends one handler while others of the skill go on, never two at the same time") {
  EndToEnd run;
  run.locale("nap.test", "en-US/nap.intent", "nap {name}\n");
  Words steps;
  run.skill("nap.test", [&steps](LambdaSkill& skill) {
    skill.on_intent("nap", [&steps](Turn turn) -> Task<> {
      const std::string name = turn.slot("name").value_or("");
      steps.push_back(name + " lies down");
      co_await turn.sleep(name == "long" ? 20s : 5s);
      CHECK(turn.remaining() == (name == "long" ? 40s : 55s));
      steps.push_back(name + " wakes");
      turn.speak(name);
    });
  });
  run.start();
  const auto began = run.assistant().clock().now();
  const auto first = run.begin("nap long", session("a"));
  const auto second = run.begin("nap short", session("b"));
  CHECK(run.finish(first).speech_text() == "long");
  CHECK(run.finish(second).speech_text() == "short");
  CHECK(steps == Words{"long lies down", "short lies down", "short wakes", "long wakes"});
  CHECK(run.assistant().clock().now() - began == 20s);
}

TEST_CASE("D-6 cancelled: after its bound a handler knows, its waits throw and it is not heard") {
  EndToEnd run;
  run.locale("slow.test", "en-US/go.intent", "go slow\n");
  run.config.orchestrator.handler_timeout = 7s;
  Words seen;
  run.skill("slow.test", [&seen](LambdaSkill& skill) {
    skill.on_intent("go", [&seen](Turn turn) -> Task<> {
      try {
        co_await turn.sleep(1h);
      } catch (const Cancelled& over) {
        seen.push_back(turn.cancelled() ? "cancelled" : "not cancelled");
        CHECK(turn.remaining() == 0s);
        turn.speak("I was not done.");
        throw;
      }
    });
  });
  run.start();
  const TurnResult result = run.say("go slow");
  CHECK(result.error == "timeout: the handler did not end within 7000 ms");
  run.assistant().run_for(2h);
  CHECK(seen == Words{"cancelled"});
  CHECK(run.spoken().empty());
}

TEST_CASE("stop: is called once, after the last handler has ended") {
  EndToEnd run;
  run.locale("end.test", "en-US/go.intent", "go on\n");
  Words steps;
  auto& skill = run.skill("end.test", [&steps](LambdaSkill& self) {
    self.on_intent("go", [&steps](Turn turn) -> Task<> {
      steps.push_back("begins");
      try {
        co_await turn.sleep(1h);
      } catch (const Cancelled&) {
        steps.push_back("is cancelled");
        throw;
      }
    });
  });
  skill.when_stopped = [&steps] {
    steps.push_back("stops");
    throw std::runtime_error("can't stop");
  };
  run.start();
  const auto turn = run.begin("go on");
  run.assistant().run_for(1s);
  run.destroy();
  CHECK(steps == Words{"begins", "is cancelled", "stops"});
  CHECK(run.log.count("[skill end.test] stop() threw: can't stop") == 1);
}
