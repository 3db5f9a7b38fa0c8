// What is to come, over an end of the process.
#include <doctest/doctest.h>

#include "store/store.hpp"
#include "support/spoken_fixture.hpp"

using namespace parley::testing;
using namespace std::chrono_literals;
using parley::Json;

namespace {

/// What a skill was told of.
struct Rang {
  std::vector<parley::Duration> late;
  Names ids, names;
};

/// `go` schedules one ring in ten minutes, `daily` one at seven each day.
std::unique_ptr<parley::Skill> rings(Rang& rang) {
  return std::make_unique<LambdaSkill>([&rang](LambdaSkill& self) {
    self.on_intent("go", [&self](parley::Turn turn) -> parley::Task<> {
      Json payload = {{"name", "pasta"}};
      co_await self.schedule().at(self.clock().wall() + 10min, "ring", payload, turn);
      Json cups(2);
      co_await self.storage().put("cups", cups);
      turn.speak("set");
    });
    self.on_intent("daily", [&self](parley::Turn turn) -> parley::Task<> {
      const auto rule = parley::ScheduleRule::daily(7h);
      co_await self.schedule().repeat(rule, "ring", Json::object(), turn);
    });
    self.on_intent("cups", [&self](parley::Turn turn) -> parley::Task<> {
      const auto cups = co_await self.storage().get("cups");
      turn.speak(cups ? cups->dump() : "none");
    });
    self.on_due("ring", [&rang](parley::Due due) -> parley::Task<> {
      rang.late.push_back(due.late);
      rang.ids.push_back(due.due_id);
      rang.names.push_back(due.payload().value("name", "-"));
      due.turn.speak("ring in " + due.turn.session_id() + " for " + due.turn.owner());
      co_return;
    });
  });
}

const Names& ring_words() {
  static const Names all{"go", "daily", "cups"};
  return all;
}

}  // namespace

TEST_CASE("K-3: what is to come survives a restart, with its session, owner and payload") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  Rang rang;
  std::chrono::system_clock::time_point now;
  {
    Spoken run(rings(rang), ring_words(), file);
    CHECK(run.core().store().file() == file);
    const auto anna = std::make_shared<const parley::Sender>(7, "client", "anna");
    CHECK(run.say("go", called("kitchen"), anna) == "set");
    now = run.core().clock().wall();
  }
  Spoken run(rings(rang), ring_words(), file, now + 4min);
  CHECK(run.say("cups") == "2");
  run.spoken.clear();
  run.core().run_for(5min);
  CHECK(rang.ids.empty());
  run.core().run_for(2min);
  CHECK(run.spoken == Names{"ring in kitchen for anna"});
  CHECK(rang.names == Names{"pasta"});
  CHECK(rang.late.front() < 1s);
}

TEST_CASE("K-3: what was due while nobody was there is told late and once, after that never again") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  Rang rang;
  std::chrono::system_clock::time_point now;
  {
    Spoken run(rings(rang), ring_words(), file);
    run.say("go");
    run.say("daily");
    now = run.core().clock().wall();
  }
  {
    Spoken run(rings(rang), ring_words(), file, now + 73h);
    run.core().run_for(1s);
    REQUIRE(rang.late.size() == 2);
    CHECK(rang.late[0] > 72h);  // the timer
    CHECK(rang.late[1] < 24h);  // only the latest of the mornings
  }
  Spoken run(rings(rang), ring_words(), file, now + 74h);
  run.core().run_for(1min);
  CHECK(rang.late.size() == 2);
  run.core().run_for(24h);
  CHECK(rang.late.size() == 3);
}

TEST_CASE("K-3: what was being told when the process ended is told again, with the same due_id") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  Names ids;
  const auto skill = [&ids](bool hangs) {
    return std::make_unique<LambdaSkill>([&ids, hangs](LambdaSkill& self) {
      self.on_intent("go", [&self](parley::Turn turn) -> parley::Task<> {
        co_await self.schedule().at(self.clock().wall() + 1min, "ring", Json::object(), turn);
      });
      self.on_due("ring", [&ids, hangs](parley::Due due) -> parley::Task<> {
        ids.push_back(due.due_id);
        if (hangs) co_await due.turn.sleep(1h);
      });
    });
  };
  std::chrono::system_clock::time_point now;
  {
    Spoken run(skill(true), {"go"}, file);
    run.say("go");
    run.core().run_for(61s);
    CHECK(ids.size() == 1);
    now = run.core().clock().wall();
  }
  Spoken run(skill(false), {"go"}, file, now);
  run.core().run_for(1s);
  REQUIRE(ids.size() == 2);
  CHECK(ids[0] == ids[1]);
}

TEST_CASE("K-3: what is due for a skill that is not there waits until it is") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  Rang rang;
  std::chrono::system_clock::time_point now;
  {
    Spoken run(rings(rang), ring_words(), file);
    run.say("go");
    now = run.core().clock().wall();
  }
  {
    auto other =
        std::make_unique<LambdaSkill>([](LambdaSkill&) { throw std::runtime_error("broken today"); });
    Spoken run(std::move(other), {"go"}, file, now);
    run.core().run_for(24h);
  }
  Spoken run(rings(rang), ring_words(), file, now + 24h);
  run.core().run_for(1s);
  CHECK(rang.names == Names{"pasta"});
}

TEST_CASE("store: a file that can't be used is said at the start, and turns go on in memory") {
  const TemporaryFolder folder;
  const auto file = folder.write("parley.db", std::string(500, 'a'));
  Rang rang;
  Spoken run(rings(rang), ring_words(), file);
  CHECK(run.core().store_trouble().find("it is no database") != std::string::npos);
  CHECK(run.say("go") == "set");
  CHECK(run.say("cups") == "2");
  run.core().run_for(11min);
  CHECK(rang.names == Names{"pasta"});
}
