// How the pool is asked and who is chosen: OVOS-FALLBACK-1 §6, with F-3.
#include <set>

#include "settings/values.hpp"
#include "support/fallback_fixture.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

TEST_CASE(
    "FALLBACK-1 §10 plugin MUST expose match: of utterances, lang and session it makes a Match or None") {
  FallbackRun run;
  run.config.language.enabled = {"en-US", "de-DE"};
  run.start();
  run.remote("a.test", 10, [](BusSkill& self, const Message& ping) {
    self.pong(ping, ping.data().at("utterances") == Json{"was nun"} && ping.text("lang") == "de-DE");
  });
  CHECK(run.say("was nun", session("kitchen"), "de-DE").skill_id == "a.test");
  CHECK(run.say("was nun", session("kitchen"), "en-US").status == TurnStatus::kUnmatched);
  CHECK(run.say("was denn", session("kitchen"), "de-DE").status == TurnStatus::kUnmatched);
  Session strict("kitchen");
  strict.blacklisted_skills = Names{"a.test"};
  const auto denied = std::make_shared<const Session>(strict);
  CHECK(run.say("was nun", denied, "de-DE").status == TurnStatus::kUnmatched);
}

TEST_CASE("FALLBACK-1 §10 plugin MUST query one after the other: who comes later is asked after an answer") {
  FallbackRun run;
  run.start();
  std::optional<Message> held;
  BusSkill& first = run.remote("a.test", 10, [&held](BusSkill&, const Message& ping) { held = ping; });
  run.remote("b.test", 20, answers(true));
  const auto turn = run.begin("what now", session("kitchen"));
  REQUIRE(run.until([&] { return held.has_value(); }));
  run.assistant().run_for(499ms);
  CHECK(run.asked() == Names{"a.test"});
  first.pong(*held, false);
  run.finish(turn);
  CHECK(run.asked() == Names{"a.test", "b.test"});
}

TEST_CASE(
    "FALLBACK-1 §10 plugin MUST ask by <skill_id>.fallback.ping, a reply of the utterance with utterances "
    "and lang") {
  FallbackRun run;
  run.config.language.enabled = {"en-US", "de-DE"};
  run.start();
  run.remote("a.test", 10, answers(false));
  Context context;
  context.source = "a client";
  context.destination = {"core"};
  Session kitchen("kitchen");
  kitchen.site_id = "upstairs";
  context.session = std::make_shared<const Session>(kitchen);
  context.utterance_id = "turn-1";
  context.rest = std::make_shared<const Json>(Json{{"mark", "kept"}});
  run.assistant().bus().publish(
      Message("ovos.utterance.handle", {{"utterances", {"was nun", "was tun"}}, {"lang", "de-DE"}}, context));
  REQUIRE(run.until([&] { return run.count("ovos.utterance.handled") == 1; }));
  const Message ping = run.one("a.test.fallback.ping");
  CHECK(ping.data() == Json{{"utterances", {"was nun", "was tun"}}, {"lang", "de-DE"}});
  CHECK(ping.context().source == "core");
  CHECK(ping.context().destination == Names{"a client"});
  CHECK(ping.context().session->site_id == "upstairs");
  CHECK(ping.context().utterance_id == "turn-1");
  REQUIRE(ping.context().rest);
  CHECK(ping.context().rest->at("mark") == "kept");
}

TEST_CASE(
    "FALLBACK-1 §10 plugin MUST select the first willing skill in pool order, and ask nobody after it") {
  FallbackRun run;
  run.start();
  run.remote("a.test", 10, answers(false));
  run.remote("b.test", 20, answers(true));
  run.remote("c.test", 30, answers(true));
  CHECK(run.winner() == "b.test");
  CHECK(run.asked() == Names{"a.test", "b.test"});
  CHECK(run.winner(prefers({"c.test"})) == "c.test");
  CHECK(run.asked() == Names{"c.test"});
}

