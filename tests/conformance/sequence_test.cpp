// Several parts in one match, and handlers that have no answer (U-9, U-10).
#include <chrono>

#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

using namespace std::chrono_literals;

/// Claims "brew", then "pour", then "serve".
std::optional<Match> three_parts(const MatchRequest& request) {
  Match first("tea.test", "brew", request.lang(), "brew it");
  first.then.emplace_back("tea.test", "pour", request.lang(), "pour it");
  first.then.emplace_back("tea.test", "serve", request.lang(), "serve it");
  first.then.front().slots["cup"] = "red";
  return first;
}

/// A skill of three handlers, each of which says what was said to it.
struct TeaParty : TestAssistant {
  explicit TeaParty(Handler pour = echoes()) {
    stage_at_once("parts", three_parts);
    handler("tea.test", "brew", echoes());
    handler("tea.test", "pour", std::move(pour));
    handler("tea.test", "serve", echoes());
    start();
  }
  Names intents_of(std::string_view topic) const {
    Names names;
    for (const Message& message : all(topic)) names.push_back(message.text("intent_name"));
    return names;
  }
};

const Names kAll{"brew", "pour", "serve"};

}  // namespace

TEST_CASE("U-9 sequence: each part has its own match, dispatch and trio, in order, and one handled ends it") {
  TeaParty party;
  const TurnResult result = party.say("brew, pour and serve");
  CHECK(result.speech_text() == "brew it pour it serve it");
  CHECK(result.intent_name == "brew");
  CHECK(result.status == TurnStatus::kAnswered);
  for (const char* topic :
       {"ovos.intent.matched", "ovos.intent.handler.start", "ovos.intent.handler.complete"}) {
    CAPTURE(topic);
    CHECK(party.intents_of(topic) == kAll);
  }
  CHECK(party.one("tea.test:pour").data().at("slots") == Json{{"cup", "red"}});
  CHECK(party.count("ovos.utterance.handled") == 1);
  CHECK(party.heard.back().type() == "ovos.utterance.handled");
}

TEST_CASE("U-9 sequence: the next part begins when the one before has completed") {
  TeaParty party([](Turn turn) -> Task<> {
    co_await turn.sleep(5s);
    turn.speak("poured");
  });
  CHECK(party.say("all").speech_text() == "brew it poured serve it");
}

TEST_CASE("U-9 sequence: a part that fails, or has no answer, ends the rest") {
  SUBCASE("fails") {
    TeaParty party(does([](Turn&) { throw std::runtime_error("no water"); }));
    const TurnResult result = party.say("all");
    CHECK(result.status == TurnStatus::kError);
    CHECK(result.speech_text() == "brew it");
    CHECK(party.count("tea.test:serve") == 0);
    CHECK(party.count("ovos.utterance.handled") == 1);
  }
  SUBCASE("has no answer") {
    TeaParty party(does([](Turn& turn) { turn.not_understood(); }));
    CHECK(party.say("all").status == TurnStatus::kUnmatched);
    CHECK(party.count("tea.test:serve") == 0);
  }
  SUBCASE("is stopped") {
    TeaParty party([](Turn turn) -> Task<> { co_await turn.sleep(1h); });
    party.send(utterance_message("all", kitchen()));
    party.run_for(1s);
    Context context;
    context.session = kitchen();
    party.send(Message("ovos.stop", Json::object(), std::move(context)));
    party.run_for(1s);
    CHECK(party.count("ovos.intent.handler.error") == 1);
    CHECK(party.count("tea.test:serve") == 0);
    CHECK(party.count("ovos.utterance.handled") == 1);
  }
}

TEST_CASE("U-9 sequence: every part passes the guards, else the match is a decline") {
  TeaParty party;
  const auto session = session_of({{"session_id", "s"}, {"blacklisted_intents", {"tea.test:serve"}}});
  CHECK(party.say("all", session).status == TurnStatus::kUnmatched);
  CHECK(party.count("tea.test:brew") == 0);
  CHECK(party.count("ovos.intent.unmatched") == 1);
}

TEST_CASE("U-9 sequence: one with more parts than it may have is a decline") {
  TestAssistant test;
  test.stage_at_once("parts", [](const MatchRequest& request) {
    Match first("tea.test", "brew", request.lang(), "brew it");
    for (std::size_t i = 0; i < Match::kMostParts; ++i)
      first.then.emplace_back("tea.test", "brew", request.lang(), "brew it");
    return std::optional(first);
  });
  test.handler("tea.test", "brew", echoes());
  test.start();
  CHECK(test.say("often").status == TurnStatus::kUnmatched);
}

TEST_CASE(
    "U-10 not understood: it is heard, the report and the outcome say unmatched, and nothing else does") {
  TestAssistant test;
  test.stage_at_once("all", claims("shrug.test", "shrug"));
  test.handler("shrug.test", "shrug", does([](Turn& turn) {
                 turn.not_understood();
                 turn.speak("no idea");
               }));
  test.start();
  const TurnResult result = test.say("flurb");
  CHECK(result.status == TurnStatus::kUnmatched);
  CHECK(result.speech_text() == "no idea");
  CHECK(result.skill_id == "shrug.test");
  CHECK(test.one("ovos.intent.handler.complete").text("outcome") == "unmatched");
  CHECK(test.count("ovos.intent.unmatched") == 0);
  CHECK(test.count("ovos.utterance.handled") == 1);
}

TEST_CASE("a handler that throws says so in the language of the session, if it is to") {
  for (const bool speaks : {true, false}) {
    TestAssistant test;
    test.config.orchestrator.speak_errors = speaks;
    test.config.language.enabled = {"en-US", "de-DE"};
    test.stage_at_once("all", claims("sad.test", "cry"));
    test.handler("sad.test", "cry", does([](Turn&) { throw std::runtime_error("no water"); }));
    test.start();
    const TurnResult result = test.say("cry", session_of({{"session_id", "s"}, {"lang", "de-DE"}}));
    CHECK(result.status == TurnStatus::kError);
    CHECK(result.speech_text() == (speaks ? "Da ist leider etwas schiefgegangen." : ""));
  }
}

TEST_CASE("a handler that throws says it in the skill's own words where it has any") {
  TestAssistant test;
  test.config.orchestrator.speak_errors = true;
  test.locale("sad.test", "en-US/error.dialog", "the kettle is broken\n");
  test.stage_at_once("all", claims("sad.test", "cry"));
  test.handler("sad.test", "cry", does([](Turn&) { throw std::runtime_error("no water"); }));
  test.start();
  CHECK(test.say("cry").speech_text() == "the kettle is broken");
}

}  // namespace parley::testing
