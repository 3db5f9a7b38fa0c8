// Who was active lately goes on with the conversation (section C), through a whole assistant.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "runtime/counters.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

/// Unix seconds of the jumping clock's start.
constexpr double kNow = 1'767'441'600;

/// A session in which these skills were active, the first most lately.
Session talked_with(const Words& skills, const std::string& id = "s") {
  Session session(id);
  session.converse_handlers.emplace();
  double at = kNow;
  for (const auto& skill : skills) session.converse_handlers->emplace_back(skill, at--);
  return session;
}
SessionPtr shared(const Session& session) {
  return std::make_shared<const Session>(session);
}

/// Games that take numbers, words or whatever else they are told to.
class Games : public EndToEnd {
 public:
  Games() {
    config.pipeline = {"converse", "intent_high"};  // nobody else's waits
    for (const std::string id : {"chess.test", "cards.test"}) {
      skill(id, [this, id](LambdaSkill& skill) {
        skill.on_converse(
            [this, id](const Query& query) {
              asked.push_back(id + " about " + query.utterances.front() + " in " + query.session->session_id);
              return takes[id] ? takes[id](query) : ConverseAnswer(false);
            },
            does([id](Turn& turn) { turn.speak(id + " takes " + turn.text()); }));
      });
    }
    locale("mute.test", "en-US/hum.intent", "hum a song\n");
    skill("mute.test",
          [](LambdaSkill& skill) { skill.on_intent("hum", does([](Turn& t) { t.speak("hm"); })); });
  }
  std::map<std::string, Converses> takes;
  Words asked;
};

Converses always() {
  return [](const Query&) { return ConverseAnswer(true); };
}

/// A remote skill, and what it answers to every ping about a conversation.
Subscription remote(EndToEnd& run, const std::string& id, std::function<void(const Message& ping)> answer) {
  run.assistant().bus().presence().arrive(id, Presence::kRemote);
  return run.assistant().bus().subscribe(id + ".converse.ping", std::move(answer));
}

Words ids(const std::optional<std::vector<ActiveHandler>>& handlers) {
  Words out;
  if (!handlers) return out;
  for (const auto& one : *handlers) out.push_back(one.skill_id);
  return out;
}

}  // namespace

TEST_CASE("C-1 converse: a live response mode goes to its holder at once, without a ping") {
  Games run;
  run.start();
  Session session = talked_with({"chess.test", "cards.test"});
  session.response_mode = ResponseMode("cards.test", kNow + 5);
  const TurnResult result = run.say("e4", shared(session));
  CHECK(result.skill_id == "cards.test");
  CHECK(result.intent_name == "response");
  CHECK(run.asked.empty());
  for (const auto& message : run.heard) {
    if (message.type() == "cards.test:response") {
      CHECK(message.data() == Json{{"lang", "en-US"}, {"utterance", "e4"}, {"slots", Json::object()}});
      CHECK_FALSE(message.context().session->response_mode);
    }
  }
}

TEST_CASE(
    "C-1 converse: an expired, a stranger's and a blacklisted response mode: ignored, dropped by a match") {
  Games run;
  run.takes["chess.test"] = always();
  run.start();
  Session session = talked_with({"chess.test"});
  SUBCASE("expired") {
    session.response_mode = ResponseMode("chess.test", kNow - 1);
  }
  SUBCASE("a stranger's") {
    session.response_mode = ResponseMode("cards.test", kNow + 5);
  }
  SUBCASE("blacklisted") {
    session.response_mode = ResponseMode("mute.test", kNow + 5);
    session.converse_handlers->emplace_back("mute.test", kNow);
    session.blacklisted_skills = {"mute.test"};
  }
  const TurnResult result = run.say("e4", shared(session));
  CHECK(result.skill_id == "chess.test");
  CHECK(result.intent_name == "converse");
  CHECK_FALSE(result.session->response_mode);
  // Another stage's match drops it as well.
  CHECK_FALSE(run.say("hum a song", shared(session)).session->response_mode);
}