TEST_CASE("FALLBACK-1 §10 plugin MUST return a Match with intent_name fallback for the selected skill") {
  FallbackRun run;
  run.start();
  run.remote("a.test", 10, answers(true));
  CHECK(run.winner() == "a.test");
  CHECK(run.one("ovos.intent.matched").data() == Json{{"skill_id", "a.test"},
                                                      {"intent_name", "fallback"},
                                                      {"lang", "en-US"},
                                                      {"utterance", "what now"},
                                                      {"slots", Json::object()},
                                                      {"pipeline_id", "fallback"}});
  CHECK(run.one("a.test:fallback").context().skill_id == "a.test");
}

TEST_CASE("FALLBACK-1 §10 plugin MUST return None when nobody is willing: the utterance is unmatched") {
  FallbackRun run;
  run.start();
  run.remote("a.test", 10, answers(false));
  run.remote("b.test", 20, answers(false));
  CHECK(run.winner().empty());
  CHECK(run.asked() == Names{"a.test", "b.test"});
  CHECK(run.one("ovos.intent.unmatched").data().at("utterances") == Json{"what now"});
  CHECK(run.waited == 0ms);
}

TEST_CASE(
    "FALLBACK-1 §10 plugin MAY mutate the session: this one leaves it, but for the recency every match "
    "leaves") {
  FallbackRun run;
  run.start();
  run.remote("a.test", 10, answers(true));
  Session before = prefers({"a.test"});
  before.site_id = "upstairs";
  run.winner(before);
  Session after = *run.one("a.test:fallback").context().session;
  REQUIRE(after.active_handlers);
  CHECK(after.active_handlers->front().skill_id == "a.test");
  after.active_handlers.reset();
  after.converse_handlers.reset();
  CHECK(after == before);
}

TEST_CASE(
    "FALLBACK-1 §10 plugin SHOULD bound each query: silence is a no, costs its bound once, and is named") {
  FallbackRun run;
  auto bound = 500ms;
  SUBCASE("by default 0.5 s") {}
  SUBCASE("as configured") {
    bound = 40ms;
    run.stage_options()["query_timeout"] = format_duration(bound);
  }
  run.traces();
  run.start();
  run.remote("a.test", 10, stays_silent());
  run.remote("b.test", 20, answers(false));
  CHECK(run.winner().empty());
  CHECK(run.asked() == Names{"a.test", "b.test"});
  CHECK(run.waited == bound);
  CHECK(run.told("silent", "a.test", ""));
  CHECK(run.told("answer", "b.test", "no"));
  CHECK(run.assistant().counters().of(kSilentCount) == 1);
  CHECK(run.log.has("skill 'a.test' did not answer its fallback ping"));
}

TEST_CASE(
    "F-3 a silent remote skill is asked last and not waited for, until its connection has sent a pong") {
  FallbackRun run;
  run.traces();
  run.start();
  BusSkill& skill = run.remote("a.test", 10, stays_silent());
  BusSkill& other = run.remote("b.test", 20, answers(false));
  const Names in_order{"a.test", "b.test"};
  const Names last{"b.test", "a.test"};
  run.winner();
  CHECK(run.asked() == in_order);
  CHECK(run.waited == 500ms);
  for (int i = 0; i < 3; ++i) {
    run.winner(prefers({"a.test"}));
    CHECK(run.asked() == last);
    CHECK(run.waited == 0ms);
    CHECK(run.told("silent", "a.test", "not waited for"));
  }
  CHECK(run.assistant().counters().of(kSilentCount) == 1);
  CHECK(run.log.count("did not answer its fallback ping") == 1);
  SUBCASE("it is not even pinged where somebody takes it") {
    other.replies(answers(true));
    CHECK(run.winner() == "b.test");
    CHECK(run.asked() == Names{"b.test"});
  }
  SUBCASE("its pong comes too late for its round, and counts from the next one on") {
    skill.replies(answers(true));
    CHECK(run.winner().empty());
    CHECK(run.asked() == last);
    CHECK(run.winner() == "a.test");
    CHECK(run.asked() == Names{"a.test"});
  }
  SUBCASE("a pong of somebody else is none of its") {
    skill.replies(answers_with({{"skill_id", "b.test"}, {"can_handle", true}}));
    run.winner();
    run.winner();
    CHECK(run.asked() == last);
  }
  SUBCASE("with the connection it is forgotten") {
    skill.disconnect();
    run.assistant().bus().presence().arrive("a.test", Presence::kRemote);
    skill.join(10);
    run.winner();
    CHECK(run.asked() == in_order);
    CHECK(run.waited == 500ms);
  }
}

