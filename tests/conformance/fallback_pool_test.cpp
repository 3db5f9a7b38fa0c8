// In which order the pool is asked, and who is left out: OVOS-FALLBACK-1 §5, with F-1 and F-4.
#include "support/fallback_fixture.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// Four skills that want nothing, by priority: ten, thirty, sixty, ninety.
void add_four(FallbackRun& run) {
  run.remote("ninety.test", 90, answers(false));
  run.remote("ten.test", 10, answers(false));
  run.remote("sixty.test", 60, answers(false));
  run.remote("thirty.test", 30, answers(false));
}

Names asked_in(FallbackRun& run, Session session) {
  CHECK(run.winner(std::move(session)).empty());
  return run.asked();
}

const Names kByPriority{"ten.test", "thirty.test", "sixty.test", "ninety.test"};

}  // namespace

TEST_CASE("FALLBACK-1 §10 plugin MUST construct the pool per §5 on each match: preference, else priority") {
  FallbackRun run;
  run.start();
  add_four(run);
  SUBCASE("no preference") {
    CHECK(asked_in(run, Session("kitchen")) == kByPriority);
  }
  SUBCASE("an empty one") {
    CHECK(asked_in(run, prefers({})) == kByPriority);
  }
  SUBCASE("a whole one") {
    const Names wanted{"ninety.test", "ten.test", "sixty.test", "thirty.test"};
    CHECK(asked_in(run, prefers(wanted)) == wanted);
  }
  SUBCASE("a partial one: the others follow by priority") {
    CHECK(asked_in(run, prefers({"sixty.test"})) ==
          Names{"sixty.test", "ten.test", "thirty.test", "ninety.test"});
  }
  SUBCASE("one that changes from turn to turn") {
    CHECK(asked_in(run, prefers({"ninety.test"})).front() == "ninety.test");
    CHECK(asked_in(run, prefers({"sixty.test"})).front() == "sixty.test");
    CHECK(asked_in(run, Session("kitchen")) == kByPriority);
  }
}

TEST_CASE("FALLBACK-1 §5 preference: an unknown skill in it is passed over, and the trace says so") {
  FallbackRun run;
  run.traces();
  run.start();
  add_four(run);
  CHECK(asked_in(run, prefers({"stranger.test", "ninety.test", ""})) ==
        Names{"ninety.test", "ten.test", "thirty.test", "sixty.test"});
  CHECK(run.told("veto", "stranger.test", "preferred, but not registered"));
}

TEST_CASE("F-1 preference: a skill named twice is asked once, at its first place") {
  FallbackRun run;
  run.start();
  add_four(run);
  CHECK(asked_in(run, prefers({"ninety.test", "ten.test", "ninety.test"})) ==
        Names{"ninety.test", "ten.test", "thirty.test", "sixty.test"});
}

TEST_CASE("F-1 equal priorities are asked by skill_id") {
  FallbackRun run;
  run.start();
  for (const char* id : {"c.test", "a.test", "b.test"}) run.remote(id, 50, answers(false));
  CHECK(asked_in(run, Session("kitchen")) == Names{"a.test", "b.test", "c.test"});
}

TEST_CASE(
    "FALLBACK-1 §10 plugin SHOULD apply a configured range as §5 step 2: both ends in it, preferred or not") {
  FallbackRun run;
  run.range(30, 60);
  run.traces();
  run.start();
  add_four(run);
  CHECK(asked_in(run, Session("kitchen")) == Names{"thirty.test", "sixty.test"});
  CHECK(run.told("veto", "ten.test", "its priority 10 is outside of this entry's range"));
  CHECK(asked_in(run, prefers({"ninety.test", "sixty.test", "ten.test"})) ==
        Names{"sixty.test", "thirty.test"});
}

TEST_CASE("F-1 a range looks at the priority after the deployer's override") {
  FallbackRun run;
  run.range(0, 49);
  run.stage_options()["fallback_priorities"] = {{"ninety.test", 20}, {"ten.test", 75}, {"stranger.test", 0}};
  run.start();
  add_four(run);
  CHECK(asked_in(run, Session("kitchen")) == Names{"ninety.test", "thirty.test"});
}

TEST_CASE("F-4 fallback_priorities stand instead of what skills ask for, however often they register") {
  FallbackRun run;
  run.stage_options()["fallback_priorities"] = {{"ninety.test", 5}};
  run.start();
  add_four(run);
  run.remote("ninety.test", 95, answers(false)).join(80, "kitchen");
  CHECK(asked_in(run, Session("kitchen")).front() == "ninety.test");
}

TEST_CASE("FALLBACK-1 §5 availability: a preferred skill of another session is not asked") {
  FallbackRun run;
  run.start();
  add_four(run);
  run.remote("cellar.test", answers(true)).join(1, "cellar");
  CHECK(asked_in(run, prefers({"cellar.test"})) == kByPriority);
  CHECK(run.winner(prefers({"cellar.test"}, "cellar")) == "cellar.test");
}

