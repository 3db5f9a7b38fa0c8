// Stopping (section P), through a whole assistant.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "orchestrator/orchestrator.hpp"
#include "runtime/counters.hpp"
#include "support/end_to_end.hpp"
#include "turn/handler_host.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

/// A session in which these skills were active, the first most lately.
SessionPtr active_in(const std::string& id, const Words& skills) {
  Session session(id);
  session.active_handlers.emplace();
  double at = 1e9;
  for (const auto& skill : skills) session.active_handlers->emplace_back(skill, at--);
  return std::make_shared<const Session>(session);
}

/// Two music players and a speaker that takes its time, as the tests need them.
class Noise : public EndToEnd {
 public:
  explicit Noise(Time time = Time::kJumping) : EndToEnd(time) {
    config.language.enabled = {"en-US", "de-DE", "fr-FR", "es-ES", "pt-PT", "it-IT"};
    for (const std::string id : {"radio.test", "piano.test"}) {
      const std::string word = id.substr(0, id.find('.'));
      locale(id, "en-US/play.intent", "play the " + word + "\n");
      skill(id, [this, id](LambdaSkill& skill) {
        skill.on_intent("play", does([this, id](Turn& turn) { playing.insert({id, turn.session_key()}); }));
        skill.on_stop(
            [this, id](const SessionKey& session) {
              stopped.emplace_back(id + " in " + session.session_id);
              return playing.erase({id, session}) > 0;
            },
            [this, id](const SessionKey& session) {
              return playing.contains({id, session});
            });
      });
    }
    locale("talker.test", "en-US/talk.intent", "talk to me\n");
    locale("talker.test", "en-US/what.dialog", "What about?\n");
    skill("talker.test", [this](LambdaSkill& skill) {
      skill.on_intent("talk", [this](Turn turn) { return talk(std::move(turn)); });
    });
  }

  Task<> talk(Turn turn) {
    turn.speak("once upon a time");
    try {
      if (turn.session_id().starts_with("ask")) {
        co_await turn.ask("what");
      } else {
        co_await turn.sleep(30s);
      }
    } catch (const Cancelled&) {
      ++cancelled;
      turn.speak("I was not finished");
      throw;
    }
    turn.speak("the end");
  }

  std::set<std::pair<std::string, SessionKey>> playing;
  Words stopped;
  int cancelled = 0;
};

/// A remote skill that says what it is told to when it is asked what it can stop.
Subscription answer_ping(EndToEnd& run, const std::string& skill_id, Json data) {
  run.assistant().bus().presence().arrive(skill_id, Presence::kRemote);
  return run.assistant().bus().subscribe("ovos.stop.ping", [&run, data](const Message& ping) {
    run.assistant().bus().publish(ping.reply("ovos.stop.pong", data));
  });
}

/// A skill at the far end of a connection: every one of its handlers asks the user and waits.
class FarAsker final : public HandlerHost {
 public:
  explicit FarAsker(Assistant& core) : core_(core) {
    core.bus().presence().arrive("far.test", Presence::kRemote);
    core.orchestrator().add_host(*this);
    auto stage = std::make_unique<LambdaStage>(at_once(claims("far.test", "ask")));
    core.add_stage("far", std::move(stage));
  }
  ~FarAsker() override { core_.orchestrator().remove_host(*this); }
  FarAsker(const FarAsker&) = delete;
  FarAsker& operator=(const FarAsker&) = delete;
  bool hosts(const std::string& skill_id) const override { return skill_id == "far.test"; }
  void run(HandlerCall call) override {
    if (call.intent_name == "stop") return core_.post([done = std::move(call.done)] { done(HandlerEnd()); });
    const Json mode = {{"skill_id", "far.test"}, {"expires_at", 1e10}};
    core_.bus().publish(call.dispatch.forward("ovos.session.sync", {{"session", {{"response_mode", mode}}}}));
  }
  void cancel(const std::string&, const std::string&) override {}
  std::chrono::milliseconds handler_timeout(const std::string&) const override { return 1h; }

 private:
  Assistant& core_;
};

}  // namespace

TEST_CASE("P-1 stop: the whole utterance in stop_high, words within it in stop_medium") {
  Noise run;
  run.config.pipeline = {"stop_high", "intent_high", "stop_medium"};
  run.start();
  CHECK(run.say("stop").pipeline_id == "stop");
  CHECK(run.say("Please, stop!").pipeline_id == "stop");
  CHECK(run.say("play the radio").pipeline_id == "intent");
  CHECK(run.say("would you kindly stop that now or else").pipeline_id == "stop");
  CHECK(run.say("nonstop entertainment").status == TurnStatus::kUnmatched);
  run.config.pipeline = {"stop_high"};
}

