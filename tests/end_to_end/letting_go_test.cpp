// Questions that let go of what is no answer to them (C-1), through a whole assistant.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "orchestrator/orchestrator.hpp"
#include "session/session.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Lines = std::vector<std::string>;

/// A skill that takes orders, as the test has it ask, and others to talk to meanwhile.
class Diner : public EndToEnd {
 public:
  explicit Diner(Handler order) {
    locale("diner.test", "en-US/order.intent", "i am hungry\n");
    locale("diner.test", "en-US/menu.intent", "show me the menu\n");
    locale("diner.test", "en-US/what.dialog", "What would you like?\n");
    skill("diner.test", [order = std::move(order)](LambdaSkill& skill) {
      skill.on_intent("order", order);
      skill.on_intent("menu", does([](Turn& turn) { turn.speak("soup"); }));
    });
    locale("clock.test", "en-US/time.intent", "what time is it\n");
    locale("clock.test", "en-US/wake.intent", "wake {whom}\n");
    skill("clock.test", [](LambdaSkill& skill) {
      skill.on_intent("time", does([](Turn& turn) { turn.speak("noon"); }));
      skill.on_intent("wake", does([](Turn& turn) { turn.speak("ring"); }));
    });
    locale("chess.test", "en-US/play.intent", "let us play\n");
    skill("chess.test", [](LambdaSkill& skill) {
      skill.on_intent("play", does([](Turn& turn) { turn.speak("your move"); }));
      skill.on_converse(
          [](const Query& query) {
            const std::string& said = query.utterances.front();
            return ConverseAnswer(said == "no" || said.starts_with("queen"));
          },
          does([](Turn& turn) { turn.speak("played: " + turn.text()); }));
    });
    start();
  }
};

Task<> asks_for_anything(Turn turn) {
  const auto said = co_await turn.ask("what");
  turn.speak("ordered: " + (said ? *said : std::string("nothing")));
}

Task<> asks_for_a_number(Turn turn) {
  const auto count = co_await turn.ask("what", SlotType::kNumber);
  if (count.end() == AskEnd::kReplaced) co_return;
  turn.speak(count ? "ordered: " + std::to_string(static_cast<int>(count->number())) : "nothing");
}

Task<> asks_whether(Turn turn) {
  const auto sure = co_await turn.confirm("what");
  turn.speak(sure.yes() ? "yes" : "no");
}

}  // namespace

TEST_CASE(
    "C-1 questions: what is no such answer but an intent word for word goes on, and the question stays "
    "open") {
  Diner run(asks_for_a_number);
  for (const char* const id : {"s", "default"}) {
    CAPTURE(id);
    Conversation talk(run.assistant(), is_default_session(id) ? nullptr : session(id));
    const TurnResult question = run.say(talk, "i am hungry");
    CHECK(question.session->response_mode->expects == "number");
    const TurnResult other = run.say(talk, "what time is it");
    CHECK(other.speech_text() == "noon");
    CHECK(other.session->response_mode.has_value());
    CHECK(run.say(talk, "show me the menu").speech_text() == "soup");
    CHECK(run.say(talk, "three").speech_text() == "ordered: 3");
    const SessionPtr now =
        talk.session() ? talk.session() : run.assistant().orchestrator().sessions().current();
    CHECK_FALSE(now->response_mode.has_value());
  }
}

TEST_CASE("C-1 questions: what is neither an answer nor an intent is asked about again") {
  Diner run(asks_for_a_number);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "i am hungry");
  CHECK(run.say(talk, "time it is").speech_text() == "What would you like?");
  CHECK(run.say(talk, "two").speech_text() == "ordered: 2");
}

TEST_CASE("C-1 questions: a no that is no answer takes the question back") {
  Diner run(asks_for_a_number);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "i am hungry");
  const TurnResult taken_back = run.say(talk, "no");
  CHECK(taken_back.speech_text() == "nothing");
  CHECK_FALSE(taken_back.session->response_mode.has_value());
}

TEST_CASE("C-1 questions: what is no answer goes to who goes on with it, yes and no to who spoke last") {
  Diner run(asks_for_a_number);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "let us play");
  run.say(talk, "i am hungry");
  CHECK(run.say(talk, "no").speech_text() == "nothing");
  run.say(talk, "i am hungry");
  const TurnResult move = run.say(talk, "queen takes pawn");
  CHECK(move.speech_text() == "played: queen takes pawn");
  CHECK(move.session->response_mode.has_value());
  CHECK(run.say(talk, "no").speech_text() == "played: no");
  CHECK(run.say(talk, "two").speech_text() == "ordered: 2");
}

TEST_CASE("C-1 questions: for yes or no, too; and 'never mind' takes it back as ever") {
  Diner run(asks_whether);
  Conversation talk(run.assistant(), session("s"));
  CHECK(run.say(talk, "i am hungry").session->response_mode->expects == "yes_no");
  CHECK(run.say(talk, "what time is it").speech_text() == "noon");
  CHECK(run.say(talk, "yes").speech_text() == "yes");
  run.say(talk, "i am hungry");
  CHECK(run.say(talk, "never mind").speech_text() == "no");
}

TEST_CASE(
    "C-1 questions: one for any text gives way to another skill's intent with two literal words or more") {
  Diner run(asks_for_anything);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "i am hungry");
  CHECK(run.say(talk, "what time is it").speech_text() == "noon");
  CHECK(run.say(talk, "wake up").speech_text() == "ordered: wake up");  // one literal word
  run.say(talk, "i am hungry");
  CHECK(run.say(talk, "show me the menu").speech_text() == "ordered: show me the menu");  // its own
}

TEST_CASE("C-1 questions: a question of another skill, or of the same, replaces the one that stayed open") {
  Diner run(asks_for_a_number);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "i am hungry");
  CHECK(run.say(talk, "i am hungry").speech_text() == "What would you like?");
  run.heard.clear();
  CHECK(run.say(talk, "five").speech_text() == "ordered: 5");
  CHECK(run.spoken() == Lines{"ordered: 5"});
}

TEST_CASE("C-1 questions: a trace says why a question was let go") {
  Diner run(asks_for_a_number);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "i am hungry");
  TurnInput input("what time is it");
  input.trace = true;
  std::optional<TurnResult> result;
  talk.say(std::move(input), [&result](TurnResult done) { result.emplace(std::move(done)); });
  run.assistant().run_for(0s);
  REQUIRE(result);
  REQUIRE(result->trace);
  CHECK(result->trace->dump().find("the question stays open") != std::string::npos);
}