TEST_CASE("C-2 converse: owners are asked one after the other, the most recent first, until one takes it") {
  Games run;
  run.start();
  CHECK(run.say("e4", shared(talked_with({"cards.test", "chess.test"}))).status == TurnStatus::kUnmatched);
  CHECK(run.asked == Words{"cards.test about e4 in s", "chess.test about e4 in s"});
  run.asked.clear();
  run.takes["chess.test"] = always();
  run.takes["cards.test"] = always();
  CHECK(run.say("e4", shared(talked_with({"chess.test", "cards.test"}))).speech_text() ==
        "chess.test takes e4");
  CHECK(run.asked == Words{"chess.test about e4 in s"});
  // Equally recent: nearest the head (D-4), whatever the order of arrival.
  Session level = talked_with({"cards.test", "chess.test"});
  for (auto& one : *level.converse_handlers) one.activated_at = kNow;
  CHECK(run.say("e4", shared(level)).skill_id == "cards.test");
}

TEST_CASE("C-2 converse: the ping and the pong are as the wire has them") {
  Games run;
  run.takes["chess.test"] = always();
  run.start();
  run.say("e4", shared(talked_with({"chess.test"})));
  CHECK(run.count("chess.test.converse.ping") == 1);
  for (const auto& message : run.heard) {
    if (message.type() == "chess.test.converse.ping")
      CHECK(message.data() == Json{{"utterances", {"e4"}}, {"lang", "en-US"}});
    if (message.type() == "chess.test.converse.pong")
      CHECK(message.data() == Json{{"skill_id", "chess.test"}, {"result", true}, {"can_handle", true}});
  }
}

TEST_CASE("C-2 converse: a hosted owner without a converse handler and one that is gone cost nothing") {
  Games run;
  run.start();
  const auto began = run.assistant().clock().now();
  run.say("e4", shared(talked_with({"mute.test", "gone.test"})));
  CHECK(run.assistant().clock().now() == began);
  CHECK(run.count("mute.test.converse.ping") == 0);
  CHECK(run.count("gone.test.converse.ping") == 0);
}

TEST_CASE("C-2 converse: result wins over can_handle, what is no boolean is a no, a stranger is not heard") {
  Games run;
  run.takes["chess.test"] = always();
  run.start();
  Json pong;
  std::string winner = "chess.test";
  SUBCASE("can_handle alone") {
    pong = {{"skill_id", "far.test"}, {"can_handle", true}};
    winner = "far.test";
  }
  SUBCASE("result first") {
    pong = {{"skill_id", "far.test"}, {"result", false}, {"can_handle", true}};
  }
  SUBCASE("a string") {
    pong = {{"skill_id", "far.test"}, {"result", "true"}};
  }
  SUBCASE("nothing") {
    pong = {{"skill_id", "far.test"}};
  }
  const auto began = run.assistant().clock().now();
  const auto far = remote(run, "far.test", [&](const Message& ping) {
    run.assistant().bus().publish(
        ping.reply("far.test.converse.pong", {{"skill_id", "near.test"}, {"result", true}}));
    run.assistant().bus().publish(ping.reply("far.test.converse.pong", pong));
  });
  const auto match = run.begin("e4", shared(talked_with({"far.test", "chess.test"})));
  CHECK(run.finish(match).skill_id == winner);
  CHECK(run.assistant().clock().now() == began);
}

TEST_CASE("C-2 converse: an answer of another session or turn is none") {
  Games run;
  run.start();
  const auto began = run.assistant().clock().now();
  const auto far = remote(run, "far.test", [&](const Message& ping) {
    const Message pong = ping.reply("far.test.converse.pong", {{"skill_id", "far.test"}, {"result", true}});
    run.assistant().bus().publish(pong.with_session(session("elsewhere")));
    Context other = pong.context();
    other.utterance_id = "another";
    run.assistant().bus().publish(pong.with_context(std::move(other)));
  });
  CHECK(run.say("e4", shared(talked_with({"far.test"}))).status == TurnStatus::kUnmatched);
  CHECK(run.assistant().clock().now() == began + 500ms);
}

