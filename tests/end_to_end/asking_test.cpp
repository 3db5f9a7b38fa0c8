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
  explicit Shop(Handler sell, Time time = Time::kJumping, bool speaks_errors = false) : EndToEnd(time) {
    config.orchestrator.speak_errors = speaks_errors;
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

TEST_CASE("C-4 ask: the default session waits too, and only until it is answered") {
  Shop run(sell_one);
  Conversation talk(run.assistant());
  run.say(talk, "sell me coffee");
  const auto& sessions = run.assistant().orchestrator().sessions();
  REQUIRE(sessions.current()->response_mode);
  CHECK(sessions.current()->response_mode->skill_id == "shop.test");
  CHECK(run.say(talk, "small").speech_text() == "coffee: small");
  CHECK_FALSE(sessions.current()->response_mode);
  CHECK(run.say(talk, "what time is it").speech_text() == "noon");
}

TEST_CASE("C-4 ask: silence is told to the handler when the time is over, and a late answer is nobody's") {
  Shop run(sell_one);
  for (const char* const id : {"s", "default"}) {
    CAPTURE(id);
    Conversation talk(run.assistant(), is_default_session(id) ? nullptr : session(id));
    run.say(talk, "sell me coffee");
    run.heard.clear();
    run.assistant().run_for(19s);
    CHECK(run.spoken().empty());
    run.assistant().run_for(2s);
    CHECK(run.spoken() == Words{"coffee: silence"});
    CHECK(run.count("ovos.utterance.handled") == 1);
    const TurnResult late = run.say(talk, "a big one");
    CHECK(late.intent_name != "response");
    CHECK(run.say(talk, "what time is it").speech_text() == "noon");
  }
}

TEST_CASE("C-4 ask: 'never mind' takes the question back, in the language of the answer") {
  Shop run(sell_one);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  CHECK(run.say(talk, "Never mind!").speech_text() == "coffee: cancelled");
  run.say(talk, "sell me coffee");
  CHECK(run.say(talk, "cancel my subscription").speech_text() == "coffee: cancel my subscription");
}

TEST_CASE("C-4 ask: asked again after silence, with the retry phrase, as often as wanted") {
  Shop run([](Turn turn) -> Task<> {
    AskOptions options;
    options.timeout = 5s;
    options.retries = 2;
    options.retry = "again";
    const auto size = co_await turn.ask("size", Slots(), options);
    turn.speak(said_of(size));
  });
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  run.heard.clear();
  run.assistant().run_for(16s);
  CHECK(run.spoken() == Words{"Small or big?", "Small or big?", "silence"});
}

TEST_CASE("C-4 ask: a second question of the session replaces the first, whose handler learns of it") {
  Shop run(sell_one);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  run.heard.clear();
  // A client that has not kept what it was sent: nobody waits as far as it knows (S-4).
  Conversation forgetful(run.assistant(), session("s"));
  run.say(forgetful, "sell me coffee");
  CHECK(run.spoken() == Words{"Which size?", "coffee: replaced"});
  run.heard.clear();
  CHECK(run.say(forgetful, "big").speech_text() == "coffee: big");
  CHECK(run.count("ovos.utterance.handled") == 2);
}

TEST_CASE("C-4 ask: other sessions and other handlers of the session go on meanwhile") {
  Shop run(sell_one);
  Conversation one(run.assistant(), session("one"));
  Conversation two(run.assistant(), session("two"));
  run.say(one, "sell me coffee");
  CHECK(run.say(two, "what time is it").speech_text() == "noon");
  run.say(two, "sell me coffee");
  Conversation same(run.assistant(), session("one"));
  CHECK(run.say(same, "what time is it").speech_text() == "noon");
  CHECK(run.say(two, "tiny").speech_text() == "coffee: tiny");
  CHECK(run.say(one, "huge").speech_text() == "coffee: huge");
}

TEST_CASE("D-6 the handler bound stands still while the user is to answer") {
  Shop run([](Turn turn) -> Task<> {
    co_await turn.sleep(50s);
    AskOptions patient;
    patient.timeout = 100s;
    const Duration before = turn.remaining();
    const auto size = co_await turn.ask("size", Slots(), patient);
    CHECK(before == 10s);
    CHECK(turn.remaining() == 10s);
    co_await turn.sleep(9s);
    turn.speak("coffee: " + said_of(size));
    co_await turn.sleep(2s);
    turn.speak("never said");
  });
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  run.assistant().run_for(90s);
  const TurnResult result = run.say(talk, "big");
  CHECK(result.speech_text() == "coffee: big");
  CHECK(result.status == TurnStatus::kError);
  CHECK(contains(result.error, "timeout"));
}

TEST_CASE("C-4 ask: a turn that waits for the user takes no place from those that run") {
  EndToEnd run;
  run.config.orchestrator.max_in_flight = 1;
  run.locale("shop.test", "en-US/sell.intent", "sell me coffee\n");
  run.locale("shop.test", "en-US/size.dialog", "Which size?\n");
  run.skill("shop.test", [](LambdaSkill& skill) { skill.on_intent("sell", sell_one); });
  run.start();
  Conversation one(run.assistant(), session("one"));
  Conversation two(run.assistant(), session("two"));
  run.say(one, "sell me coffee");
  run.say(two, "sell me coffee");
  CHECK(run.say(one, "big").speech_text() == "coffee: big");
  CHECK(run.say(two, "small").speech_text() == "coffee: small");
}

TEST_CASE("D-8 ask: the handler goes on with the session the answer came in, and what it changed itself") {
  Shop run([](Turn turn) -> Task<> {
    turn.change_session([](Session& mine) { mine.persona_id = "barista"; });
    const auto size = co_await turn.ask("size");
    CHECK(turn.session()->site_id == "balcony");
    CHECK(turn.session()->persona_id == "barista");
    CHECK_FALSE(turn.session()->response_mode);
    turn.speak(said_of(size));
  });
  for (const char* const id : {"s", "default"}) {
    CAPTURE(id);
    Conversation talk(run.assistant(), session(id));
    run.say(talk, "sell me coffee");
    auto moved = *talk.session();
    moved.site_id = "balcony";
    talk.set_session(std::make_shared<const Session>(moved));
    const TurnResult result = run.say(talk, "big");
    CHECK(result.session->site_id == "balcony");
    CHECK(result.session->persona_id == "barista");
    CHECK_FALSE(result.session->response_mode);
  }
}

TEST_CASE("C-4 ask: an answer nobody waits for any more is an error that says so, to the user, too") {
  Shop run(sell_one, EndToEnd::Time::kJumping, true);
  Session stale("s");
  stale.converse_handlers = {ActiveHandler("shop.test", 2e9)};
  stale.response_mode = ResponseMode("shop.test", 9e9);
  const TurnResult result = run.say("big", std::make_shared<const Session>(stale));
  CHECK(result.status == TurnStatus::kError);
  CHECK(result.error == "the skill 'shop.test' does not wait for an answer in session 's' (any more)");
  CHECK(result.speech_text() ==
        "I don't know any more what I asked you. Please tell me again what you want.");
  stale.output_lang = "de-DE";
  CHECK(run.say("groß", std::make_shared<const Session>(stale), "de-DE").speech_text() ==
        "Ich weiß nicht mehr, was ich gefragt habe. Bitte sag noch einmal, was du möchtest.");
}

TEST_CASE("asking: who waits for the user at the end is told once, however long the handler takes to end") {
  Shop run(sell_one);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  run.heard.clear();
  for (int look = 0; look < 3; ++look) run.assistant().interrupt_questions();
  run.assistant().run_for(1s);
  CHECK(run.count("ovos.utterance.handled") == 1);
  REQUIRE(run.spoken().size() == 1);
  CHECK(run.spoken().front() == "Sorry, I have to stop here. Please ask me again in a moment.");
}

TEST_CASE("C-4 ask: the unloading of the skill withdraws the question and ends the turn") {
  Shop run(sell_one);
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  run.heard.clear();
  CHECK(run.unload("shop.test"));
  CHECK(run.count("ovos.intent.handler.error") == 1);
  CHECK(run.count("ovos.utterance.handled") == 1);
  CHECK(run.spoken().empty());
}

TEST_CASE("confirm: yes and no by vocabulary, asked again when it was neither") {
  Shop run([](Turn turn) -> Task<> {
    const Confirmation sure = co_await turn.confirm("sure");
    turn.speak(sure.yes()                             ? "yes"
               : sure.no()                            ? "no"
               : sure.end() == AskEnd::kNotUnderstood ? "what"
                                                      : "none");
  });
  for (const auto& row : std::vector<std::pair<std::string, std::string>>{{"yes please", "yes"},
                                                                          {"Sure, why not", "yes"},
                                                                          {"no thanks", "no"},
                                                                          {"nope", "no"},
                                                                          {"cancel", "none"}}) {
    const auto& answer = row.first;
    const auto& outcome = row.second;
    CAPTURE(answer);
    Conversation talk(run.assistant(), session("s"));
    run.say(talk, "sell me coffee");
    CHECK(run.say(talk, answer).speech_text() == outcome);
  }
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  CHECK(run.say(talk, "perhaps").speech_text() == "Are you sure?");
  CHECK(run.say(talk, "yes and no").speech_text() == "what");
  Session german("g");
  german.lang = "de-DE";
  Conversation auf_deutsch(run.assistant(), std::make_shared<const Session>(german));
  run.say(auf_deutsch, "kaffee bitte");
  CHECK(run.say(auf_deutsch, "na klar").speech_text() == "yes");
}

TEST_CASE("choose: by name, by number, or the last one") {
  Shop run([](Turn turn) -> Task<> {
    std::vector<std::string> sizes{"small", "big", "big with milk"};
    const auto size = co_await turn.choose("size", sizes);
    turn.speak(size ? std::to_string(*size) : "none");
  });
  for (const auto& row : std::vector<std::pair<std::string, std::string>>{{"the small one", "0"},
                                                                          {"Big", "1"},
                                                                          {"a big with milk please", "2"},
                                                                          {"milk", "2"},
                                                                          {"the second one", "1"},
                                                                          {"number three", "2"},
                                                                          {"2", "1"},
                                                                          {"the last one", "2"},
                                                                          {"first", "0"}}) {
    const auto& answer = row.first;
    const auto& outcome = row.second;
    CAPTURE(answer);
    Conversation talk(run.assistant(), session("s"));
    run.say(talk, "sell me coffee");
    CHECK(run.say(talk, answer).speech_text() == outcome);
  }
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "sell me coffee");
  CHECK(run.say(talk, "the ninth").speech_text() == "Which size?");
  CHECK(run.say(talk, "blue").speech_text() == "none");
  Session german("g");
  german.lang = "de-DE";
  Conversation auf_deutsch(run.assistant(), std::make_shared<const Session>(german));
  run.say(auf_deutsch, "kaffee bitte");
  CHECK(run.say(auf_deutsch, "die zweite").speech_text() == "1");
}

TEST_CASE("ask: what is wrong with the question is the handler's error") {
  Shop run([](Turn turn) -> Task<> {
    if (turn.session_id() == "unknown") {
      co_await turn.ask("nonsense");
    } else {
      AskOptions hasty;
      hasty.timeout = 0s;
      co_await turn.ask("size", Slots(), hasty);
    }
  });
  CHECK(contains(run.say("sell me coffee", session("unknown")).error, "nonsense"));
  CHECK(run.say("sell me coffee", session("hasty")).error == "a question needs a timeout above zero");
}

TEST_CASE("C-4 ask: with real threads the answer reaches the handler, too") {
  Shop run(sell_one, EndToEnd::Time::kReal);
  Conversation talk(run.assistant(), session("s"));
  for (int i = 0; i < 20; ++i) {
    CHECK(run.say(talk, "sell me coffee").speech_text() == "Which size?");
    CHECK(run.say(talk, "big").speech_text() == "coffee: big");
  }
}