TEST_CASE("P-1 stop: five languages have their words, and a language without any declines") {
  Noise run;
  run.start();
  for (const auto& row : std::vector<std::pair<std::string, std::string>>{{"en-US", "stop everything"},
                                                                          {"de-DE", "hör auf"},
                                                                          {"fr-FR", "arrête"},
                                                                          {"es-ES", "basta"},
                                                                          {"pt-PT", "chega"}}) {
    const auto& lang = row.first;
    CAPTURE(lang);
    CHECK(run.say(row.second, session("s"), lang).pipeline_id == "stop");
  }
  CHECK(run.say("stop", session("s"), "it-IT").status == TurnStatus::kUnmatched);
}

TEST_CASE("P-1 P-2 P-5 stop: everything, or with nobody active: one ovos.stop and a clean session") {
  Noise run;
  run.start();
  for (const std::string text : {"stop everything", "stop"}) {
    CAPTURE(text);
    run.heard.clear();
    Session before = *active_in("s", text == "stop" ? Words{"stop"} : Words{"radio.test"});
    before.converse_handlers = before.active_handlers;
    before.response_mode = ResponseMode("piano.test", 9e9);
    const TurnResult result = run.say(text, std::make_shared<const Session>(before));
    CHECK(result.skill_id == "stop");
    CHECK(result.intent_name == "global_stop");
    CHECK(result.status == TurnStatus::kAnswered);
    CHECK(run.count("ovos.stop") == 1);
    CHECK(run.count("ovos.stop.ping") == 0);
    REQUIRE(result.session->active_handlers);
    REQUIRE(result.session->active_handlers->size() == 1);  // the stop itself (D-2)
    CHECK(result.session->active_handlers->front().skill_id == "stop");
    CHECK(result.session->converse_handlers->empty());
    CHECK_FALSE(result.session->response_mode);
  }
}

TEST_CASE("P-3 P-4 P-5 stop: of those who can, the most recent is stopped, and only it") {
  Noise run;
  run.start();
  Conversation talk(run.assistant(), session("s"));
  run.say(talk, "play the radio");
  run.say(talk, "play the piano");
  run.say(talk, "what is this");
  const TurnResult first = run.say(talk, "stop");
  CHECK(first.skill_id == "piano.test");
  CHECK(first.intent_name == "stop");
  CHECK(run.stopped == Words{"piano.test in s"});
  REQUIRE(first.session->active_handlers);
  for (const auto& one : *first.session->active_handlers) CHECK(one.skill_id != "piano.test");
  CHECK(run.say(talk, "stop").skill_id == "radio.test");
  CHECK(run.playing.empty());
  CHECK(run.count("ovos.stop") == 0);
}

TEST_CASE("K-4 stop: what another owner has in a session of that id goes on") {
  for (const std::string text : {"stop", "stop everything"}) {
    CAPTURE(text);
    Noise run;
    run.start();
    run.playing.insert({"radio.test", {"anna", "s"}});
    const auto stop_as = [&](std::uint64_t number, const char* owner) {
      TurnInput input(text);
      input.session = active_in("s", {"radio.test"});
      input.sender = std::make_shared<const Sender>(number, "client", owner);
      converse(run.assistant(), std::move(input), [](const TurnResult&) {});
      run.assistant().run_until_idle();
    };
    stop_as(1, "bert");
    CHECK(run.playing.size() == 1);
    stop_as(2, "anna");
    CHECK(run.playing.empty());
  }
}

TEST_CASE("P-4 stop: who says yes goes before who was active later; when nobody does, the latest it is") {
  Noise run;
  run.start();
  run.playing.insert({"radio.test", {"local", "s"}});
  CHECK(run.say("stop", active_in("s", {"piano.test", "radio.test"})).skill_id == "radio.test");
  CHECK(run.say("stop", active_in("s", {"piano.test", "radio.test"})).skill_id == "piano.test");
}

TEST_CASE("P-4 stop: never a blacklisted skill; nobody left after that is a decline") {
  Noise run;
  run.start();
  run.playing.insert({"radio.test", {"local", "s"}});
  Session session = *active_in("s", {"radio.test"});
  session.blacklisted_skills = {"radio.test"};
  CHECK(run.say("stop", std::make_shared<const Session>(session)).status == TurnStatus::kUnmatched);
  CHECK(run.stopped.empty());
}

