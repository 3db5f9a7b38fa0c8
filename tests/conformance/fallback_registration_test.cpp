// Who is in the pool: OVOS-FALLBACK-1 §3, with F-1 and F-2.
#include "support/fallback_fixture.hpp"

using namespace parley;
using namespace parley::testing;

TEST_CASE(
    "FALLBACK-1 §10 plugin MUST subscribe to ovos.fallback.register and .deregister: from the one to the "
    "other a skill is asked") {
  FallbackRun run;
  run.start();
  BusSkill& skill = run.remote("a.test", answers(true));
  CHECK(run.winner().empty());
  CHECK(run.asked().empty());
  skill.join(50);
  CHECK(run.winner() == "a.test");
  skill.quit();
  CHECK(run.winner().empty());
  CHECK(run.asked().empty());
  skill.join(50);
  CHECK(run.winner() == "a.test");
}

TEST_CASE("FALLBACK-1 §10 plugin MUST reject a registration whose skill_id is not that of its context") {
  FallbackRun run;
  run.start();
  BusSkill& honest = run.remote("a.test", 50, answers(true));
  BusSkill& stranger = run.remote("b.test", answers(true));
  SUBCASE("another's") {
    stranger.send("ovos.fallback.register", {{"skill_id", "a.test"}, {"priority", 1}});
    CHECK(run.log.has("names skill 'a.test' but comes from 'b.test'"));
  }
  SUBCASE("none in the context") {
    run.assistant().bus().publish(
        Message("ovos.fallback.register", {{"skill_id", "b.test"}, {"priority", 1}}));
    CHECK(run.log.has("names skill 'b.test' but comes from ''"));
  }
  SUBCASE("none in the payload") {
    stranger.send("ovos.fallback.register", {{"priority", 1}});
    CHECK(run.log.has("names skill '' but comes from 'b.test'"));
  }
  SUBCASE("one that is no text") {
    stranger.send("ovos.fallback.register", {{"skill_id", 7}, {"priority", 1}});
    CHECK(run.log.has("names skill '' but comes from 'b.test'"));
  }
  CHECK(run.winner() == "a.test");
  CHECK(run.asked() == Names{"a.test"});
  honest.quit();
  CHECK(run.winner().empty());
}

TEST_CASE(
    "FALLBACK-1 §10 plugin MUST keep a registry per session: default's is everyone's, another's is its own") {
  FallbackRun run;
  run.start();
  run.remote("all.test", 60, answers(false));
  run.remote("kitchen.test", answers(false)).join(40, "kitchen");
  run.winner(session("kitchen"));
  CHECK(run.asked() == Names{"kitchen.test", "all.test"});
  run.winner(session("cellar"));
  CHECK(run.asked() == Names{"all.test"});
  run.winner(session("default"));
  CHECK(run.asked() == Names{"all.test"});
}

TEST_CASE("FALLBACK-1 §3.1 registering again replaces the priority") {
  FallbackRun run;
  run.start();
  BusSkill& mover = run.remote("a.test", 10, answers(false));
  run.remote("b.test", 20, answers(false));
  run.winner();
  CHECK(run.asked() == Names{"a.test", "b.test"});
  mover.join(30);
  run.winner();
  CHECK(run.asked() == Names{"b.test", "a.test"});
}

TEST_CASE("FALLBACK-1 §3.2 deregistering a skill that is not there does nothing, again neither") {
  FallbackRun run;
  run.start();
  run.remote("a.test", 10, answers(true));
  BusSkill& stranger = run.remote("b.test", answers(true));
  stranger.quit();
  stranger.quit("nowhere");
  CHECK(run.winner() == "a.test");
  CHECK_FALSE(run.log.has("fallback"));
}

TEST_CASE(
    "F-1 a priority that is no whole number: the registration is ignored with a warning, an earlier one "
    "stays") {
  FallbackRun run;
  run.start();
  BusSkill& skill = run.remote("a.test", 10, answers(false));
  run.remote("b.test", 20, answers(false));
  const std::vector<Json> wrong{"30", 30.0, 30.5, nullptr, true, Json::array({30}), Json::object()};
  for (const Json& priority : wrong) {
    CAPTURE(priority.dump());
    skill.join(priority);
    run.remote("c.test", answers(true)).join(priority);
  }
  skill.send("ovos.fallback.register", {{"skill_id", "a.test"}});
  run.winner();
  CHECK(run.asked() == Names{"a.test", "b.test"});
  CHECK(run.log.count("the fallback priority of skill 'a.test' must be a whole number") == wrong.size() + 1);
}

TEST_CASE("F-1 negative priorities, those above 100 and enormous ones are legal") {
  FallbackRun run;
  run.start();
  run.remote("above.test", answers(false)).join(101);
  run.remote("huge.test", answers(false)).join(std::numeric_limits<std::uint64_t>::max());
  run.remote("low.test", answers(false)).join(std::numeric_limits<std::int64_t>::min());
  run.remote("negative.test", answers(false)).join(-5);
  run.remote("zero.test", answers(false)).join(0);
  run.winner();
  CHECK(run.asked() == Names{"low.test", "negative.test", "zero.test", "above.test", "huge.test"});
}

TEST_CASE("F-1 registered in a session and in default: the session's priority holds there, and only there") {
  FallbackRun run;
  run.start();
  BusSkill& both = run.remote("both.test", 10, answers(false));
  both.join(90, "kitchen");
  run.remote("other.test", 50, answers(false));
  run.winner(session("kitchen"));
  CHECK(run.asked() == Names{"other.test", "both.test"});
  run.winner(session("cellar"));
  CHECK(run.asked() == Names{"both.test", "other.test"});
  both.quit("kitchen");
  run.winner(session("kitchen"));
  CHECK(run.asked() == Names{"both.test", "other.test"});
}

TEST_CASE("F-2 a deregistration counts only from the skill itself, and only in its session") {
  FallbackRun run;
  run.start();
  BusSkill& skill = run.remote("a.test", 10, answers(true));
  BusSkill& stranger = run.remote("b.test", answers(true));
  stranger.send("ovos.fallback.deregister", {{"skill_id", "a.test"}});
  CHECK(run.log.has("'ovos.fallback.deregister' names skill 'a.test' but comes from 'b.test'"));
  run.assistant().bus().publish(Message("ovos.fallback.deregister", {{"skill_id", "a.test"}}));
  CHECK(run.log.has("names skill 'a.test' but comes from ''"));
  skill.quit("kitchen");
  CHECK(run.winner(session("kitchen")) == "a.test");
  skill.join(10, "kitchen");
  skill.quit();
  CHECK(run.winner(session("kitchen")) == "a.test");
  CHECK(run.winner(session("cellar")).empty());
}

TEST_CASE("F-2 ovos.skill.deregister takes a skill out of the pool of its session, in its own name only") {
  FallbackRun run;
  run.start();
  BusSkill& skill = run.remote("a.test", 10, answers(true));
  skill.join(10, "kitchen");
  run.remote("b.test", answers(true)).send("ovos.skill.deregister", {{"skill_id", "a.test"}});
  CHECK(run.winner(session("cellar")) == "a.test");
  skill.send("ovos.skill.deregister", {{"skill_id", "a.test"}});
  CHECK(run.winner(session("cellar")).empty());
  CHECK(run.winner(session("kitchen")) == "a.test");
  skill.send("ovos.skill.deregister", {{"skill_id", "a.test"}}, "kitchen");
  CHECK(run.winner(session("kitchen")).empty());
}
