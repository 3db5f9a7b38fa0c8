// What lasts, here alone and in a cluster: the same tests for both.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/values.hpp"
#include "support/rows_of.hpp"

using namespace parley;
using namespace parley::testing;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

TEST_CASE(
    "K-2 storage, alone and in a cluster: versions, and a write over another one than expected is none") {
  for (const bool alone : {true, false}) {
    CAPTURE(alone);
    AloneOrNot fixture(alone);
    RowsOf& one = fixture.one();
    CHECK(one.get("milk") == "nothing");
    CHECK(one.put("milk", "1", 0) == "done");
    const auto first = one.version;
    CHECK(first > 0);
    CHECK(one.get("milk") == "1");
    CHECK(one.version == first);
    CHECK(one.put("milk", "2", 0) == "not done");
    CHECK(one.version == first);
    CHECK(one.put("milk", "2", first) == "done");
    CHECK(one.version > first);
    const auto second = one.version;
    CHECK(one.put("milk", "3", first) == "not done");
    CHECK(one.version == second);
    const int answers = one.answers;
    one.put("milk", "3", second + 100);
    fixture.world.loops.pass(2s);
    CHECK(one.answers == answers + 1);
    CHECK(one.version == second);
    CHECK(one.get("milk") == "2");
    CHECK(one.put("milk", std::nullopt, first) == "not done");
    CHECK(one.put("milk", std::nullopt, second) == "done");
    CHECK(one.get("milk") == "nothing");
    CHECK(one.put("milk", std::nullopt) == "not done");
    CHECK(one.put("milk", "4", 0) == "done");
    CHECK(one.version > second);
    CHECK(one.put("eggs", R"("with \n and \" in it")") == "done");
    CHECK(one.get("eggs") == R"("with \n and \" in it")");
  }
}

TEST_CASE("K-2 storage, alone and in a cluster: a skill has so many keys in one place") {
  for (const bool alone : {true, false}) {
    CAPTURE(alone);
    AloneOrNot fixture(alone);
    RowsOf& one = fixture.one();
    one.lasting.store->write(
        [](Database& database) {
          for (std::size_t i = 0; i < Storage::kMostKeys; ++i)
            values::take(database, shopping(), fmt::format("k{}", i), "1", i + 1, 1);
        },
        [](const std::string& failure) { CHECK(failure.empty()); });
    CHECK(one.put("one more", "1").starts_with("full: "));
    CHECK(one.get("one more") == "nothing");
  }
}

TEST_CASE(
    "K-3 schedule, alone and in a cluster: what is due is told of once, a rule again, and not if cancelled") {
  for (const bool alone : {true, false}) {
    CAPTURE(alone);
    AloneOrNot fixture(alone);
    RowsOf& one = fixture.one();
    CHECK(one.add("tea", 1s) == "tea");
    CHECK(one.add("eggs", 2s) == "eggs");
    CHECK(one.cancel("eggs") == "cancelled");
    fixture.world.loops.pass(5s);
    REQUIRE(one.told.size() == 1);
    CHECK(one.told[0].starts_with("tea@"));
    CHECK(one.add("water", 1s, ScheduleRule::period(1s)) == "water");
    fixture.world.loops.pass(3500ms);
    CHECK(one.told.size() == 4);
    CHECK(one.cancel("water") == "cancelled");
    fixture.world.loops.pass(5s);
    CHECK(one.told.size() == 4);
    CHECK(one.lasting.scheduler.list("clock.skill", "").empty());
  }
}

TEST_CASE("K-5 sessions, alone and in a cluster: how they were left, and one that was closed stays so") {
  for (const bool alone : {true, false}) {
    CAPTURE(alone);
    AloneOrNot fixture(alone);
    RowsOf& one = fixture.one();
    CHECK(one.leave_session("me", "Anna") == "open");
    CHECK(one.session("me") == "Anna");
    bool was_open = false;
    one.lasting.rows().close_session("local", "me", 10,
                                     [&](bool open, const std::string&) { was_open = open; });
    fixture.world.loops.settle();
    CHECK(was_open);
    CHECK(one.session("me") == "closed");
    CHECK(one.leave_session("me", "late", 9, 11) == "closed");
    CHECK(one.session("me") == "closed");
    CHECK(one.leave_session("me", "again", 20, 21) == "open");
    CHECK(one.session("me") == "again");
  }
}
