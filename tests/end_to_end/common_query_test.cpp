// The contest about questions of fact (section Q; OVOS-COMMON-QUERY-1, section 14), through a whole
// assistant.
#include <doctest/doctest.h>

#include "support/quiz.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

std::string counter(const std::string& what) {
  return "parley_stage_" + what + "_answers_total{stage=\"common_query\"}";
}

}  // namespace

TEST_CASE(
    "Q-6 s14 the plugin pings everyone, asks the claimants and speaks the best answer as its own match") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.knows("guess.test", "Lyon.", 0.6);
  run.start();
  const TurnResult result = run.say(kQuestion, session("s"));
  CHECK(result.speech_text() == "Paris.");
  CHECK(result.skill_id == "common_query");
  CHECK(result.intent_name == "common_query");
  CHECK(run.elapsed() == 0s);
  CHECK(run.claimed == Names{"atlas.test: what is the capital of france in en-US",
                             "guess.test: what is the capital of france in en-US"});
  CHECK(run.count("ovos.common_query.ping") == 1);
  CHECK(run.count("ovos.intent.handler.start") == 1);  // section 7.1: none for the requests
  for (const auto& message : run.heard) {
    CAPTURE(message.type());
    if (message.type() == "ovos.common_query.ping" || message.type() == "atlas.test:common_query") {
      CHECK(message.data() == Json{{"utterance", kQuestion}, {"lang", "en-US"}});
      CHECK(message.context().destination.empty() == (message.type() == "ovos.common_query.ping"));
    }
    if (message.type() == "ovos.common_query.pong") CHECK(message.data().at("utterance") == kQuestion);
    if (message.type() == "atlas.test.common_query.response") {
      CHECK(message.data() ==
            Json{{"utterance", kQuestion}, {"skill_id", "atlas.test"}, {"answer", "Paris."}, {"conf", 0.8}});
    }
    if (message.type() == "common_query:common_query")
      CHECK(message.data().at("slots") == Json{{"answer", "Paris."}});
  }
}

TEST_CASE("s14 the session is not touched: neither list of handlers grows") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.start();
  const TurnResult result = run.say(kQuestion, session("s"));
  CHECK_FALSE(result.session->active_handlers);
  CHECK_FALSE(result.session->converse_handlers);
}

TEST_CASE("s14 nobody claims, all decline, nobody is confident enough: none, and fallback is reached") {
  Quiz run;
  SUBCASE("nobody claims") {}
  SUBCASE("all decline") {
    run.knows("atlas.test", "", 0.8);
  }
  SUBCASE("below the least confidence") {
    run.knows("atlas.test", "Paris.", 0.49);
  }
  run.skill("last.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        90, [](const Query&) { return true; }, does([](Turn& turn) { turn.speak("no idea"); }));
  });
  run.start();
  CHECK(run.say(kQuestion).speech_text() == "no idea");
  CHECK(run.elapsed() == 0s);
}

TEST_CASE(
    "Q-7 the least confidence is inclusive, and the first answer at the fast-win mark ends the contest") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.5, 1s);
  run.start();
  CHECK(run.say(kQuestion).speech_text() == "Paris.");
  Quiz fast;
  fast.knows("slow.test", "Lyon.", 1.0, 2s);
  fast.knows("sure.test", "Paris.", 0.9, 1s);
  fast.start();
  CHECK(fast.say(kQuestion).speech_text() == "Paris.");
  CHECK(fast.elapsed() == 1s);
}

TEST_CASE("Q-7 the poll is open until all who may know have spoken, or its ceiling") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.start();
  SUBCASE("a remote skill that stays silent") {
    run.remote("silent.test", nullptr, nullptr);
    CHECK(run.say(kQuestion).speech_text() == "Paris.");
    CHECK(run.elapsed() == 500ms);
    CHECK(run.assistant().counters().of(
              "parley_stage_silent_total{stage=\"common_query\",skill=\"silent.test\"}") == 1);
  }
  SUBCASE("a remote skill that says no") {
    run.remote("no.test", {{"utterance", kQuestion}, {"skill_id", "no.test"}, {"can_answer", false}},
               nullptr);
    CHECK(run.say(kQuestion).speech_text() == "Paris.");
    CHECK(run.elapsed() == 0s);
  }
  SUBCASE("a remote skill that claims") {
    run.remote_knows("far.test", "Paris, of course.", 0.85);
    CHECK(run.say(kQuestion).speech_text() == "Paris, of course.");
    CHECK(run.elapsed() == 0s);
  }
}