TEST_CASE(
    "F-3 a round's waits are bounded over all, and no number of silent skills is a fault of the stage") {
  FallbackRun run;
  run.stage_options()["round_timeout"] = "1200ms";
  run.config.orchestrator.max_consecutive_faults = 1;
  run.start();
  Names skills;
  for (int i = 10; i < 40; ++i) {
    skills.push_back("s" + std::to_string(i) + ".test");
    run.remote(skills.back(), i, stays_silent());
  }
  run.remote("z.test", 90, answers(true));
  CHECK(run.winner().empty());
  CHECK(run.asked() == Names{skills[0], skills[1], skills[2]});  // the third was not given its whole time
  CHECK(run.waited == 1'200ms);
  CHECK(run.winner().empty());
  CHECK(run.asked() == Names{skills[2], skills[3], skills[4], skills[0], skills[1]});
  for (int i = 0; i < 20 && run.winner().empty(); ++i) CHECK(run.waited <= 1'200ms);
  CHECK(run.winner() == "z.test");
  CHECK(run.waited == 0ms);
  CHECK(run.assistant().counters().of("parley_stage_faults_total{stage=\"fallback\"}") == 0);
}

TEST_CASE("F-3 silent skills are pinged a few at a time, those first who were not for longest") {
  FallbackRun run;
  run.stage_options()["query_timeout"] = "1ms";
  run.start();
  for (int i = 100; i < 140; ++i) run.remote("s" + std::to_string(i) + ".test", i, stays_silent());
  run.winner();
  CHECK(run.asked().size() == 40);
  std::set<std::string> pinged;
  for (int i = 0; i < 2; ++i) {
    run.winner();
    CHECK(run.asked().size() == 32);
    for (const auto& skill : run.asked()) pinged.insert(skill);
  }
  CHECK(pinged.size() == 40);
}

TEST_CASE("F-3 a skill that deregisters while it is being asked is skipped at once") {
  FallbackRun run;
  run.traces();
  run.start();
  BusSkill& skill = run.remote("a.test", 10, stays_silent());
  run.remote("b.test", 20, answers(true));
  auto cost = 0ms;
  SUBCASE("as a fallback") {
    skill.replies([](BusSkill& self, const Message&) { self.quit(); });
  }
  SUBCASE("altogether") {
    skill.replies([](BusSkill& self, const Message&) {
      self.send("ovos.skill.deregister", {{"skill_id", self.id()}});
    });
  }
  SUBCASE("not from a pool that is none of the round's") {
    skill.join(10, "cellar");
    skill.replies([](BusSkill& self, const Message&) { self.quit("cellar"); });
    cost = 500ms;
  }
  CHECK(run.winner() == "b.test");
  CHECK(run.waited == cost);
  CHECK(run.told("skip", "a.test", "it went away") == (cost == 0ms));
}

TEST_CASE("F-3 a core-hosted skill's answer costs no wait") {
  FallbackRun run;
  run.skill("a.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        10, [](const auto&) { return false; }, does([](Turn&) {}));
  });
  run.skill("b.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        20, [](const auto&) { return true; }, does([](Turn& turn) { turn.speak("here"); }));
  });
  run.start();
  CHECK(run.winner() == "b.test");
  CHECK(run.waited == 0ms);
  CHECK(run.spoken() == Names{"here"});
}

