#include <chrono>

#include "orchestrator/orchestrator.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

using namespace std::chrono_literals;
/// What was on the bus: `[[type, data], …]`.
Json transcript(const TestAssistant& test) {
  Json lines = Json::array();
  for (const auto& message : test.heard) lines.push_back({message.type(), message.data()});
  return lines;
}

}  // namespace

TEST_CASE("U-8 match: session, announcement, dispatch, trio and end come in this order") {
  TestAssistant test;
  test.stage_at_once("first", [](const MatchRequest& request) {
    Match match("coffee.test", "brew", request.lang(), request.utterance());
    match.slots = {{"size", "large"}};
    auto session = std::make_shared<Session>(request.session());
    session->persona_id = "barista";
    match.updated_session = session;
    return std::optional(match);
  });
  test.handler("coffee.test", "brew", does([](Turn& turn) { turn.speak("coming up"); }));
  test.start();
  test.send(utterance_message("a large coffee", kitchen(), "u1"));

  const Json about = {{"skill_id", "coffee.test"}, {"intent_name", "brew"}};
  Json matched = {{"lang", "en-US"}, {"utterance", "a large coffee"}, {"slots", {{"size", "large"}}}};
  const Json dispatched = matched;
  matched.update(about);
  matched["pipeline_id"] = "first";
  const Json expected = Json::array({
      Json::array({"ovos.utterance.handle", Json{{"utterances", {"a large coffee"}}}}),
      Json::array({"ovos.intent.matched", matched}),
      Json::array({"coffee.test:brew", dispatched}),
      Json::array({"ovos.intent.handler.start", about}),
      Json::array({"ovos.utterance.speak", Json{{"utterance", "coming up"}, {"lang", "en-US"}}}),
      Json::array({"ovos.intent.handler.complete", about}),
      Json::array({"ovos.utterance.handled", Json::object()}),
  });
  CHECK(transcript(test) == expected);
  for (std::size_t i = 1; i < test.heard.size(); ++i) {
    CAPTURE(test.heard[i].type());
    CHECK(test.heard[i].context().utterance_id == "u1");
    CHECK(test.heard[i].context().session->persona_id == "barista");
  }
  CHECK(test.one("ovos.intent.matched").context().destination.empty());
}

TEST_CASE("U-8 no match: unmatched is followed by handled at once, whatever somebody makes of it") {
  TestAssistant test;
  LambdaStage* self = nullptr;
  self = &test.stage("slow", [&self](MatchRequest) -> Task<std::optional<Match>> {
    co_await self->services().sleep(1s);
    co_return std::nullopt;
  });
  test.config.language.enabled = {"en-US", "de-DE"};
  test.start();
  const auto reaction = test.bus().subscribe("ovos.intent.unmatched", [&](const Message& message) {
    test.bus().publish(message.forward("test.reaction", Json::object()));
  });
  const Json said = {{"utterances", {"hm", "ahem"}}, {"lang", "de-DE"}};
  test.send(utterance_message(said, kitchen()));
  test.run();
  const Json expected = Json::array({
      Json::array({"ovos.utterance.handle", said}),
      Json::array({"ovos.intent.unmatched", said}),
      Json::array({"ovos.utterance.handled", Json::object()}),
      Json::array({"test.reaction", Json::object()}),
  });
  CHECK(transcript(test) == expected);
}

TEST_CASE("U-8 the end: handled and unmatched are replies of the entry, the announcement is for everybody") {
  TestAssistant test;
  test.stage_at_once("one", [](const MatchRequest& request) {
    if (request.utterance() == "nonsense") return std::optional<Match>();
    return std::optional(Match("coffee.test", "brew", request.lang(), request.utterance()));
  });
  test.handler("coffee.test", "brew", does([](Turn&) {}));
  test.start();
  for (const char* text : {"nonsense", "coffee"}) {
    CAPTURE(text);
    test.heard.clear();
    Context context;
    context.source = "kitchen satellite";
    context.destination = {"core"};
    context.session = kitchen();
    test.send(Message("ovos.utterance.handle", Json{{"utterances", {text}}}, std::move(context)));
    test.run();
    for (const char* topic : {"ovos.intent.unmatched", "ovos.utterance.handled"}) {
      for (const auto& message : test.all(topic)) {
        CHECK(message.context().source == "core");
        CHECK(message.context().destination == Names{"kitchen satellite"});
        CHECK(message.session_id() == "kitchen");
      }
    }
    CHECK(test.count("ovos.utterance.handled") == 1);
    for (const auto& message : test.all("ovos.intent.matched")) CHECK(message.context().destination.empty());
  }
}