TEST_CASE(
    "Q-7 s14 the window is the slowest latency and the slack when all gave one, and closes with a survivor") {
  Quiz run;
  run.knows("quick.test", "Paris.", 0.6, 200ms);
  run.knows("liar.test", "Lyon.", 0.8, 4s, false);
  run.start();
  CHECK(run.say(kQuestion).speech_text() == "Paris.");
  CHECK(run.elapsed() == 300ms);  // 200 ms and the slack: the other one said it would be quick
}

TEST_CASE("Q-7 without any survivor the window extends to the ceiling, and what comes by then counts") {
  Quiz run;
  run.knows("liar.test", "Paris.", 0.8, 4s, false);
  run.start();
  CHECK(run.say(kQuestion).speech_text() == "Paris.");
  CHECK(run.elapsed() == 4s);
}

TEST_CASE("s14 a claimant that never answers is one that declines at the ceiling") {
  Quiz run;
  run.start();
  run.remote("mute.test",
             {{"utterance", kQuestion}, {"skill_id", "mute.test"}, {"can_answer", true}, {"latency_ms", 10}},
             nullptr);
  CHECK(run.say(kQuestion).status == TurnStatus::kUnmatched);
  CHECK(run.elapsed() == 5s);
}

TEST_CASE("Q-2 malformed responses are declines, they and strays are discarded and counted") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.6, 100ms);
  run.start();
  const Json claim = {
      {"utterance", kQuestion}, {"skill_id", "far.test"}, {"can_answer", true}, {"latency_ms", 50}};
  Json response = {{"utterance", kQuestion}, {"skill_id", "far.test"}, {"answer", "Lyon."}, {"conf", 0.8}};
  Duration expected = 100ms;
  std::uint64_t strays = 0;
  std::uint64_t malformed = 1;
  SUBCASE("without conf") {
    response.erase("conf");
  }
  SUBCASE("conf above one") {
    response["conf"] = 1.5;
  }
  SUBCASE("conf in words") {
    response["conf"] = "high";
  }
  SUBCASE("a blank answer") {
    response["answer"] = "  ";
  }
  SUBCASE("an answer in numbers") {
    response["answer"] = 42;
  }
  SUBCASE("no answer") {
    response.erase("answer");
    malformed = 0;
  }
  SUBCASE("for another utterance") {
    response["utterance"] = "what is the capital of spain";
    expected = 200ms;  // it is waited for in vain: the window of its latency and the slack
    strays = 1;
    malformed = 0;
  }
  SUBCASE("by somebody else") {
    response["skill_id"] = "other.test";
    expected = 200ms;
    strays = 1;
    malformed = 0;
  }
  run.remote("far.test", claim, response);
  CHECK(run.say(kQuestion).speech_text() == "Paris.");
  CHECK(run.elapsed() == expected);
  CHECK(run.assistant().counters().of(counter("stray")) == strays);
  CHECK(run.assistant().counters().of(counter("malformed")) == malformed);
}

