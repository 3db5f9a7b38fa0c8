// K-5: what time does to sessions, and what skills may say about theirs.
#include "app/session_keeper.hpp"
#include "orchestrator/orchestrator.hpp"
#include "store/session_rows.hpp"
#include "store/store.hpp"
#include "support/spoken_fixture.hpp"

using namespace parley::testing;
using namespace std::chrono_literals;
using parley::Session;

namespace {

std::unique_ptr<parley::Skill> speaker() {
  return goes([](LambdaSkill&, parley::Turn turn) -> parley::Task<> {
    turn.change_session([](Session& session) { session.persona_id = "known"; });
    turn.speak("here");
    co_return;
  });
}

std::string kept_state(Spoken& run, const std::string& id) {
  std::string state = "none";
  const auto before = run.core().sessions().idle_before();
  run.core().store().read(
      [&](parley::Database& database) {
        if (const auto found = parley::kept_sessions::find(database, "local", id, before))
          state = parley::to_string(found->state);
      },
      [](const std::string& failure) { CHECK(failure.empty()); });
  return state;
}

const Session& default_of(Spoken& run) {
  return *run.core().orchestrator().sessions().current();
}

}  // namespace

TEST_CASE(
    "K-5 idle: after half an hour without a turn nobody has the floor of the default session any more") {
  const TemporaryFolder folder;
  Spoken run(speaker(), {"go"}, folder.path() / "parley.db");
  CHECK(run.say("go") == "here");
  REQUIRE(default_of(run).active_handlers);
  run.core().run_for(29min);
  CHECK(kept_state(run, "default") == "open");
  CHECK(default_of(run).active_handlers);
  run.core().run_for(2min);
  CHECK(kept_state(run, "default") == "idle");
  CHECK_FALSE(default_of(run).active_handlers);
  CHECK_FALSE(default_of(run).converse_handlers);
  CHECK(default_of(run).persona_id == "known");
}

TEST_CASE(
    "K-5 idle: a session without a turn is idle after half an hour, closed after a week, and forgotten "
    "later") {
  const TemporaryFolder folder;
  Spoken run(speaker(), {"go"}, folder.path() / "parley.db");
  run.say("go", called("kitchen"));
  CHECK(kept_state(run, "kitchen") == "open");
  run.core().run_for(31min);
  CHECK(kept_state(run, "kitchen") == "idle");
  run.core().run_for(24h * 7);
  CHECK(kept_state(run, "kitchen") == "closed");
  run.core().run_for(24h * 31);
  CHECK(kept_state(run, "kitchen") == "none");
}

TEST_CASE("K-5 default: after a restart it is as it was, but the floor of one that was idle is gone") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  std::chrono::system_clock::time_point now;
  {
    Spoken run(speaker(), {"go"}, file);
    run.say("go");
    now = run.core().clock().wall();
  }
  {
    Spoken run(speaker(), {"go"}, file, now + 1min);
    CHECK(default_of(run).persona_id == "known");
    CHECK(default_of(run).active_handlers);
  }
  Spoken run(speaker(), {"go"}, file, now + 2h);
  CHECK(default_of(run).persona_id == "known");
  CHECK_FALSE(default_of(run).active_handlers);
}
