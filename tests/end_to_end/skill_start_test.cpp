// How skills start: settings, names, locale files, dialogs; and what people read when something is wrong.
#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "skill/skill_host.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

void add_ping(EndToEnd& run) {
  run.locale("ping.test", "en-US/ping.intent", "ping\n");
  run.skill("ping.test",
            [](LambdaSkill& skill) { skill.on_intent("ping", does([](Turn& t) { t.speak("pong"); })); });
}

constexpr std::array kCoffee{Option::integer("strength", "3", 1, 10, "How strong."),
                             Option::integer("cups", "1", 1, 12, "How many."),
                             Option::word("roast", "dark", "dark light", "Which."),
                             Option::number("temperature", "92.5", 0, 100, "Degrees Celsius."),
                             Option::flag("milk", "false", "Whether."),
                             Option::list("guests", "[Ann]", "For whom."),
                             Option::duration("warm", "30min", 0ms, 24h, "How long it is kept warm."),
                             Option::size("pot", "1KiB", 1, 4096, "What it holds."),
                             Option::map("spoons", "{}", "Of sugar, by guest."),
                             Option::range("hours", nullptr, "When there is any.")};

}  // namespace

TEST_CASE("settings: every declared one has its default, or what the configuration says") {
  for (const bool configured : {false, true}) {
    CAPTURE(configured);
    EndToEnd run;
    if (configured) {
      run.config.skills.settings["coffee.test"] = {
          {"cups", 12},      {"temperature", 90}, {"roast", "light"},         {"milk", true},
          {"warm", "2s"},    {"pot", "2KiB"},     {"guests", {"Bob", "Eve"}}, {"spoons", {{"Eve", 2}}},
          {"hours", {6, 11}}};
    }
    int started = 0;
    const auto start = [&](LambdaSkill& self) {
      ++started;
      CHECK(self.settings().integer("strength") == 3);
      CHECK(self.settings().integer("cups") == (configured ? 12 : 1));
      CHECK(self.settings().text("roast") == (configured ? "light" : "dark"));
      CHECK(self.settings().number("temperature") == doctest::Approx(configured ? 90 : 92.5));
      CHECK(self.settings().flag("milk") == configured);
      CHECK(self.settings().list("guests").size() == (configured ? 2 : 1));
      CHECK(self.settings().duration("warm") == (configured ? 2s : 30min));
      CHECK(self.settings().integer("pot") == (configured ? 2048 : 1024));
      CHECK(self.settings().map("spoons").size() == (configured ? 1 : 0));
      CHECK(self.settings().has("hours") == configured);
      if (configured) CHECK(self.settings().range("hours") == std::pair<std::int64_t, std::int64_t>(6, 11));
      CHECK_THROWS_AS(self.settings().text("sugar"), std::out_of_range);
      CHECK_THROWS_AS(self.settings().text("cups"), std::invalid_argument);
    };
    run.skill("coffee.test", start, kCoffee);
    run.start();
    CHECK(run.problems().empty());
    CHECK(started == 1);
  }
}

TEST_CASE(
    "L-1 start: of languages that are not enabled nothing is registered, and a skill that has no other "
    "starts") {
  EndToEnd run;
  run.config.language.enabled = {"en-US"};
  add_ping(run);
  run.locale("ping.test", "it-IT/ping.intent", "ping pong\n");
  run.locale("ciao.test", "it-IT/ciao.intent", "ciao\n");
  run.locale("ciao.test", "it-IT/bella.voc", "bella\n");
  Keywords bella;
  bella.required = {"bella"};
  run.skill("ciao.test", [bella](LambdaSkill& skill) {
    skill.on_intent("ciao", does([](Turn& t) { t.speak("ciao"); }));
    skill.on_keywords("bella", bella, does([](Turn& t) { t.speak("bella"); }));
  });
  run.start();
  CHECK(run.problems().empty());
  const auto intents = run.assistant().registry().intents();
  REQUIRE(intents.size() == 1);
  CHECK(intents.front()->lang == "en-US");
  CHECK(run.say("ping").speech_text() == "pong");
}