TEST_CASE("P-3 stop: a pong counts from who is active, in this turn, the first of each, if it is a boolean") {
  Noise run;
  run.start();
  const auto now = run.assistant().clock().now();
  SUBCASE("a yes that is no boolean") {
    const auto pong = answer_ping(run, "tv.test", {{"skill_id", "tv.test"}, {"can_handle", "yes"}});
    run.playing.insert({"radio.test", {"local", "s"}});
    CHECK(run.say("stop", active_in("s", {"tv.test", "radio.test"})).skill_id == "radio.test");
  }
  SUBCASE("somebody who is not active") {
    const auto pong = answer_ping(run, "tv.test", {{"skill_id", "tv.test"}, {"can_handle", true}});
    CHECK(run.say("stop", active_in("s", {"radio.test"})).skill_id == "radio.test");
  }
  SUBCASE("a no, then a yes") {
    const auto no = answer_ping(run, "tv.test", {{"skill_id", "tv.test"}, {"can_handle", false}});
    const auto yes = answer_ping(run, "tv.test", {{"skill_id", "tv.test"}, {"can_handle", true}});
    run.playing.insert({"radio.test", {"local", "s"}});
    CHECK(run.say("stop", active_in("s", {"tv.test", "radio.test"})).skill_id == "radio.test");
  }
  SUBCASE("a pong of another session or turn") {
    run.assistant().bus().presence().arrive("tv.test", Presence::kRemote);
    const auto strays = run.assistant().bus().subscribe("ovos.stop.ping", [&](const Message& ping) {
      const Message pong = ping.reply("ovos.stop.pong", {{"skill_id", "tv.test"}, {"can_handle", true}});
      run.assistant().bus().publish(pong.with_session(session("elsewhere")));
      Context other = pong.context();
      other.utterance_id = "another";
      run.assistant().bus().publish(pong.with_context(std::move(other)));
    });
    run.playing.insert({"radio.test", {"local", "s"}});
    CHECK(run.say("stop", active_in("s", {"tv.test", "radio.test"})).skill_id == "radio.test");
    CHECK(run.assistant().clock().now() == now + 500ms);  // it was waited for
    return;
  }
  CHECK(run.assistant().clock().now() == now);  // and nothing was waited for
}

TEST_CASE("P-3 stop: the window closes once the most recent has said yes, or its bound is over") {
  Noise run;
  run.start();
  run.assistant().bus().presence().arrive("silent.test", Presence::kRemote);
  run.playing.insert({"radio.test", {"local", "s"}});
  const auto began = run.assistant().clock().now();
  CHECK(run.say("stop", active_in("s", {"radio.test", "silent.test"})).skill_id == "radio.test");
  CHECK(run.assistant().clock().now() == began);
  run.playing.insert({"radio.test", {"local", "s"}});
  CHECK(run.say("stop", active_in("s", {"silent.test", "radio.test"})).skill_id == "radio.test");
  CHECK(run.assistant().clock().now() == began + 500ms);
  CHECK(run.assistant().counters().of("parley_stage_silent_total{stage=\"stop\",skill=\"silent.test\"}") ==
        1);
}

TEST_CASE("P-6 stop: a running handler is cancelled where it waits, and what it says then is not heard") {
  Noise run;
  run.start();
  Conversation talk(run.assistant(), session("s"));
  const auto story = run.begin(talk, "talk to me");
  run.assistant().run_for(0s);
  CHECK(run.spoken() == Words{"once upon a time"});
  SUBCASE("by a stop of the skill") {
    const TurnResult stop = run.say("stop", active_in("s", {"talker.test"}));
    CHECK(stop.skill_id == "talker.test");
  }
  SUBCASE("by a stop of everything") {
    run.say("stop everything", session("s"));
  }
  SUBCASE("by a client") {
    talk.stop();
  }
  const TurnResult result = run.finish(story);
  CHECK(result.status == TurnStatus::kCancelled);
  CHECK(result.error == "cancelled: stopped");
  run.assistant().run_for(60s);
  CHECK(run.cancelled == 1);
  CHECK(run.spoken() == Words{"once upon a time"});
}

TEST_CASE("P-6 stop: the waiting question is withdrawn, and the next utterance is nobody's answer") {
  Noise run;
  run.start();
  Conversation talk(run.assistant(), session("ask"));
  CHECK(run.say(talk, "talk to me").listen);
  run.heard.clear();
  CHECK(run.say(talk, "stop").skill_id == "talker.test");
  CHECK(run.count("ovos.utterance.handled") == 2);
  CHECK(run.cancelled == 1);
  CHECK_FALSE(talk.session()->response_mode);
  CHECK(run.say(talk, "dragons").status == TurnStatus::kUnmatched);
}

TEST_CASE("P-6 stop: other sessions go on") {
  Noise run;
  run.start();
  Conversation here(run.assistant(), session("here"));
  Conversation there(run.assistant(), session("there"));
  const auto told_there = run.begin(there, "talk to me");
  const auto told_here = run.begin(here, "talk to me");
  run.assistant().run_for(0s);
  run.say("stop everything", session("here"));
  CHECK(run.finish(told_here).status == TurnStatus::kCancelled);
  CHECK(run.finish(told_there).speech_text() == "once upon a time the end");
}

