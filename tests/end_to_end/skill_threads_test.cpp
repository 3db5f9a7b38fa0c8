// Skills on real threads.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <latch>
#include <semaphore>
#include <set>
#include <thread>

#include "runtime/http.hpp"
#include "runtime/scope.hpp"
#include "runtime/workers.hpp"
#include "skill/skill_host.hpp"
#include "store/lasting.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// A skill whose intent is "go <name>".
void add_skill(EndToEnd& run, const std::string& name, const Handler& handler) {
  run.locale(name + ".test", "en-US/go.intent", "go " + name + "\n");
  run.skill(name + ".test", [handler](LambdaSkill& skill) { skill.on_intent("go", handler); });
}

std::vector<TurnResult> say_all(EndToEnd& run, const std::vector<std::string>& texts) {
  std::vector<EndToEnd::Pending> turns;
  for (const auto& text : texts) turns.push_back(run.begin(text, session(std::to_string(turns.size()))));
  std::vector<TurnResult> results;
  for (const auto& turn : turns) results.push_back(run.finish(turn));
  return results;
}

}  // namespace

TEST_CASE("stages: what one has computed away from the loop holds up no skill") {
  std::latch computing(1), answered(1);  // the work may look at them until its thread has ended
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.workers = 1;
  run.config.pipeline = {"thinker", "intent_high"};
  add_skill(run, "anna", does([](Turn& turn) { turn.speak("at once"); }));
  auto thinker = std::make_unique<LambdaStage>(at_once([](const MatchRequest&) { return std::nullopt; }));
  Subscription work;
  thinker->on_start = [&](LambdaStage& stage) {
    work = stage.services().spawn(stage.services().run_blocking([&] {
      computing.count_down();
      answered.wait();
    }));
  };
  run.make().add_stage("thinker", std::move(thinker));
  run.assistant().start();
  computing.wait();
  CHECK(run.say("go anna").speech_text() == "at once");
  answered.count_down();
}

// What is waited for before the work may go on is read relaxed: that makes no order between threads, so the
// thread sanitizer sees if closing touches, on the other thread, anything of the work's.
TEST_CASE("scope: closing leaves work that blocks alone, and waits for it") {
  std::latch go_on(1), idle(1);
  std::atomic<bool> begun{false}, passed_by{false};
  const auto seen = [until = std::chrono::steady_clock::now() + 1min](const std::atomic<bool>& event) {
    while (!event.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() < until)
      std::this_thread::yield();
    return event.load(std::memory_order_relaxed);
  };
  Workers workers(2);
  Scope scope;
  REQUIRE(scope.run_blocking(workers.executor(), [&] {
    begun.store(true, std::memory_order_relaxed);
    go_on.wait();
  }));
  CHECK(seen(begun));
  scope.close();
  CHECK_FALSE(scope.run_blocking(workers.executor(), [] {}));
  boost::asio::post(workers.executor(), [&] { passed_by.store(true, std::memory_order_relaxed); });
  CHECK(seen(passed_by));  // and so is whatever closing left for the other thread
  CHECK(scope.running() == 1);
  scope.when_idle([&] { idle.count_down(); });
  go_on.count_down();
  idle.wait();
  CHECK(scope.running() == 0);
}

TEST_CASE("stages: an assistant that ends while the intent stage learns ends without a word about it") {
  const LogLines log;
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.pipeline = {"intent_low"};
  std::string templates;
  for (int i = 0; i < 300; ++i) templates += fmt::format("(put|lay|set) the thing {} on the {{place}}\n", i);
  run.locale("anna.test", "en-US/go.intent", templates);
  run.locale("anna.test", "en-US/place.entity", "table\nfloor\nshelf\n");
  run.skill("anna.test", [](LambdaSkill& skill) { skill.on_intent("go", does([](Turn&) {})); });
  run.start();
  const auto turn = run.begin("shelf the thing");  // which only what was learnt could understand
  run.until([&] { return run.count("ovos.utterance.handle") == 1; });
  run.destroy();
  CHECK(log.count("learning") == 0);
  CHECK(log.count("[stage intent]") == 0);
}

TEST_CASE("strands: handlers of two skills run at the same time") {
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.workers = 2;
  std::latch both(2);
  const Handler meet = does([&both](Turn& turn) {
    both.arrive_and_wait();
    turn.speak("met");
  });
  add_skill(run, "anna", meet);
  add_skill(run, "bert", meet);
  run.start();
  for (const auto& result : say_all(run, {"go anna", "go bert"})) CHECK(result.speech_text() == "met");
}