TEST_CASE("U-8 no match: unmatched carries the resolved language, not what was asked for") {
  TestAssistant test;
  test.start();
  test.send(utterance_message(Json{{"utterances", {"hm"}}, {"lang", "it-IT"}}, kitchen()));
  CHECK(test.one("ovos.intent.unmatched").text("lang") == "en-US");
}

TEST_CASE("U-1 handled: exactly one on every path, with the final session") {
  TestAssistant test;
  test.config.orchestrator.handler_timeout = 30s;
  test.stage_at_once("stage", [](const MatchRequest& request) {
    const std::string& said = request.utterance();
    if (said == "nonsense") return std::optional<Match>();
    return std::optional(Match("some.skill", said, request.lang(), said));
  });
  const auto leaves_mark = [](Turn& turn) { turn.change_session([](Session& s) { s.site_id = "seen"; }); };
  test.handler("some.skill", "works", does(leaves_mark));
  test.handler("some.skill", "raises", does([leaves_mark](Turn& turn) {
                 leaves_mark(turn);
                 throw std::runtime_error("no water");
               }));
  test.handler("some.skill", "gives_up", does([leaves_mark](Turn& turn) {
                 leaves_mark(turn);
                 throw Cancelled("enough");
               }));
  test.handler("some.skill", "hangs", [](Turn turn) -> Task<> { co_await turn.sleep(1h); });
  test.start();

  const auto last = [&](const std::string& said) {
    test.heard.clear();
    const TurnResult result = test.say(said, kitchen());
    test.run_for(2h);
    CHECK(test.count("ovos.utterance.handled") == 1);
    CHECK(test.one("ovos.utterance.handled").session_id() == "kitchen");
    return result;
  };
  SUBCASE("completed") {
    const auto result = last("works");
    CHECK(result.status == TurnStatus::kAnswered);
    CHECK(result.session->site_id == "seen");
  }
  SUBCASE("raised") {
    const auto result = last("raises");
    CHECK(result.status == TurnStatus::kError);
    CHECK(result.session->site_id == "seen");
  }
  SUBCASE("cancelled by itself") {
    CHECK(last("gives_up").status == TurnStatus::kCancelled);
  }
  SUBCASE("timed out") {
    CHECK(last("hangs").error.find("timeout") == 0);
  }
  SUBCASE("unmatched") {
    CHECK(last("nonsense").status == TurnStatus::kUnmatched);
  }
  SUBCASE("the intent has no handler") {
    CHECK(last("unheard_of").status == TurnStatus::kError);
  }
}

TEST_CASE("U-1 handled: the end of the assistant ends turns in every phase, waiting ones included") {
  TestAssistant test;
  test.config.orchestrator.max_in_flight = 2;
  LambdaStage* self = nullptr;
  self = &test.stage("stage", [&self](MatchRequest request) -> Task<std::optional<Match>> {
    if (request.utterance() == "ask") co_await self->services().sleep(5s);
    co_return Match("some.skill", "hangs", request.lang(), request.utterance());
  });
  test.handler("some.skill", "hangs", [](Turn turn) -> Task<> { co_await turn.sleep(1h); });
  test.start();
  test.send(utterance_message("ask", nullptr, "asking"));
  test.send(utterance_message("run", nullptr, "running"));
  test.send(utterance_message("run", nullptr, "waiting"));
  CHECK(test.count("ovos.utterance.handled") == 0);
  test.core().stop();

  Names ended;
  for (const auto& message : test.all("ovos.utterance.handled"))
    ended.push_back(message.context().utterance_id);
  std::sort(ended.begin(), ended.end());
  CHECK(ended == Names{"asking", "running", "waiting"});
  CHECK(test.one("ovos.intent.handler.start").context().utterance_id == "running");
  CHECK(test.one("ovos.intent.handler.error").context().utterance_id == "running");
  CHECK(test.core().orchestrator().in_flight() == 0);
}

TEST_CASE("U-6 two utterances of a session: the second is done while the first is being matched or handled") {
  TestAssistant test;
  LambdaStage* self = nullptr;
  self = &test.stage("stage", [&self](MatchRequest request) -> Task<std::optional<Match>> {
    if (request.utterance() == "think") co_await self->services().sleep(5s);
    co_return Match("some.skill", request.utterance() == "quick" ? "quick" : "slow", request.lang(),
                    request.utterance());
  });
  test.handler("some.skill", "quick", does([](Turn& turn) { turn.speak("quick"); }));
  test.handler("some.skill", "slow", [](Turn turn) -> Task<> {
    co_await turn.sleep(5s);
    turn.speak("slow");
  });
  test.start();
  SUBCASE("being matched") {
    test.send(utterance_message("think", kitchen(), "first"));
  }
  SUBCASE("being handled") {
    test.send(utterance_message("work", kitchen(), "first"));
  }
  test.send(utterance_message("quick", kitchen(), "second"));
  CHECK(test.one("ovos.utterance.handled").context().utterance_id == "second");
  CHECK(test.one("ovos.utterance.speak").text("utterance") == "quick");
  test.run();
  CHECK(test.count("ovos.utterance.handled") == 2);
  CHECK(test.heard.back().context().utterance_id == "first");
}