TEST_CASE("settings: all faults are named at once, the skill is not started, and the others go on") {
  EndToEnd run;
  add_ping(run);
  run.config.skills.settings["coffee.test"] = {{"strenth", 5},     {"cups", 13},  {"roast", "burnt"},
                                               {"milk", "please"}, {"guests", 7}, {"temperature", "hot"},
                                               {"warm", 5}};
  bool started = false;
  run.skill(
      "coffee.test", [&](LambdaSkill&) { started = true; }, kCoffee);
  run.start();
  CHECK_FALSE(started);
  const std::string said = run.problems();
  CAPTURE(said);
  for (const auto* part :
       {"skills.settings.coffee.test: unknown key 'strenth'; did you mean 'strength'?",
        "skills.settings.coffee.test: 'cups' must be a whole number between 1 and 12; found '13'",
        "'roast' must be one of dark, light; found 'burnt'", "'milk' must be true or false; found 'please'",
        "'guests' must be a list such as [a, b], each element text; found '7'",
        "'temperature' must be a number between 0 and 100; found 'hot'",
        "'warm' must be a duration such as 500ms, 5s or 30min, between 0ms and 1d; found '5'",
        "skill coffee.test: is not started until 'skills.settings.coffee.test' is right"}) {
    CAPTURE(part);
    CHECK(contains(said, part));
  }
  CHECK(run.say("ping").speech_text() == "pong");
}

TEST_CASE("settings: a skill without any says so") {
  EndToEnd run;
  run.config.skills.settings["plain.test"] = {{"sugar", true}};
  run.skill("plain.test", [](LambdaSkill&) {});
  run.start();
  CHECK(contains(run.problems(), "skills.settings.plain.test: unknown key 'sugar'; no key is known here"));
}

TEST_CASE(
    "start: reserved, unusable, doubled and missing names are refused by name, and nothing of them is kept") {
  struct Refused {
    std::string name, reason;
  };
  const Handler nothing = does([](Turn&) {});
  std::vector<Refused> cases = {{"not a name", "'not a name' can't be the name of an intent"},
                                {"a:b", "'a:b' can't be the name of an intent"},
                                {"go", "the intent 'go' has a handler already"},
                                {"gone", "has a usable 'gone.intent'"}};
  for (const auto* name : {"converse", "response", "stop", "fallback", "common_query"}) {
    cases.push_back({name, "'" + std::string(name) + "' is a reserved name: it can't be an intent"});
  }
  for (const auto& refused : cases) {
    CAPTURE(refused.name);
    EndToEnd run;
    add_ping(run);
    run.locale("names.test", "en-US/go.intent", "go right now\n");
    run.skill("names.test", [&](LambdaSkill& skill) {
      skill.on_intent("go", nothing);
      skill.on_intent(refused.name, nothing);
    });
    run.start();
    CAPTURE(run.problems());
    REQUIRE(run.assistant().problems().size() == 1);
    CHECK(run.assistant().problems().front().place == "skill names.test");
    CHECK(contains(run.problems(), refused.reason));
    CHECK_FALSE(run.assistant().skills().hosts("names.test"));
    CHECK(run.say("go right now").status == TurnStatus::kUnmatched);
    CHECK(run.say("ping").speech_text() == "pong");
  }
}

TEST_CASE("start: a keyword intent whose vocabularies no language has is refused with their names") {
  EndToEnd run;
  run.locale("lamp.test", "en-US/set.voc", "set\n");
  run.locale("lamp.test", "de-DE/up.voc", "hoch\n");
  run.skill("lamp.test", [](LambdaSkill& skill) {
    Keywords words = keywords().require("set").require("up");
    skill.on_keywords("dim", words, does([](Turn&) {}));
  });
  run.start();
  CAPTURE(run.problems());
  CHECK(contains(run.problems(), "has all of the vocabularies of 'dim': set, up"));
}

TEST_CASE("start: what throws no std::exception is a refusal, too") {
  EndToEnd run;
  add_ping(run);
  run.skill("odd.test", [](LambdaSkill&) { throw 42; });
  run.start();
  CHECK(contains(run.problems(),
                 "skill odd.test: refused to start: int was thrown, which is not a std::exception"));
  CHECK(run.say("ping").speech_text() == "pong");
}

TEST_CASE("start: of a skill that is refused no event, timer or message is left") {
  EndToEnd run;
  int called = 0;
  run.skill("half.test", [&called](LambdaSkill& skill) {
    skill.on_event("ovos.core.ready", [&called](const Message&) { ++called; });
    skill.every(std::chrono::seconds(1), [&called] { ++called; });
    skill.emit(Message("half.test.here"));
    skill.on_fallback(
        1, [](const Query&) { return true; }, does([](Turn& t) { t.speak("me"); }));
    throw std::runtime_error("changed my mind");
  });
  run.start();
  run.assistant().run_for(std::chrono::seconds(10));
  CHECK(called == 0);
  CHECK(run.count("half.test.here") == 0);
  CHECK(run.count("ovos.fallback.register") == 0);
  CHECK(run.say("anybody").status == TurnStatus::kUnmatched);
}