TEST_CASE(
    "C-2 converse: a silent remote costs its bound once, then is pinged but not waited for, until it pongs") {
  Games run;
  run.start();
  bool speaks = false;
  const auto far = remote(run, "far.test", [&](const Message& ping) {
    if (speaks)
      run.assistant().bus().publish(
          ping.reply("far.test.converse.pong", {{"skill_id", "far.test"}, {"result", true}}));
  });
  const auto cost = [&] {
    const auto began = run.assistant().clock().now();
    run.say("e4", shared(talked_with({"far.test"})));
    return run.assistant().clock().now() - began;
  };
  CHECK(cost() == 500ms);
  CHECK(cost() == 0ms);
  CHECK(run.count("far.test.converse.ping") == 2);
  CHECK(run.assistant().counters().of("parley_stage_silent_total{stage=\"converse\",skill=\"far.test\"}") ==
        1);
  speaks = true;
  run.say("e4", shared(talked_with({"far.test"})));  // its pong comes, though nobody waited
  CHECK(run.say("e5", shared(talked_with({"far.test"}))).skill_id == "far.test");
}

TEST_CASE("C-2 converse: a silent remote is waited for again when it has come back with a new connection") {
  Games run;
  run.start();
  const auto silent = remote(run, "far.test", [](const Message&) {});
  const auto cost = [&] {
    const auto began = run.assistant().clock().now();
    run.say("e4", shared(talked_with({"far.test"})));
    return run.assistant().clock().now() - began;
  };
  CHECK(cost() == 500ms);
  CHECK(cost() == 0ms);
  run.assistant().bus().presence().leave(
      "far.test");  // it had registered nothing: nobody says anything of it
  run.assistant().bus().presence().arrive("far.test", Presence::kRemote);
  CHECK(cost() == 500ms);
}

