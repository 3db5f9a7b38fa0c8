// What counts as an answer to a fallback ping: F-3.
#include "support/fallback_fixture.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// Answers as `pong` says, made from the ping.
BusSkill::Reply publishes(Assistant& core, std::function<Message(const Message& ping)> pong) {
  return [&core, pong = std::move(pong)](BusSkill&, const Message& ping) { core.bus().publish(pong(ping)); };
}
Json yes(const std::string& skill_id) {
  return {{"skill_id", skill_id}, {"can_handle", true}};
}

}  // namespace

TEST_CASE("F-3 a malformed pong from the skill that was asked is a no at once") {
  FallbackRun run;
  run.traces();
  run.start();
  BusSkill& skill = run.remote("a.test", 10, stays_silent());
  run.remote("b.test", 20, answers(true));
  auto& core = run.assistant();
  SUBCASE("can_handle is no boolean") {
    skill.replies(answers_with({{"skill_id", "a.test"}, {"can_handle", 1}}));
  }
  SUBCASE("can_handle is a text") {
    skill.replies(answers_with({{"skill_id", "a.test"}, {"can_handle", "true"}}));
  }
  SUBCASE("can_handle is missing") {
    skill.replies(answers_with({{"skill_id", "a.test"}}));
  }
  SUBCASE("skill_id is missing") {
    skill.replies(answers_with({{"can_handle", true}}));
  }
  SUBCASE("skill_id is another's") {
    skill.replies(answers_with(yes("b.test")));
  }
  SUBCASE("nothing is in it") {
    skill.replies(answers_with(Json::object()));
  }
  SUBCASE("it says its name in the payload only") {
    skill.replies(publishes(core, [](const Message& ping) {
      return ping.reply("a.test.fallback.pong", {{"skill_id", "a.test"}, {"can_handle", nullptr}});
    }));
  }
  CHECK(run.winner() == "b.test");
  CHECK(run.waited == 0ms);
  CHECK(run.told("answer", "a.test", "neither yes nor no"));
  CHECK(run.log.has("the fallback pong of skill 'a.test' must have its own 'skill_id' and a boolean"));
  CHECK(core.counters().of(kSilentCount) == 0);
}

TEST_CASE("F-3 a pong that is not the asked skill's for this round is ignored: the wait goes on") {
  FallbackRun run;
  run.start();
  auto& core = run.assistant();
  BusSkill& skill = run.remote("a.test", 10, stays_silent());
  BusSkill& stranger = run.remote("b.test", stays_silent());
  SUBCASE("a stranger's, in its own name") {
    skill.replies([&](BusSkill&, const Message& ping) {
      stranger.send("a.test.fallback.pong", yes("b.test"), ping.session_id());
    });
  }
  SUBCASE("a stranger's, in the name of the skill") {
    skill.replies([&](BusSkill&, const Message& ping) {
      stranger.send("a.test.fallback.pong", yes("a.test"), ping.session_id());
    });
  }
  SUBCASE("one of another session") {
    skill.replies(
        [](BusSkill& self, const Message&) { self.send("a.test.fallback.pong", yes("a.test"), "cellar"); });
  }
  SUBCASE("one of no session") {
    skill.replies(
        publishes(core, [](const Message&) { return Message("a.test.fallback.pong", yes("a.test")); }));
  }
  SUBCASE("one of another turn") {
    skill.replies(publishes(core, [](const Message& ping) {
      Context context = ping.context();
      context.utterance_id = "another turn";
      return Message("a.test.fallback.pong", yes("a.test"), context);
    }));
  }
  SUBCASE("one on the topic of another skill") {
    skill.replies(publishes(
        core, [](const Message& ping) { return ping.reply("b.test.fallback.pong", yes("a.test")); }));
  }
  SUBCASE("one of another type") {
    skill.replies(publishes(
        core, [](const Message& ping) { return ping.reply("a.test.converse.pong", yes("a.test")); }));
  }
  CHECK(run.winner().empty());
  CHECK(run.waited == 500ms);
  CHECK(core.counters().of(kSilentCount) == 1);
}

TEST_CASE("F-3 a pong without utterance_id counts by its session") {
  FallbackRun run;
  run.start();
  run.remote("a.test", 10, answers_with(yes("a.test")));
  CHECK(run.winner() == "a.test");
  CHECK(run.waited == 0ms);
}

TEST_CASE("F-3 a pong of the skill counts also where another skill put the utterance on the bus") {
  FallbackRun run;
  run.start();
  run.remote("a.test", 10, answers(true));
  BusSkill& alarm = run.remote("alarm.test", stays_silent());
  alarm.send("ovos.utterance.handle", {{"utterances", {"what now"}}}, "kitchen");
  REQUIRE(run.until([&] { return run.count("ovos.utterance.handled") == 1; }));
  CHECK(run.one("ovos.intent.matched").text("skill_id") == "a.test");
}

TEST_CASE("F-3 the first pong counts: a second one changes nothing") {
  FallbackRun run;
  run.start();
  const auto twice = [](bool first, bool second) {
    return [=](BusSkill& self, const Message& ping) {
      self.pong(ping, first);
      self.pong(ping, second);
    };
  };
  BusSkill& skill = run.remote("a.test", 10, twice(false, true));
  CHECK(run.winner().empty());
  skill.replies(twice(true, false));
  CHECK(run.winner() == "a.test");
  CHECK(run.count("ovos.intent.matched") == 1);
}

TEST_CASE("F-3 a pong that comes late is of no use to its own round, nor to the next one") {
  FallbackRun run;
  run.start();
  std::optional<Message> first;
  BusSkill& skill = run.remote("a.test", 10, [&](BusSkill& self, const Message& ping) {
    if (first) self.pong(*first, true);
    first = ping;
  });
  CHECK(run.winner().empty());
  skill.pong(*first, true);
  CHECK(run.count("ovos.intent.matched") == 0);
  CHECK(run.winner().empty());
  CHECK(run.waited == 500ms);
}

TEST_CASE("F-3 a pong from a skill whose turn is not yet is not kept for it") {
  FallbackRun run;
  run.start();
  BusSkill& eager = run.remote("b.test", 20, stays_silent());
  run.remote("a.test", 10, [&](BusSkill& self, const Message& ping) {
    eager.send("b.test.fallback.pong", yes("b.test"), ping.session_id());
    self.pong(ping, false);
  });
  CHECK(run.winner().empty());
  CHECK(run.asked() == Names{"a.test", "b.test"});
}
