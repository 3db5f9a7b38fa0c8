// What typed slots say, from the utterance through the real stages to the handler.
#include <doctest/doctest.h>

#include <algorithm>
#include <parley/zone.hpp>

#include "session/session.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

std::string shown(const std::optional<SlotValue>& value) {
  if (!value) return "nothing";
  if (value->type() == SlotType::kNumber) return std::to_string(value->number());
  if (value->type() == SlotType::kDuration)
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(value->duration()).count());
  if (value->type() == SlotType::kColor) return value->color().name;
  return value->type() == SlotType::kLanguage ? value->language() : "a date";
}

class Lamp : public EndToEnd {
 public:
  Lamp() {
    locale("lamp.test", "en-US/dim.intent", "dim to {number:level}\n");
    locale("lamp.test", "de-DE/dim.intent", "dimme auf {number:level}\n");
    locale("lamp.test", "en-US/wait.intent", "light for {duration:level}\n");
    locale("lamp.test", "en-US/paint.intent", "make it {color:level}\n");
    locale("lamp.test", "en-US/talk.intent", "speak {language:level}\n");
    locale("lamp.test", "en-US/name.intent", "call it {level}\n");
    skill("lamp.test", [](LambdaSkill& skill) {
      for (const char* intent : {"dim", "wait", "paint", "talk", "name"}) {
        skill.on_intent(
            intent, does([](Turn& turn) {
              turn.speak(turn.slot("level").value_or("-") + ": " + shown(turn.slot_value("level")));
            }));
      }
    });
    start();
  }
  std::string answer(const std::string& text, const std::string& lang = "en-US") {
    return finish(begin(text, session("s"), lang)).speech_text();
  }
};

}  // namespace

TEST_CASE("R-5 slot_value: the handler gets the value beside the words") {
  Lamp lamp;
  CHECK(lamp.answer("dim to forty-two") == "forty-two: 42.000000");
  CHECK(lamp.answer("Dim to 42!") == "42: 42.000000");
  CHECK(lamp.answer("dimme auf zweiundvierzig", "de-DE") == "zweiundvierzig: 42.000000");
  CHECK(lamp.answer("light for an hour and a half") == "an hour and a half: 5400000");
  CHECK(lamp.answer("make it light blue") == "light blue: light blue");
  CHECK(lamp.answer("speak German") == "German: de");
}

TEST_CASE("U-3 asked slots: what the utterance leaves open is asked for before the handler runs") {
  EndToEnd run;
  run.locale("lamp.test", "en-US/dim.intent", "dim the lamp\ndim the lamp to {number:level}\n");
  run.locale("lamp.test", "en-US/dim.required", "level how_bright\n");
  run.locale("lamp.test", "en-US/how_bright.dialog", "How bright?\n");
  run.skill("lamp.test", [](LambdaSkill& skill) {
    skill.on_intent("dim",
                    does([](Turn& turn) { turn.speak("dimmed to " + shown(turn.slot_value("level"))); }));
  });
  run.start();
  CHECK(run.finish(run.begin("dim the lamp to forty", session("s"), "en-US")).speech_text() ==
        "dimmed to 40.000000");
  const TurnResult asked = run.finish(run.begin("dim the lamp", session("s"), "en-US"));
  CHECK(asked.speech_text() == "How bright?");
  CHECK(asked.listen);
  const auto heard = [&run](const std::string& text) {
    const auto all = run.spoken();
    return std::find(all.begin(), all.end(), text) != all.end();
  };
  run.finish(run.begin("thirty", asked.session, "en-US"));
  CHECK(run.until([&heard] { return heard("dimmed to 30.000000"); }));
  const TurnResult again = run.finish(run.begin("dim the lamp", session("s"), "en-US"));
  const TurnResult given_up = run.finish(run.begin("never mind", again.session, "en-US"));
  CHECK(given_up.speech_text().find("dimmed") == std::string::npos);
}

TEST_CASE("R-5 slot_value: other words match all the same and have no value, nor has a slot without a type") {
  Lamp lamp;
  CHECK(lamp.answer("dim to a few") == "a few: nothing");
  CHECK(lamp.answer("call it forty-two") == "forty-two: nothing");
}

TEST_CASE("R-5 slot_value: a date is told from the day it is where the user is") {
  EndToEnd run;
  run.locale("diary.test", "en-US/note.intent", "note it for {date:when}\n");
  run.skill("diary.test", [](LambdaSkill& skill) {
    skill.on_intent("note", does([&skill](Turn& turn) {
                      const auto when = turn.slot_value("when");
                      const auto today = Zone::named(turn.time_zone())->today(skill.clock().wall());
                      turn.speak(when && when->date().day == today + std::chrono::days(1) &&
                                         when->date().time == std::chrono::hours(17)
                                     ? "tomorrow at five"
                                     : "another day");
                    }));
  });
  run.start();
  for (const char* zone : {"Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"}) {
    auto there = std::make_shared<Session>(*session("s"));
    there->location.emplace();
    there->location->tz = zone;
    CHECK(run.finish(run.begin("note it for tomorrow at five pm", there, "en-US")).speech_text() ==
          "tomorrow at five");
  }
}
