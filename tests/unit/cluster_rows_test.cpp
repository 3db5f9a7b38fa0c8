// What lasts in a cluster: NATS holds it, and every instance has a copy.
#include <doctest/doctest.h>

#include <random>

#include "store/values.hpp"
#include "support/rows_of.hpp"

using namespace parley;
using namespace parley::testing;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

TEST_CASE("cluster: a value that was acknowledged is there at all others, also when its instance is gone") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  CHECK(one.put("milk", "2") == "done");
  const auto version = one.version;
  CHECK(two.get("milk") == "2");
  CHECK(two.version == version);
  world.kill(one);
  RowsOf& three = world.add();
  CHECK(three.get("milk") == "2");
  CHECK(three.put("milk", "3", version) == "done");
  CHECK(two.get("milk") == "3");
  CHECK(two.put("milk", std::nullopt) == "done");
  CHECK(three.get("milk") == "nothing");
  CHECK(world.add().get("milk") == "nothing");
}

TEST_CASE("cluster: of two instances that write over the same version one wins, and the other learns of it") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  REQUIRE(one.put("milk", "0") == "done");
  const auto version = one.version;
  std::map<RowsOf*, bool> done;
  for (RowsOf* const instance : {&one, &two}) {
    ValueChange change(shopping(), "milk");
    change.json = instance == &one ? "1" : "2";
    change.expect = version;
    instance->lasting.rows().change(
        change, [&done, instance](StorageHost::Written written, Rows::Refused, const std::string&) {
          done[instance] = written.done;
          instance->version = written.version;
        });
  }
  world.loops.settle();
  REQUIRE(done.size() == 2);
  CHECK(done[&one] != done[&two]);
  CHECK(one.version == two.version);
  CHECK(one.get("milk") == (done[&one] ? "1" : "2"));
  CHECK(two.get("milk") == one.get("milk"));
}

TEST_CASE(
    "cluster: values that instances count together count right, whatever becomes of the answers of NATS") {
  RowsWorld world;
  std::mt19937 random(7);
  for (int i = 0; i < 3; ++i) world.add();
  int counted = 0, unknown = 0;
  for (int i = 0; i < 300; ++i) {
    RowsOf& one = *world.all[random() % 3];
    one.fabric->fails_writes = random() % 4 == 0;
    const std::string there = one.get("count");
    const auto version = there == "nothing" ? 0 : one.version;
    const int before = there == "nothing" ? 0 : std::stoi(there);
    const int answers = one.answers;
    std::string came = one.put("count", std::to_string(before + 1), version);
    if (one.answers == answers) {
      world.loops.pass(12s);
      came = "unknown";
    }
    counted += came == "done" ? 1 : 0;
    unknown += came == "unknown" || came.starts_with("failed") ? 1 : 0;
  }
  const int total = std::stoi(world.all[0]->get("count"));
  CHECK(total >= counted);
  CHECK(total <= counted + unknown);
  CHECK(counted > 250);
}

TEST_CASE("cluster: what is written while NATS is away is answered when it is back, or with why not") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  one.fabric->set_up(false);
  CHECK(one.put("milk", "2") == "nothing");
  CHECK(one.answers == 0);
  world.loops.pass(1s);
  one.fabric->set_up(true);
  world.loops.pass(1s);
  CHECK(one.answers == 1);
  CHECK(two.get("milk") == "2");
  one.fabric->set_up(false);
  one.put("eggs", "1");
  world.loops.pass(11s);
  CHECK(one.answers == 2);
  CHECK(one.get("eggs") == "nothing");
}

TEST_CASE("cluster: a write whose answer is lost is done once, and what was written since stays") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  one.fabric->deaf_to = "state";
  one.fabric->fails_writes = true;
  CHECK(one.put("milk", "1") == "nothing");
  CHECK(two.get("milk") == "1");
  CHECK(two.put("milk", "2") == "done");
  one.fabric->fails_writes = false;
  world.loops.pass(1s);
  CHECK(one.answers == 1);
  CHECK(two.get("milk") == "2");
  one.fabric->deaf_to.clear();
  for (const bool up : {false, true}) one.fabric->set_up(up);  // all is told again
  world.loops.settle();
  CHECK(one.get("milk") == "2");
  CHECK(world.add().get("milk") == "2");
}

TEST_CASE("cluster: who learns late that its write was done does not take it for the latest") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  one.fabric->deaf_to = "state";
  one.fabric->fails_writes = true;
  one.put("milk", "1");
  CHECK(two.put("milk", "2") == "done");
  one.fabric->deaf_to.clear();
  for (const bool up : {false, true}) one.fabric->set_up(up);
  world.loops.settle();
  CHECK(one.answers == 0);
  one.fabric->fails_writes = false;
  world.loops.pass(1s);
  CHECK(one.answers == 1);
  CHECK(one.get("milk") == "2");
}

