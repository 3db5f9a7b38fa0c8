// What is to come for a skill, within the life of one process.
#include <doctest/doctest.h>

#include "support/spoken_fixture.hpp"

using namespace parley::testing;
using namespace std::chrono_literals;
using parley::Json;

TEST_CASE("K-3: what is due is a dispatch with a trio of its own, in its session and language") {
  parley::SessionPtr seen;
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   Json payload = {{"name", "pasta"}};
                   co_await self.schedule().at(self.clock().wall() + 10min, "ring", payload, turn);
                 },
                 [&seen](LambdaSkill& self) {
                   self.on_due("ring", [&seen](parley::Due due) -> parley::Task<> {
                     seen = due.turn.session();
                     due.turn.speak(due.payload().at("name").get<std::string>() + " " + due.turn.lang() +
                                    " " + due.turn.owner());
                     CHECK(due.late == 0ns);
                     CHECK(due.due_id.starts_with(due.id() + "@"));
                     co_return;
                   });
                 }),
             {"go"});
  auto session = std::make_shared<parley::Session>("kitchen");
  session->lang = "de-DE";
  session->site_id = "stove";
  const auto anna = std::make_shared<const parley::Sender>(7, "client", "anna");
  run.say("go", session, anna);
  run.heard.clear();
  run.spoken.clear();
  run.core().run_for(11min);
  CHECK(run.spoken == Names{"pasta de-DE anna"});
  REQUIRE(seen);
  CHECK(seen->session_id == "kitchen");
  CHECK(seen->site_id == "stove");
  Names topics;
  for (const auto& message : run.heard) {
    topics.push_back(message.type());
    CHECK(message.session_id() == "kitchen");
    CHECK(message.context().skill_id == "keeper.test");
  }
  CHECK(topics == Names{"keeper.test:due", "ovos.intent.handler.start", "ovos.utterance.speak",
                        "ovos.intent.handler.complete"});
  const Json& data = run.heard.front().data();
  CHECK(data.at("name") == "ring");
  CHECK(data.at("payload") == Json{{"name", "pasta"}});
  CHECK(data.at("late_ms") == 0);
  CHECK(data.contains("due_id"));
}

TEST_CASE("K-3: a handler of what is due that throws is an error, and it is not told again") {
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   co_await self.schedule().at(self.clock().wall() - 5min, "ring", Json::object(), turn);
                 },
                 [](LambdaSkill& self) {
                   self.on_due("ring", [](parley::Due due) -> parley::Task<> {
                     CHECK(due.late == 5min);
                     throw std::runtime_error("no bell");
                     co_return;
                   });
                 }),
             {"go"});
  run.say("go");
  run.core().run_for(2h);
  CHECK(run.count("keeper.test:due") == 1);
  CHECK(run.count("ovos.intent.handler.error") == 1);
}

TEST_CASE("K-3: a stop ends the handler of what is due, and a handler that hangs is ended by its bound") {
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   co_await self.schedule().at(self.clock().wall(), "ring", Json::object(), turn);
                 },
                 [](LambdaSkill& self) {
                   self.on_due("ring", [](parley::Due due) -> parley::Task<> {
                     co_await due.turn.sleep(24h);
                     due.turn.speak("never");
                   });
                 }),
             {"go"});
  run.say("go", called("kitchen"));
  run.core().run_for(1s);
  parley::Context context;
  context.session = called("kitchen");
  run.core().bus().publish(parley::Message("ovos.stop", Json::object(), context));
  run.core().run_for(1s);
  CHECK(run.count("ovos.intent.handler.error") == 1);
  const auto ended = std::find_if(run.heard.begin(), run.heard.end(), [](const auto& message) {
    return message.type() == "ovos.intent.handler.error";
  });
  REQUIRE(ended != run.heard.end());
  CHECK(ended->text("exception") == "cancelled: stopped");
  run.say("go", called("kitchen"));
  run.core().run_for(48h);
  CHECK(run.count("ovos.intent.handler.error") == 2);
  CHECK(run.spoken.empty());
}

TEST_CASE("K-3: a rule comes again and again, once for all that was missed, until it is cancelled") {
  std::vector<parley::Duration> late;
  Names ids;
  Spoken run(goes(
                 [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
                   const auto rule = parley::ScheduleRule::daily(7h);
                   co_await self.schedule().repeat(rule, "ring", Json::object(), turn);
                   const auto list = co_await self.schedule().list();
                   turn.speak(std::to_string(list.size()));
                 },
                 [&](LambdaSkill& self) {
                   self.on_due("ring", [&](parley::Due due) -> parley::Task<> {
                     late.push_back(due.late);
                     ids.push_back(due.due_id);
                     if (late.size() == 3) CHECK(co_await self.schedule().cancel(due.id()));
                   });
                 }),
             {"go"});
  CHECK(run.say("go") == "1");
  run.core().run_for(48h);
  CHECK(late.size() == 2);
  // The calendar is set on by ten days and an hour: only the last of the times that passed is told.
  run.core().jumping_clock()->set_wall(run.core().clock().wall() + 241h);
  run.core().run_for(2h);
  REQUIRE(late.size() == 3);
  CHECK(late[2] > 0h);
  CHECK(late[2] < 24h);
  run.core().run_for(72h);
  CHECK(late.size() == 3);
  std::sort(ids.begin(), ids.end());
  CHECK(std::unique(ids.begin(), ids.end()) == ids.end());
}

TEST_CASE("schedule: what nobody listens to and what is too much is refused with the reason") {
  Spoken run(
      goes(
          [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
            std::string refused;
            try {
              co_await self.schedule().at(self.clock().wall(), "bell", Json::object(), turn);
            } catch (const std::invalid_argument& error) {
              refused = error.what();
            }
            CHECK(refused == "the skill has no on_due(\"bell\", …)");
            for (std::size_t i = 0; i < parley::Schedule::kMost; ++i) {
              co_await self.schedule().at(self.clock().wall() + 1h, "ring", Json::object(), turn);
            }
            try {
              co_await self.schedule().at(self.clock().wall() + 1h, "ring", Json::object(), turn);
            } catch (const parley::StorageError& error) {
              refused = error.what();
            }
            turn.speak(refused);
          },
          [](LambdaSkill& self) { self.on_due("ring", [](parley::Due) -> parley::Task<> { co_return; }); }),
      {"go"});
  CHECK(run.say("go") == "1000 things are to come for 'keeper.test' already: cancel some");
}

TEST_CASE("schedule: a name has one on_due, and cancel knows only what is to come") {
  Spoken run(
      goes(
          [](LambdaSkill& self, parley::Turn turn) -> parley::Task<> {
            CHECK_THROWS_AS(self.on_due("ring", [](parley::Due) -> parley::Task<> { co_return; }),
                            std::invalid_argument);
            CHECK_FALSE(co_await self.schedule().cancel("nothing"));
            const auto id =
                co_await self.schedule().at(self.clock().wall() + 1h, "ring", Json::object(), turn);
            CHECK(co_await self.schedule().cancel(id));
            CHECK_FALSE(co_await self.schedule().cancel(id));
            turn.speak("done");
          },
          [](LambdaSkill& self) { self.on_due("ring", [](parley::Due) -> parley::Task<> { co_return; }); }),
      {"go"});
  CHECK(run.say("go") == "done");
  run.core().run_for(2h);
  CHECK(run.count("keeper.test:due") == 0);
}