TEST_CASE(
    "Q-2 what comes twice, unasked or after the poll or the collection is over is discarded and counted") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.6, 100ms);
  run.start();
  run.assistant().bus().presence().arrive("far.test", Presence::kRemote);
  const auto strays = [&] { return run.assistant().counters().of(counter("stray")); };
  const Json claim = {
      {"utterance", kQuestion}, {"skill_id", "far.test"}, {"can_answer", true}, {"latency_ms", 50}};
  const Json response = {
      {"utterance", kQuestion}, {"skill_id", "far.test"}, {"answer", "Lyon."}, {"conf", 0.95}};
  std::optional<Message> ping, request;
  run.on("ovos.common_query.ping", [&](const Message& message) { ping = message; });
  run.on("far.test:common_query", [&](const Message& message) { request = message; });
  const auto send = [&](const std::optional<Message>& to, const char* topic, const Json& data) {
    run.assistant().bus().publish(to.value().reply(topic, data));
  };

  const auto late = run.begin(kQuestion, session("s"));  // the pong comes when the poll is over
  run.assistant().run_for(550ms);
  send(ping, "ovos.common_query.pong", claim);
  CHECK(strays() == 1);
  CHECK(run.finish(late).speech_text() == "Paris.");
  send(ping, "ovos.common_query.pong", claim);  // and again when the turn is
  CHECK(strays() == 2);
  CHECK_FALSE(request);

  ping.reset();
  const auto twice = run.begin(kQuestion, session("s"));
  run.assistant().run_until([&] { return ping.has_value(); });
  send(ping, "ovos.common_query.pong", claim);
  send(ping, "ovos.common_query.pong", claim);
  CHECK(strays() == 3);
  run.assistant().run_until([&] { return request.has_value(); });
  CHECK(run.finish(twice).speech_text() == "Paris.");
  send(request, "far.test.common_query.response", response);  // the window was closed without it
  CHECK(strays() == 4);

  send(ping, "ovos.common_query.pong",
       {{"utterance", kQuestion}, {"skill_id", "nobody.test"}, {"can_answer", true}});
  CHECK(strays() == 5);
  CHECK(run.assistant().counters().of(counter("malformed")) == 0);
}

TEST_CASE("Q-2 answers that a fast win left behind are counted, and the next contest does not hear them") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.95);
  run.start();
  run.assistant().bus().presence().arrive("far.test", Presence::kRemote);
  std::optional<Message> request;
  run.on("ovos.common_query.ping", [&](const Message& ping) {
    run.assistant().bus().publish(
        ping.reply("ovos.common_query.pong",
                   {{"utterance", kQuestion}, {"skill_id", "far.test"}, {"can_answer", true}}));
  });
  run.on("far.test:common_query", [&](const Message& message) {
    if (request) {
      run.assistant().bus().publish(request->reply(
          "far.test.common_query.response",
          {{"utterance", kQuestion}, {"skill_id", "far.test"}, {"answer", "Lyon."}, {"conf", 1}}));
    }
    request = message;
  });
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Paris.");
  CHECK(run.assistant().counters().of(counter("stray")) == 0);
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Paris.");
  CHECK(run.assistant().counters().of(counter("stray")) == 1);
}

TEST_CASE("Q-1 answers of another session or another turn are not heard") {
  Quiz run;
  run.start();
  run.remote("far.test", {{"utterance", kQuestion}, {"skill_id", "far.test"}, {"can_answer", true}}, nullptr);
  run.on("far.test:common_query", [&](const Message& request) {
    const Message response = request.reply(
        "far.test.common_query.response",
        {{"utterance", kQuestion}, {"skill_id", "far.test"}, {"answer", "Lyon."}, {"conf", 0.8}});
    run.assistant().bus().publish(response.with_session(session("elsewhere")));
    Context other = response.context();
    other.utterance_id = "another";
    run.assistant().bus().publish(response.with_context(std::move(other)));
  });
  CHECK(run.say(kQuestion, session("s")).status == TurnStatus::kUnmatched);
  CHECK(run.elapsed() == 5s);
  CHECK(run.assistant().counters().of(counter("stray")) == 2);
}

TEST_CASE("Q-6 a blacklisted claimant is not asked, and a stage is no claimant") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.start();
  run.on("ovos.common_query.ping", [&](const Message& ping) {
    run.assistant().bus().publish(
        ping.reply("ovos.common_query.pong",
                   {{"utterance", kQuestion}, {"skill_id", "fallback"}, {"can_answer", true}}));
  });
  Session denied("s");
  denied.blacklisted_skills = {"atlas.test"};
  CHECK(run.say(kQuestion, std::make_shared<const Session>(denied)).status == TurnStatus::kUnmatched);
  CHECK(run.count("atlas.test:common_query") == 0);
  CHECK(run.count("fallback:common_query") == 0);
}

