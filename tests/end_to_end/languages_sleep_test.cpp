// Languages that sleep until somebody speaks them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "registry/registry.hpp"
#include "session/session.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// A skill that has two languages, of which German sleeps.
class Sleeping : public EndToEnd {
 public:
  explicit Sleeping(Time time = Time::kJumping) : EndToEnd(time) {
    options.languages_sleep = true;
    locale("lamps.test", "en-US/on.intent", "light on\n");
    locale("lamps.test", "de-DE/on.intent", "licht an\n");
    locale("lamps.test", "en-US/off.intent", "light off\n");
    locale("lamps.test", "de-DE/off.intent", "licht aus\n");
    locale("lamps.test", "en-US/dim.voc", "dim\n");
    locale("lamps.test", "de-DE/dim.voc", "dimmen\n");
  }

  LambdaSkill& lamps() {
    return skill("lamps.test", [](LambdaSkill& skill) {
      for (const char* const name : {"on", "off"})
        skill.on_intent(name, does([name](Turn& turn) { turn.speak(name); }));
      skill.on_keywords("dim", keywords().require("dim"), does([](Turn& turn) { turn.speak("dim"); }));
    });
  }

  /// How many intents are registered in a language.
  std::ptrdiff_t registered(const std::string& lang) {
    const auto intents = assistant().registry().intents();
    return std::count_if(intents.begin(), intents.end(), [&](const auto& one) { return one->lang == lang; });
  }

  std::string answer(const std::string& text, const std::string& lang) {
    return say(text, session("s"), lang).speech_text();
  }
};

}  // namespace

TEST_CASE(
    "L-1 languages: one that nobody has spoken is registered with its first utterance, which is understood") {
  for (const auto time : {EndToEnd::Time::kJumping, EndToEnd::Time::kReal}) {
    Sleeping run(time);
    run.lamps();
    run.start();
    CHECK(run.registered("en-US") == 3);
    CHECK(run.registered("de-DE") == 0);
    CHECK(run.answer("light on", "en-US") == "on");
    CHECK(run.registered("de-DE") == 0);
    CHECK(run.answer("licht aus", "de-AT") == "off");
    CHECK(run.registered("de-DE") == 3);
    CHECK(run.answer("dimmen", "de-DE") == "dim");
    CHECK(run.registered("de-DE") == 3);
    CHECK(run.answer("light off", "en-US") == "off");
  }
}

TEST_CASE("languages: two who speak a sleeping one at once both wait, and others don't") {
  Sleeping run(EndToEnd::Time::kReal);
  run.lamps();
  run.start();
  const auto first = run.begin("licht an", session("a"), "de-DE");
  const auto second = run.begin("licht aus", session("b"), "de-DE");
  const auto other = run.begin("light on", session("c"), "en-US");
  CHECK(run.finish(other).speech_text() == "on");
  CHECK(run.finish(first).speech_text() == "on");
  CHECK(run.finish(second).speech_text() == "off");
  CHECK(run.registered("de-DE") == 3);
}

TEST_CASE("languages: an intent that was disabled stays so in one that wakes") {
  Sleeping run;
  LambdaSkill& lamps = run.lamps();
  run.start();
  lamps.disable_intent("off");
  CHECK(run.answer("licht an", "de-DE") == "on");
  CHECK(run.say("licht aus", session("s"), "de-DE").intent_name != "off");
  lamps.enable_intent("off");
  CHECK(run.answer("licht aus", "de-DE") == "off");
}

TEST_CASE("R-6 languages: who asks what is registered is told of those that sleep as well") {
  Sleeping run;
  run.lamps();
  run.start();
  Json listed;
  const auto heard = run.assistant().bus().subscribe(
      "ovos.intent.list.response", [&](const Message& message) { listed = message.data().at("intents"); });
  run.assistant().bus().publish(Message("ovos.intent.list", {{"lang", "de-DE"}}));
  REQUIRE(run.until([&] { return listed.is_array(); }));
  CHECK(listed.size() == 3);
  bool all = false;
  run.assistant().wake_languages([&] { all = true; });
  CHECK(all);
}

TEST_CASE("languages: an explanation of what would become of an utterance wakes its language") {
  Sleeping run;
  run.lamps();
  run.start();
  std::optional<Result<Json>> told;
  TurnInput input("licht an");
  input.lang = "de-DE";
  run.assistant().orchestrator().dry_run(Conversation::entry_of(std::move(input)),
                                         [&](Result<Json> report) { told.emplace(std::move(report)); });
  REQUIRE(run.until([&] { return told.has_value(); }));
  CHECK(told->value().at("outcome") == "matched");
}

TEST_CASE("languages: what is wrong in the files of one that sleeps is said when it wakes") {
  Sleeping run;
  run.locale("lamps.test", "de-DE/dim.voc", "dimmen\n(broken\n");
  run.lamps();
  run.start();
  CHECK(!run.log.has("dim.voc"));
  CHECK(run.answer("licht an", "de-DE") == "on");
  CHECK(run.log.has("dim.voc:2"));
}

TEST_CASE("languages: an utterance of one that wakes waits for its big registrations to be taken in") {
  for (const bool others_came_before : {false, true}) {
    CAPTURE(others_came_before);
    Sleeping run;
    run.config.pipeline = {"intent_high"};  // what resembles would be found by others, later
    std::string many;
    for (int i = 0; i < 2'000; ++i) many += fmt::format("schalte die lampe nummer {} im zimmer ein\n", i);
    run.locale("lamps.test", "de-DE/on.intent", many + "licht an\n");
    run.lamps();
    run.start();
    if (others_came_before) {
      Json samples;
      for (int i = 0; i < 500; ++i) samples.push_back(fmt::format("koche das gericht nummer {} im topf", i));
      Context context;
      context.skill_id = "cook.test";
      run.assistant().bus().publish(Message("ovos.intent.register.template",
                                            {{"skill_id", "cook.test"},
                                             {"intent_name", "cook"},
                                             {"lang", "de-DE"},
                                             {"samples", std::move(samples)}},
                                            std::move(context)));
      run.assistant().run_for(std::chrono::minutes(1));
    }
    CHECK(run.answer("schalte die lampe nummer 1999 im zimmer ein", "de-DE") == "on");
  }
}