TEST_CASE("cluster: a value that NATS does not take is refused with what it does") {
  RowsWorld world;
  RowsOf& one = world.add();
  one.fabric->payload = 64 << 10;
  const std::string came = one.put("milk", '"' + std::string(100'000, 'x') + '"');
  CHECK(came.find("max_payload") != std::string::npos);
  CHECK(one.get("milk") == "nothing");
  one.fabric->payload = 1 << 20;
  CHECK(one.put("milk", '"' + std::string(Storage::kLargestValue - 2, 'x') + '"') == "done");
}

TEST_CASE("cluster: a timer rings once, at who owns its session, and late when its owner is gone") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  two.is_owner = false;
  CHECK(two.add("tea", 1s) == "tea");
  world.loops.pass(2s);
  CHECK(one.told.size() == 1);
  CHECK(two.told.empty());
  CHECK(one.add("eggs", 5s) == "eggs");
  world.kill(one);
  world.loops.pass(8s);
  CHECK(two.told.empty());
  two.is_owner = true;
  two.lasting.scheduler.look_again();
  world.loops.pass(1s);
  REQUIRE(two.told.size() == 1);
  CHECK(two.told[0].starts_with("eggs@"));
  CHECK(two.late >= 3s);
  world.loops.pass(5s);
  CHECK(two.told.size() == 1);
  RowsOf& three = world.add();
  world.loops.pass(5s);
  CHECK(three.told.empty());
}

TEST_CASE("cluster: what is cancelled while its handler runs elsewhere does not come again") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  two.is_owner = false;
  one.ends_at_once = false;
  CHECK(one.add("water", 1s, ScheduleRule::period(1s)) == "water");
  world.loops.pass(1s);
  REQUIRE(one.running.size() == 1);
  CHECK(two.cancel("water") == "cancelled");
  one.running[0]();
  world.loops.pass(5s);
  CHECK(one.told.size() == 1);
  CHECK(one.lasting.scheduler.list("clock.skill", "").empty());
  CHECK(two.lasting.scheduler.list("clock.skill", "").empty());
}

TEST_CASE(
    "cluster: sessions are as the others left them, and one that is no owner any more changes nothing") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  CHECK(one.leave_session("default", "Anna") == "open");
  REQUIRE(two.sessions.size() == 1);
  CHECK(two.session("default") == "Anna");
  one.fabric->set_up(false);
  one.leave_session("default", "stale", 3, 4);
  CHECK(two.leave_session("default", "Berta", 5, 6) == "open");
  one.fabric->set_up(true);
  world.loops.pass(2s);
  CHECK(two.session("default") == "Berta");
  CHECK(one.session("default") == "Berta");
  one.lasting.rows().close_session("local", "default", 10, [](bool, const std::string&) {});
  world.loops.settle();
  CHECK(two.session("default") == "closed");
  CHECK(two.sessions.back().state == SessionState::kClosed);
}

TEST_CASE(
    "K-5 cluster: what is forgotten at one instance is nowhere any more, for those who come later as well") {
  RowsWorld world;
  RowsOf& one = world.add();
  RowsOf& two = world.add();
  for (RowsOf* const instance : {&one, &two})
    instance->place = StoragePlace("shop.skill", StorageScope::kSession, "local", "secret");
  CHECK(one.put("list", "\"truffles\"") == "done");
  CHECK(one.leave_session("secret", "Anna") == "open");
  CHECK(world.holds("truffles"));
  ForgetWhat what;
  what.owner = "local";
  what.session_id = "secret";
  std::string came = "no answer";
  one.lasting.rows().forget(what, true, [&](const Forgotten& gone, const std::string& failure) {
    came = failure.empty() ? std::to_string(gone.values) : failure;
  });
  world.loops.settle();
  CHECK(came == "1");
  CHECK_FALSE(world.holds("truffles"));
  CHECK_FALSE(world.holds("Anna"));
  CHECK(two.get("list") == "nothing");
  CHECK(two.session("secret") == "none");
  CHECK(two.forgotten.size() == 1);
  CHECK(world.add().session("secret") == "none");
}

TEST_CASE("cluster: what an instance kept before it joined is the cluster's, where that has nothing else") {
  RowsWorld world;
  RowsOf& one = world.add();
  CHECK(one.put("milk", "1") == "done");
  CHECK(one.put("gone", "1") == "done");
  CHECK(one.put("gone", std::nullopt) == "done");
  world.all.push_back(std::make_unique<RowsOf>(world.loops, &world.cloud));
  RowsOf& two = *world.all.back();
  two.lasting.store->write(
      [](Database& database) {
        for (const char* const key : {"milk", "gone", "eggs"})
          values::write(database, shopping(), key, "7", std::nullopt, 1);
        kept_sessions::put(database, "local", Session("default"), 1, 2);
      },
      [](const std::string&) {});
  two.join();
  world.loops.settle();
  for (RowsOf* const instance : {&one, &two}) {
    CHECK(instance->get("milk") == "1");
    CHECK(instance->get("gone") == "nothing");
    CHECK(instance->get("eggs") == "7");
  }
  CHECK(one.sessions.size() == 1);
}

TEST_CASE(
    "cluster: who reads before the cluster is there waits for it, and no longer when there will be none") {
  RowsWorld world;
  RowsOf& one = world.add();
  CHECK(one.put("milk", "1") == "done");
  RowsOf early(world.loops, &world.cloud);
  CHECK(early.get("milk") == "no answer");
  RowsOf alone(world.loops, &world.cloud);
  std::string came = "no answer";
  alone.lasting.rows().get(shopping(), "milk",
                           [&](const std::optional<StorageHost::Stored>& found, const std::string&) {
                             came = found ? found->json : "nothing";
                           });
  alone.shared->give_up("NATS is not there");
  world.loops.settle();
  CHECK(came == "nothing");
  CHECK(alone.put("milk", "2") == "failed: NATS is not there");
}