TEST_CASE("s14 the denylist of the live session holds, though the contest began before it changed") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.95);
  run.knows("guess.test", "Lyon.", 0.6);
  run.thinks = 1s;
  run.claims = [&](const MatchRequest& request) {
    run.assistant().bus().publish(request.message().reply(
        "ovos.session.sync", {{"session", {{"session_id", "s"}, {"blacklisted_skills", {"atlas.test"}}}}}));
    return std::optional<Match>();
  };
  run.start();
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Lyon.");
  CHECK(run.started == 2);
  CHECK(run.count("ovos.common_query.ping") == 1);
}

TEST_CASE(
    "Q-6 the ping is for everybody, whoever the utterance was for; the request for an answer is a reply") {
  Quiz run;
  run.knows("atlas.test", "Paris.", 0.8);
  run.start();
  Context context;
  context.source = "satellite";
  context.destination = {"core"};
  context.session = session("s");
  run.assistant().bus().publish(
      Message("ovos.utterance.handle", {{"utterances", {kQuestion}}}, std::move(context)));
  run.assistant().run_until_idle();
  int seen = 0;
  for (const auto& message : run.heard) {
    const bool ping = message.type() == "ovos.common_query.ping";
    if (!ping && message.type() != "atlas.test:common_query") continue;
    ++seen;
    CHECK(message.context().source == "core");
    CHECK(message.context().destination == (ping ? Names{} : Names{"satellite"}));
  }
  CHECK(seen == 2);
}

TEST_CASE("Q-6 who the configuration blacklists is not asked, in an early contest either") {
  Quiz run;
  run.config.blacklisted_skills = {"atlas.test"};
  run.knows("atlas.test", "Paris.", 0.95);
  run.knows("guess.test", "Lyon.", 0.6);
  SUBCASE("early") {
    run.thinks = 1s;
  }
  SUBCASE("when it is asked") {
    run.config.stages.at("common_query").options["early_start"] = false;
  }
  run.start();
  CHECK(run.say(kQuestion, session("s")).speech_text() == "Lyon.");
  CHECK(run.count("atlas.test:common_query") == 0);
  CHECK(run.started == 1);
}

TEST_CASE("Q-7 a remote skill silent in two polls in a row is not waited for until it answers one") {
  Quiz run;
  run.config.stages.at("common_query").options["early_start"] = false;
  run.start();
  run.assistant().bus().presence().arrive("far.test", Presence::kRemote);
  bool speaks = false;
  run.on("ovos.common_query.ping", [&](const Message& ping) {
    if (!speaks) return;
    const Json pong = {{"utterance", kQuestion}, {"skill_id", "far.test"}, {"can_answer", false}};
    run.assistant().bus().publish(ping.reply("ovos.common_query.pong", pong));
  });
  const auto cost = [&] {
    const auto began = run.assistant().clock().now();
    run.say(kQuestion, session("s"));
    return run.assistant().clock().now() - began;
  };
  const auto cost_when_it_speaks = [&] {
    speaks = true;
    const auto took = cost();
    speaks = false;
    return took;
  };
  CHECK(cost() == 500ms);
  CHECK(cost_when_it_speaks() == 0ms);
  CHECK(cost() == 500ms);
  CHECK(cost() == 500ms);
  CHECK(cost() == 0ms);
  CHECK(run.log.count("let 2 polls in a row pass in silence") == 1);
  SUBCASE("until it answers one") {
    CHECK(cost_when_it_speaks() == 0ms);
  }
  SUBCASE("or has a new connection") {
    run.assistant().bus().presence().leave("far.test");
    run.assistant().bus().presence().arrive("far.test", Presence::kRemote);
  }
  CHECK(cost() == 500ms);
  CHECK(run.count("ovos.common_query.ping") ==
        static_cast<std::size_t>(std::count_if(run.heard.begin(), run.heard.end(), [](const auto& message) {
          return message.type() == "ovos.utterance.handle";
        })));  // it is asked all the same
}

TEST_CASE("Q-7 the ping is broadcast also when nobody is known who could answer, and nobody is waited for") {
  Quiz run;
  run.start();
  CHECK(run.say(kQuestion, session("s")).status == TurnStatus::kUnmatched);
  CHECK(run.count("ovos.common_query.ping") == 1);
  CHECK(run.elapsed() == 0s);
}