TEST_CASE("locale: a broken file is named with line and reason, and the skill's other intents still work") {
  EndToEnd run;
  run.locale("mixed.test", "en-US/good.intent", "all good\n");
  run.locale("mixed.test", "en-US/half.intent", "half (good\nhalf fine\n");
  run.locale("mixed.test", "en-US/said.dialog", "Said.\n");
  run.locale("mixed.test", "en-US/broken.dialog", "{oops\n");
  run.locale("mixed.test", "en-US/empty.voc", "# nothing\n");
  run.skill("mixed.test", [](LambdaSkill& skill) {
    for (const auto* name : {"good", "half"})
      skill.on_intent(name, does([](Turn& t) { t.speak_dialog("said"); }));
  });
  run.start();
  const std::string said = run.problems();
  CAPTURE(said);
  CHECK(contains(said, "mixed.test/locale/en-US/half.intent:1:6: warning: '(' is never closed"));
  CHECK(contains(said, "mixed.test/locale/en-US/broken.dialog:1"));
  CHECK(contains(said, "mixed.test/locale/en-US/empty.voc"));
  CHECK(contains(said, "(left out; the rest works)"));
  for (const auto& problem : run.assistant().problems()) CHECK_FALSE(problem.fatal);
  CHECK(run.say("all good").speech_text() == "Said.");
  CHECK(run.say("half fine").speech_text() == "Said.");
}

TEST_CASE("locale: a file with a reserved name is named, and what to do about it") {
  EndToEnd run;
  run.locale("names.test", "en-US/stop.intent", "halt\n");
  run.skill("names.test", [](LambdaSkill&) {});
  run.start();
  CHECK(contains(run.problems(),
                 "/en-US/stop.intent: warning: 'stop' is a reserved name that no intent can have: "
                 "rename the file (left out; the rest works)"));
}

TEST_CASE(
    "L-3 dialogs: are spoken in the output language when the skill has it, else in that of the utterance") {
  EndToEnd run;
  for (const auto* lang : {"en-US", "de-DE"}) {
    run.locale("hello.test", std::string(lang) + "/hello.intent",
               lang == std::string("en-US") ? "hello\n" : "hallo\n");
  }
  run.locale("hello.test", "en-US/hello.dialog", "Hello {name}.\n");
  run.locale("hello.test", "de-DE/hello.dialog", "Hallo {name}.\n");
  run.skill("hello.test", [](LambdaSkill& skill) {
    skill.on_intent("hello", does([](Turn& turn) {
                      turn.speak_dialog("hello", {{"name", "Ann {x} (a|b)"}});
                      CHECK(turn.dialog("hello", {{"name", "Bob"}}).ends_with(" Bob."));
                    }));
  });
  run.start();
  const auto wanting = [](const std::string& lang) {
    Session wants("s");
    wants.output_lang = lang;
    return std::make_shared<const Session>(wants);
  };
  const auto check = [](const TurnResult& result, const std::string& text, const std::string& lang) {
    REQUIRE(result.speech.size() == 1);
    CHECK(result.speech.front().utterance == text);
    CHECK(result.speech.front().lang == lang);
  };
  check(run.say("hello"), "Hello Ann {x} (a|b).", "en-US");
  check(run.say("hallo", nullptr, "de-DE"), "Hallo Ann {x} (a|b).", "de-DE");
  check(run.say("hello", wanting("de-DE")), "Hallo Ann {x} (a|b).", "de-DE");
  check(run.say("hallo", wanting("en-GB"), "de-DE"), "Hello Ann {x} (a|b).", "en-US");
  check(run.say("hallo", wanting("fr-FR"), "de-DE"), "Hallo Ann {x} (a|b).", "de-DE");
}

TEST_CASE(
    "T-8 dialogs: a missing slot or an unknown dialog is an error that names file and slot, never spoken") {
  EndToEnd run;
  run.locale("hello.test", "en-US/slot.intent", "missing slot\n");
  run.locale("hello.test", "en-US/dialog.intent", "missing dialog\n");
  run.locale("hello.test", "en-US/hello.dialog", "Hello {name}.\nHi {name}!\n");
  run.skill("hello.test", [](LambdaSkill& skill) {
    skill.on_intent("slot", does([](Turn& turn) { turn.speak_dialog("hello", {{"nam", "Ann"}}); }));
    skill.on_intent("dialog", does([](Turn& turn) { turn.speak_dialog("helo"); }));
  });
  run.start();
  const TurnResult slot = run.say("missing slot");
  CHECK(slot.status == TurnStatus::kError);
  CAPTURE(slot.error);
  CHECK(contains(slot.error, "hello.test/locale/en-US/hello.dialog"));
  CHECK(contains(slot.error, "name"));
  const TurnResult dialog = run.say("missing dialog");
  CHECK(dialog.status == TurnStatus::kError);
  CAPTURE(dialog.error);
  CHECK(contains(dialog.error, "helo"));
  CHECK(run.spoken().empty());
}