TEST_CASE("U-6 replies to a poll reach a stage while utterances come in") {
  TestAssistant test;
  LambdaStage* self = nullptr;
  self = &test.stage("asking", [&self](MatchRequest request) -> Task<std::optional<Match>> {
    if (request.utterance() != "poll") co_return std::nullopt;
    PollRequest poll(request.message().reply("test.ping", Json::object()), "test.pong", 5s);
    poll.judge = [](const Message&) { return PollVerdict::kClose; };
    const PollResult result = co_await self->services().poll(std::move(poll));
    if (result.timed_out) co_return std::nullopt;
    co_return Match("some.skill", "go", request.lang(), result.answers.front().message.text("word"));
  });
  test.handler("some.skill", "go", does([](Turn& turn) { turn.speak(turn.text()); }));
  test.start();
  test.send(utterance_message("poll", kitchen(), "first"));
  test.send(utterance_message("other", kitchen(), "second"));
  CHECK(test.one("ovos.utterance.handled").context().utterance_id == "second");
  test.send(test.one("test.ping").reply("test.pong", {{"word", "heard"}}));
  CHECK(test.one("ovos.utterance.speak").text("utterance") == "heard");
}

TEST_CASE("U-6 more utterances than may be under way wait, and come to their end in their order") {
  TestAssistant test;
  test.config.orchestrator.max_in_flight = 2;
  test.stage_at_once("stage", claims("some.skill", "go"));
  test.handler("some.skill", "go", [](Turn turn) -> Task<> { co_await turn.sleep(1s); });
  test.start();
  for (const char* id : {"a", "b", "c", "d", "e"}) test.send(utterance_message("hello", kitchen(), id));
  CHECK(test.core().orchestrator().in_flight() == 2);
  CHECK(test.count("ovos.intent.matched") == 2);
  CHECK(test.core().counters().of("parley_utterances_delayed_total") == 3);
  test.run();
  Names order;
  for (const auto& message : test.all("ovos.utterance.handled"))
    order.push_back(message.context().utterance_id);
  CHECK(order == Names{"a", "b", "c", "d", "e"});
  CHECK(test.core().orchestrator().in_flight() == 0);
}

TEST_CASE("U-7 utterances: what is no text or blank is dropped, the rest keeps its order") {
  TestAssistant test;
  std::vector<Names> asked;
  test.stage_at_once("stage", [&](const MatchRequest& request) {
    asked.push_back(request.utterances());
    return std::optional<Match>();
  });
  test.start();
  test.send(utterance_message(Json{{"utterances", {"", 7, "one", nullptr, " \t\n", "two", {"three"}}}}));
  CHECK(asked == std::vector<Names>{{"one", "two"}});
  CHECK(test.one("ovos.intent.unmatched").data().at("utterances") == Json{"one", "two"});
}

TEST_CASE("U-7 utterances: with nothing left no stage is asked, and the utterance is unmatched") {
  TestAssistant test;
  int asked = 0;
  test.stage_at_once("stage", [&](const MatchRequest&) {
    ++asked;
    return std::optional<Match>();
  });
  test.start();
  Json data;
  SUBCASE("an empty list") {
    data = {{"utterances", Json::array()}};
  }
  SUBCASE("only blanks") {
    data = {{"utterances", {"", "  "}}};
  }
  SUBCASE("only what is no text") {
    data = {{"utterances", {1, nullptr, true}}};
  }
  SUBCASE("missing") {
    data = Json::object();
  }
  SUBCASE("a text") {
    data = {{"utterances", "hello"}};
  }
  SUBCASE("null") {
    data = {{"utterances", nullptr}};
  }
  SUBCASE("an object") {
    data = {{"utterances", {{"0", "hello"}}}};
  }
  test.send(utterance_message(data, kitchen()));
  CHECK(asked == 0);
  CHECK(test.topics() == Names{"ovos.utterance.handle", "ovos.intent.unmatched", "ovos.utterance.handled"});
  CHECK(test.one("ovos.intent.unmatched").data() == Json{{"utterances", Json::array()}, {"lang", "en-US"}});
}

}  // namespace parley::testing