TEST_CASE("F-3 who is known to have gone is skipped at once, before and in the middle of its query") {
  FallbackRun run;
  run.traces();
  run.start();
  BusSkill& skill = run.remote("a.test", 10, stays_silent());
  run.remote("b.test", 20, answers(true));
  SUBCASE("before") {
    skill.disconnect();
    CHECK(run.winner() == "b.test");
    CHECK(run.asked() == Names{"b.test"});
  }
  SUBCASE("while it is asked") {
    skill.replies([](BusSkill& self, const Message&) { self.disconnect(); });
    CHECK(run.winner() == "b.test");
    CHECK(run.asked() == Names{"a.test", "b.test"});
  }
  CHECK(run.told("skip", "a.test", ""));
  CHECK(run.waited == 0ms);
  CHECK(run.assistant().counters().of(kSilentCount) == 0);
  CHECK_FALSE(run.log.has("did not answer"));
}

TEST_CASE("F-3 who goes while another is asked is skipped: disconnected, deregistered or unloaded") {
  FallbackRun run;
  run.traces();
  run.skill("hosted.test", [](LambdaSkill& skill) {
    skill.on_fallback(
        15, [](const auto&) { return true; }, does([](Turn&) {}));
  });
  run.start();
  BusSkill& goer = run.remote("goer.test", 20, answers(true));
  std::function<void()> goes;
  run.remote("a.test", 10, [&](BusSkill& self, const Message& ping) {
    run.assistant().unload_skill("hosted.test", [](bool) {});
    goes();
    self.pong(ping, false);
  });
  run.remote("z.test", 90, answers(true));
  SUBCASE("disconnected") {
    goes = [&] { goer.disconnect(); };
  }
  SUBCASE("deregistered") {
    goes = [&] { goer.quit(); };
  }
  CHECK(run.winner() == "z.test");
  CHECK(run.asked() == Names{"a.test", "z.test"});
  CHECK(run.told("skip", "hosted.test", ""));
  CHECK(run.told("skip", "goer.test", ""));
  CHECK(run.waited == 0ms);
}

TEST_CASE("F-3 a hosted skill that is unloaded while it thinks costs no wait") {
  FallbackRun run;
  run.start();
  run.remote("b.test", 20, answers(true));
  // It says that it is a fallback and has no handler: nothing answers its ping, until it is gone.
  Context context;
  context.skill_id = "quiet.test";
  run.assistant().bus().presence().arrive("quiet.test", Presence::kHosted);
  run.assistant().bus().publish(
      Message("ovos.fallback.register", {{"skill_id", "quiet.test"}, {"priority", 1}}, context));
  const auto turn = run.begin("what now", session("kitchen"));
  REQUIRE(run.until([&] { return run.count("quiet.test.fallback.ping") == 1; }));
  const auto since = run.assistant().clock().now();
  run.assistant().bus().presence().leave("quiet.test");
  CHECK(run.finish(turn).skill_id == "b.test");
  CHECK(run.assistant().clock().now() == since);
}

TEST_CASE("F-3 rounds of two sessions at a time keep their answers apart") {
  FallbackRun run;
  run.start();
  std::vector<Message> held;
  BusSkill& skill = run.remote("a.test", 10, [&](BusSkill&, const Message& ping) { held.push_back(ping); });
  const auto kitchen = run.begin("what now", session("kitchen"));
  const auto cellar = run.begin("what now", session("cellar"));
  REQUIRE(run.until([&] { return held.size() == 2; }));
  for (const auto& ping : held) skill.pong(ping, ping.session_id() == "cellar");
  CHECK(run.finish(kitchen).status == TurnStatus::kUnmatched);
  CHECK(run.finish(cellar).skill_id == "a.test");
}