TEST_CASE("FALLBACK-1 §5 policy: a blacklisted skill is not asked, preferred or not") {
  FallbackRun run;
  run.traces();
  Session strict = prefers({"sixty.test", "ten.test"});
  SUBCASE("by the session") {
    run.start();
    strict.blacklisted_skills = Names{"ten.test", "ninety.test", "stranger.test"};
  }
  SUBCASE("by the configuration, for a session that says nothing") {
    run.config.blacklisted_skills = {"ten.test", "ninety.test"};
    run.start();
  }
  add_four(run);
  CHECK(asked_in(run, strict) == Names{"sixty.test", "thirty.test"});
  CHECK(run.told("veto", "ten.test", "blacklisted for this session"));
}

TEST_CASE("F-4 fallback_mode: accept_all, whitelist and blacklist say who takes part") {
  FallbackRun run;
  run.traces();
  run.stage_options()["fallback_whitelist"] = {"ten.test", "sixty.test"};
  run.stage_options()["fallback_blacklist"] = {"sixty.test"};
  Names expected = kByPriority;
  SUBCASE("accept_all looks at neither list") {
    run.stage_options()["fallback_mode"] = "accept_all";
  }
  SUBCASE("whitelist: only those on it") {
    run.stage_options()["fallback_mode"] = "whitelist";
    expected = {"ten.test", "sixty.test"};
  }
  SUBCASE("blacklist: all but those on it") {
    run.stage_options()["fallback_mode"] = "blacklist";
    expected = {"ten.test", "thirty.test", "ninety.test"};
  }
  run.start();
  add_four(run);
  CHECK(asked_in(run, Session("kitchen")) == expected);
  const bool excluded = expected != kByPriority;
  CHECK(run.told("veto", "", "not allowed by fallback_mode") == excluded);
}

TEST_CASE("F-4 a preference does not overrule fallback_mode") {
  FallbackRun run;
  run.stage_options()["fallback_mode"] = "whitelist";
  run.stage_options()["fallback_whitelist"] = {"ten.test"};
  run.start();
  add_four(run);
  CHECK(asked_in(run, prefers({"ninety.test"})) == Names{"ten.test"});
}

TEST_CASE("FALLBACK-1 §5 an empty pool returns None at once: nobody is asked, no time passes") {
  FallbackRun run;
  run.start();
  SUBCASE("nobody registered") {}
  SUBCASE("everybody left out") {
    add_four(run);
    Session strict("kitchen");
    strict.blacklisted_skills = kByPriority;
    CHECK(asked_in(run, strict).empty());
  }
  SUBCASE("those registered have gone") {
    BusSkill& skill = run.remote("a.test", 10, answers(true));
    skill.quit();
  }
  Session nobody("kitchen");
  nobody.blacklisted_skills = kByPriority;
  CHECK(asked_in(run, nobody).empty());
  CHECK(run.waited.count() == 0);
  CHECK(run.one("ovos.intent.unmatched").data().at("lang") == "en-US");
}

TEST_CASE("FALLBACK-1 §8.2 entries with ranges are asked where they stand in the pipeline") {
  FallbackRun run;
  run.config.stages["fallback"] = installed_config().stages.at("fallback");
  run.config.pipeline = {"fallback_low", "fallback_high"};
  run.start();
  add_four(run);
  CHECK(asked_in(run, Session("kitchen")) == Names{"ninety.test", "ten.test", "thirty.test"});
  Session own("kitchen");
  own.pipeline = Names{"fallback_medium"};
  CHECK(asked_in(run, own) == Names{"sixty.test"});
  own.pipeline.reset();
  own.blacklisted_pipelines = Names{"fallback_low"};
  CHECK(asked_in(run, own) == Names{"ten.test", "thirty.test"});
  own.blacklisted_pipelines = Names{"fallback"};
  CHECK(asked_in(run, own).empty());
}

TEST_CASE(
    "FALLBACK-1 §10 deployment SHOULD position fallback after intent matching: so does what comes along") {
  const Config& shipped = installed_config();
  const Names& pipeline = shipped.pipeline;
  for (const char* tier : {"high", "medium", "low"}) {
    const auto intent = std::find(pipeline.begin(), pipeline.end(), std::string("intent_") + tier);
    const auto fallback = std::find(pipeline.begin(), pipeline.end(), std::string("fallback_") + tier);
    REQUIRE(intent != pipeline.end());
    REQUIRE(fallback != pipeline.end());
    CHECK(intent < fallback);
  }
  CHECK(pipeline.back() == "fallback_low");
  const auto& entries = shipped.stages.at("fallback").entries;
  CHECK(entries.at("fallback_high").at("priority") == Json{0, 49});
  CHECK(entries.at("fallback_medium").at("priority") == Json{50, 74});
  CHECK(entries.at("fallback_low").at("priority") == Json{75, 100});
}
