// Asking the user and waiting for the answer (section C), through a whole assistant.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "orchestrator/orchestrator.hpp"
#include "session/session.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

/// A skill that sells coffee, as the test has it ask.
class Shop : public EndToEnd {
 public:
  explicit Shop(Handler sell, Time time = Time::kJumping) : EndToEnd(time) {
    locale("shop.test", "en-US/sell.intent", "sell me coffee\n");
    locale("shop.test", "en-US/size.dialog", "Which size?\n");
    locale("shop.test", "en-US/again.dialog", "Small or big?\n");
    locale("shop.test", "en-US/sure.dialog", "Are you sure?\n");
    locale("shop.test", "de-DE/sell.intent", "kaffee bitte\n");
    locale("shop.test", "de-DE/size.dialog", "Welche Größe?\n");
    locale("shop.test", "de-DE/sure.dialog", "Sicher?\n");
    skill("shop.test", [sell = std::move(sell)](LambdaSkill& skill) { skill.on_intent("sell", sell); });
    locale("clock.test", "en-US/time.intent", "what time is it\n");
    skill("clock.test",
          [](LambdaSkill& skill) { skill.on_intent("time", does([](Turn& turn) { turn.speak("noon"); })); });
    start();
  }
};

std::string said_of(const Reply<std::string>& size) {
  if (size) return *size;
  switch (size.end()) {
    case AskEnd::kSilence:
      return "silence";
    case AskEnd::kCancelled:
      return "cancelled";
    case AskEnd::kReplaced:
      return "replaced";
    default:
      return "not understood";
  }
}

Task<> sell_one(Turn turn) {
  AskOptions once;
  once.retries = 0;
  const auto size = co_await turn.ask("size", Slots(), once);
  turn.speak("coffee: " + said_of(size));
}

/// The topics and who they are about, from some message on: "ovos.intent.handler.start sell".
Words story(const EndToEnd& run) {
  Words lines;
  for (const auto& message : run.heard) {
    std::string line = message.type();
    if (line.starts_with("parley.") || line.starts_with("ovos.intent.register")) continue;
    if (line == "ovos.core.ready" || line == "ovos.fallback.register") continue;
    if (line.starts_with("ovos.intent.")) line += " " + message.text("intent_name");
    if (line == "ovos.utterance.speak") line += " " + message.text("utterance");
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

TEST_CASE("C-4 ask: the answer is a lifecycle of its own inside the one that asked") {
  Shop run(sell_one);
  run.heard.clear();
  Conversation talk(run.assistant(), session("s"));
  TurnResult question = run.say(talk, "sell me coffee");
  CHECK(question.speech_text() == "Which size?");
  CHECK(question.listen);
  CHECK(question.intent_name == "sell");
  TurnResult answer = run.say(talk, "a big one");
  CHECK(answer.speech_text() == "coffee: a big one");
  CHECK(answer.intent_name == "response");
  CHECK(answer.pipeline_id == "converse");
  CHECK(answer.status == TurnStatus::kAnswered);
  CHECK_FALSE(answer.listen);
  CHECK(story(run) == Words{"ovos.utterance.handle", "ovos.intent.matched sell", "shop.test:sell",
                            "ovos.intent.handler.start sell", "ovos.utterance.speak Which size?",
                            // the answer's own turn
                            "ovos.utterance.handle", "ovos.intent.matched response", "shop.test:response",
                            "ovos.intent.handler.start response", "ovos.intent.handler.complete response",
                            "ovos.utterance.handled",
                            // and the one that asked goes on
                            "ovos.utterance.speak coffee: a big one", "ovos.intent.handler.complete sell",
                            "ovos.utterance.handled"});
}