TEST_CASE("C-2 converse: the wait over all owners is bounded, and no number of silent ones is a fault") {
  Games run;
  run.takes["chess.test"] = always();
  run.config.stages.at("converse").options["round_timeout"] = "1200ms";
  run.config.orchestrator.max_consecutive_faults = 1;
  run.start();
  Words owners;
  std::vector<Subscription> remotes;
  for (int i = 10; i < 34; ++i) {
    owners.push_back("far" + std::to_string(i) + ".test");
    remotes.push_back(remote(run, owners.back(), [](const Message&) {}));
  }
  owners.emplace_back("chess.test");
  const auto asked = [&] {
    run.heard.clear();
    const auto began = run.assistant().clock().now();
    const TurnResult result = run.say("e4", shared(talked_with(owners)));
    const auto took = run.assistant().clock().now() - began;
    if (result.skill_id != "chess.test") CHECK(took == 1'200ms);
    Words pinged;
    for (const auto& message : run.heard) {
      if (message.type().ends_with(".converse.ping")) pinged.push_back(message.type().substr(0, 10));
    }
    return pinged;
  };
  CHECK(asked() == Words{"far10.test", "far11.test", "far12.test"});  // the third was given 0.2 s only
  CHECK(asked() == Words{"far10.test", "far11.test", "far12.test", "far13.test", "far14.test"});
  for (int i = 0; i < 10; ++i) asked();
  CHECK(asked().size() == 25);
  CHECK(run.asked.size() == 2);  // and the turn before: nobody costs a wait any more
  CHECK(run.assistant().counters().of("parley_stage_faults_total{stage=\"converse\"}") == 0);
}

TEST_CASE(
    "C-2 converse: who is named more than once is asked once, and a few silent ones are told at a time") {
  Games run;
  run.start();
  const auto answering = remote(run, "far.test", [&](const Message& ping) {
    run.assistant().bus().publish(
        ping.reply("far.test.converse.pong", {{"skill_id", "far.test"}, {"result", false}}));
  });
  run.say("e4", shared(talked_with(Words(1'000, "far.test"))));
  CHECK(run.count("far.test.converse.ping") == 1);
}

TEST_CASE("C-2 converse: a remote owner that goes away in the middle is not waited for") {
  Games run;
  run.start();
  const auto began = run.assistant().clock().now();
  const auto far =
      remote(run, "far.test", [&](const Message&) { run.assistant().bus().presence().leave("far.test"); });
  CHECK(run.say("e4", shared(talked_with({"far.test"}))).status == TurnStatus::kUnmatched);
  CHECK(run.assistant().clock().now() == began);
}

TEST_CASE("C-2 converse: blacklisted skills are not asked") {
  Games run;
  run.takes["chess.test"] = always();
  run.start();
  Session session = talked_with({"chess.test"});
  session.blacklisted_skills = {"chess.test"};
  CHECK(run.say("e4", shared(session)).status == TurnStatus::kUnmatched);
  CHECK(run.asked.empty());
}

TEST_CASE("C-3 converse: an owner that is done goes with the next match, a plain no stays") {
  Games run;
  run.takes["cards.test"] = [](const Query&) { return ConverseAnswer::done(); };
  run.takes["chess.test"] = always();
  run.start();
  const TurnResult result = run.say("e4", shared(talked_with({"cards.test", "mute.test", "chess.test"})));
  CHECK(ids(result.session->converse_handlers) == Words{"chess.test", "mute.test"});
}

TEST_CASE("D-3 converse: owners too old are not asked and go with the match; the one that waits stays") {
  Games run;
  run.config.stages.at("converse").options["max_age"] = "1min";
  run.takes["chess.test"] = always();
  run.start();
  Session session = talked_with({"chess.test", "cards.test", "mute.test"});
  session.converse_handlers->at(1).activated_at = kNow - 61;
  CHECK(ids(run.say("e4", shared(session)).session->converse_handlers) == Words{"chess.test", "mute.test"});
  session.response_mode = ResponseMode("cards.test", kNow + 5);
  const TurnResult answer = run.say("e4", shared(session));
  CHECK(answer.skill_id == "cards.test");
  CHECK(ids(answer.session->converse_handlers) == Words{"cards.test", "chess.test", "mute.test"});
}

TEST_CASE("C-2 converse: a decision that throws is a no, with a warning, and the next one is asked") {
  Games run;
  run.takes["cards.test"] = [](const Query&) -> ConverseAnswer { throw std::runtime_error("no cards"); };
  run.takes["chess.test"] = always();
  run.start();
  CHECK(run.say("e4", shared(talked_with({"cards.test", "chess.test"}))).skill_id == "chess.test");
  CHECK(run.log.has("no cards"));
}

TEST_CASE("C-5 ovos.converse.active.list: who is remembered in the session, without those too old") {
  Games run;
  run.start();
  Session session = talked_with({"chess.test", "cards.test"});
  session.converse_handlers->at(1).activated_at = kNow - 3600;
  Context context;
  context.session = shared(session);
  run.assistant().bus().publish(Message("ovos.converse.active.list", Json::object(), std::move(context)));
  run.say("hum a song");
  run.assistant().bus().publish(Message("ovos.converse.active.list"));
  run.assistant().run_until_idle();
  std::vector<Json> answers;
  for (const auto& message : run.heard) {
    if (message.type() == "ovos.converse.active.list.response") answers.push_back(message.data());
  }
  REQUIRE(answers.size() == 2);
  CHECK(answers[0] == Json{{"converse_handlers", {{{"skill_id", "chess.test"}, {"activated_at", kNow}}}}});
  CHECK(answers[1].at("converse_handlers").at(0).at("skill_id") == "mute.test");
}