TEST_CASE("P-6 stop: with real threads, a handler that waits is stopped all the same") {
  Noise run(EndToEnd::Time::kReal);
  run.start();
  for (int i = 0; i < 20; ++i) {
    Conversation talk(run.assistant(), session("s"));
    const auto story = run.begin(talk, "talk to me");
    REQUIRE(run.until([&] { return run.spoken().size() == 1; }));
    run.say("stop", active_in("s", {"talker.test"}));
    CHECK(run.finish(story).status == TurnStatus::kCancelled);
    run.heard.clear();
  }
}

namespace {

/// Somebody remote takes its time to say that it wants what was said. Then the session is stopped.
void check_round_is_stopped(const std::string& round, const std::string& how) {
  CAPTURE(round);
  CAPTURE(how);
  Noise run;
  run.config.language.enabled = {"en-US"};
  run.config.stages.at("common_query").options["gate"] = false;
  run.start();
  const std::map<std::string, std::pair<std::string, Json>> rounds{
      {"common_query",
       {"ovos.common_query.",
        {{"utterance", "what is this"}, {"skill_id", "far.test"}, {"can_answer", true}}}},
      {"fallback_high", {"far.test.fallback.", {{"skill_id", "far.test"}, {"can_handle", true}}}},
      {"converse", {"far.test.converse.", {{"skill_id", "far.test"}, {"result", true}}}}};
  const std::string topic = rounds.at(round).first;
  const Json pong = rounds.at(round).second;
  Assistant& core = run.assistant();
  core.bus().presence().arrive("far.test", Presence::kRemote);
  Context far;
  far.skill_id = "far.test";
  core.bus().publish(Message("ovos.fallback.register", {{"skill_id", "far.test"}, {"priority", 1}}, far));
  std::vector<Timer> later;
  const auto pings = core.bus().subscribe(topic + "ping", [&](const Message& ping) {
    const Message answer = ping.reply(topic + "pong", pong);
    later.push_back(
        core.bus().timers().at(core.clock().now() + 300ms, [&core, answer] { core.bus().publish(answer); }));
  });
  Session asking("s");
  asking.pipeline = {round};
  asking.converse_handlers.emplace().emplace_back("far.test", 1'767'441'600);
  const auto here = run.begin("what is this", std::make_shared<const Session>(asking));
  asking.session_id = "other";
  const auto there = run.begin("what is this", std::make_shared<const Session>(asking));
  core.run_for(100ms);
  REQUIRE_FALSE(here->has_value());
  if (how == "ovos.stop") {
    Context context;
    context.session = session("s");
    core.bus().publish(Message("ovos.stop", Json::object(), std::move(context)));
    core.run_for(0s);
  } else {
    run.say(how, active_in("s", {"radio.test"}));
  }
  REQUIRE(here->has_value());
  CHECK(run.finish(there).status != TurnStatus::kCancelled);
  core.run_until_idle();
  Words said;
  for (const auto& message : run.heard) {
    if (message.context().utterance_id == (*here)->utterance_id) said.push_back(message.type());
  }
  CHECK(said == Words{"ovos.utterance.handle", topic + "ping", "ovos.utterance.handled", topic + "pong"});
  CHECK(core.counters().of("parley_utterances_total{outcome=\"cancelled\"}") == 1);
}

}  // namespace

TEST_CASE("P-6 stop: a match round of the session that is going on ends as cancelled and speaks nothing") {
  for (const char* round : {"common_query", "fallback_high", "converse"}) {
    for (const char* how : {"stop everything", "stop", "ovos.stop"}) check_round_is_stopped(round, how);
  }
}

TEST_CASE("P-6 stop: who waits for an answer at the far end no longer does in what its handled carries") {
  Noise run;
  run.config.language.enabled = {"en-US"};
  run.config.pipeline = {"stop_high", "intent_high"};
  run.make();
  FarAsker far(run.assistant());
  run.assistant().start();
  Session asked("s");
  asked.active_handlers.emplace();
  std::string how;
  SUBCASE("by a stop of the skill") {
    how = "stop";
    asked.active_handlers->emplace_back("far.test", 1e9);
  }
  SUBCASE("by a stop of everything") {
    how = "stop everything";
  }
  for (const char* id : {"s", "default"}) {
    CAPTURE(id);
    asked.session_id = id;
    asked.pipeline = {"far"};
    const auto question = run.begin("ask me", std::make_shared<const Session>(asked));
    run.assistant().run_for(0s);
    REQUIRE_FALSE(question->has_value());
    asked.pipeline = {"stop_high"};
    run.say(how, std::make_shared<const Session>(asked));
    const TurnResult result = run.finish(question);
    CHECK(result.status == TurnStatus::kCancelled);
    CHECK_FALSE(result.session->response_mode);
  }
}