TEST_CASE("strands: handlers of one skill never run at the same time, and interleave where they wait") {
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.workers = 4;
  std::atomic<int> inside{0}, most_inside{0};
  int under_way = 0, most_under_way = 0;  // unguarded: what the strand promises
  const auto work = [&inside, &most_inside] {
    most_inside = std::max(most_inside.load(), ++inside);
    std::this_thread::yield();
    --inside;
  };
  add_skill(run, "anna", [&](Turn turn) -> Task<> {
    most_under_way = std::max(most_under_way, ++under_way);
    for (int i = 0; i < 5; ++i) {
      work();
      co_await turn.sleep(1ms);
    }
    --under_way;
    turn.speak("done");
  });
  run.start();
  for (const auto& result : say_all(run, std::vector<std::string>(20, "go anna"))) {
    CHECK(result.speech_text() == "done");
  }
  CHECK(most_inside == 1);
  CHECK(most_under_way > 1);
  CHECK(under_way == 0);
}

TEST_CASE("threads: own gives a skill a thread that runs nobody else") {
  EndToEnd run(EndToEnd::Time::kReal);
  run.config.workers = 1;
  run.config.skills.options["loner.test"].threads = SkillThreads::kOwn;
  std::set<std::thread::id> own, shared;
  add_skill(run, "loner", does([&own](Turn&) { own.insert(std::this_thread::get_id()); }));
  add_skill(run, "anna", does([&shared](Turn&) { shared.insert(std::this_thread::get_id()); }));
  add_skill(run, "bert", does([](Turn&) {}));
  run.start();
  for (int i = 0; i < 5; ++i) say_all(run, {"go loner", "go anna", "go bert"});
  run.destroy();
  REQUIRE(own.size() == 1);
  CHECK_FALSE(shared.empty());
  CHECK_FALSE(shared.contains(*own.begin()));
  CHECK_FALSE(own.contains(std::this_thread::get_id()));
  CHECK_FALSE(shared.contains(std::this_thread::get_id()));
}

TEST_CASE(
    "start: one that never returns is refused after ten seconds, and leaves nothing when it does return") {
  const LogLines log;
  boost::asio::io_context loop;
  const auto guard = boost::asio::make_work_guard(loop);
  JumpingClock clock;
  Timers timers(clock);
  Bus bus(timers);
  Counters counters;
  Workers workers(2);
  GivenAnswers http;
  const auto at_once = [](const std::function<void()>& work) { work(); };
  auto lasting = std::make_shared<Lasting>(make_memory_store(), timers, at_once, at_once);
  auto keeping = std::make_shared<KeepingHere>(std::move(lasting), loop.get_executor(), clock);
  SkillHost host(bus, counters, loop.get_executor(), workers, http, std::move(keeping), true);
  std::vector<std::string> topics;
  const auto tap =
      bus.subscribe("*", [&topics](const Message& message) { topics.push_back(message.type()); });
  const auto add = [&](const std::string& id, std::function<void(LambdaSkill&)> start,
                       std::function<void(std::string, bool)> done) {
    host.add(std::make_shared<const TurnEnvironment>(id, bus, counters, loop.get_executor(),
                                                     LocaleResources(), "UTC"),
             std::make_unique<LambdaSkill>(std::move(start)), {}, Settings(), SkillRunOptions(),
             std::move(done));
  };
  const auto run_until = [&loop](const std::function<bool()>& condition) {
    while (!condition() && loop.run_one_for(1min) > 0) {
    }
    return condition();
  };

  std::binary_semaphore entered(0), leave(0);
  std::string failure;
  bool stuck = false, other_runs = false;
  add(
      "slow.test",
      [&](LambdaSkill& skill) {
        skill.emit(Message("slow.test.here"));
        entered.release();
        leave.acquire();
      },
      [&](std::string said, bool is_stuck) {
        failure = std::move(said);
        stuck = is_stuck;
      });
  entered.acquire();
  add(
      "quick.test", [](LambdaSkill&) {}, [&](const std::string& said, bool) { other_runs = said.empty(); });
  CHECK(run_until([&] { return other_runs; }));

  clock.advance_to(clock.now() + 10s);
  timers.fire_due();
  CHECK(failure.empty());  // it gets a moment to come to an end
  CHECK_FALSE(host.hosts("slow.test"));
  clock.advance_to(clock.now() + 2s);
  timers.fire_due();
  CHECK(failure == "its start() did not return within 10 s");
  CHECK(stuck);
  CHECK(host.has_stuck());
  CHECK(log.has("[skill slow.test] did not come to an end within 2 s"));

  leave.release();
  CHECK(run_until([&] { return !host.has_stuck(); }));
  CHECK_FALSE(host.hosts("slow.test"));
  CHECK(bus.presence().of("slow.test") == Presence::kNone);
  CHECK(topics.empty());
  CHECK(host.hosts("quick.test"));

  bool gone = false;
  host.remove("quick.test", [&gone](bool is_gone) { gone = is_gone; });
  CHECK(run_until([&] { return gone; }));
}
