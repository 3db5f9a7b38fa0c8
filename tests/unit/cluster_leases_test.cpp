// Leases of a cluster: one owner at a time for each partition, whoever is silent, asleep or cut off.
#include "cluster/leases.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "support/memory_fabric.hpp"

using namespace parley;
using namespace parley::cluster;
using namespace parley::testing;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

namespace {

/// One instance, as far as it owns things.
struct Instance {
  Instance(ManyLoops& where, MemoryCloud& cloud, const std::string& name)
      : loops(where),
        timers(where.timers()),
        fabric(cloud),
        members(fabric, *timers, name, name,
                {[this](const std::string&) { leases.look(); }, [this](const std::string&) { leases.look(); },
                 [this] { leases.look(); }, [this] { leases.lapse(); }}),
        leases(fabric, *timers, members,
               {[this](std::size_t partition) { return busy.contains(partition); }, [](std::size_t) {},
                [this](const auto& partitions) { lost += partitions.size(); }, [] {}}) {
    members.start();
    leases.start();
  }
  ~Instance() { loops.forget(*timers); }
  ManyLoops& loops;
  std::unique_ptr<Timers> timers;
  MemoryFabric fabric;
  std::set<std::size_t> busy;
  std::size_t lost = 0;
  Members members;
  Leases leases;
};

struct World {
  World() = default;
  Instance& add(const std::string& name) {
    return *all.emplace(name, std::make_unique<Instance>(loops, cloud, name)).first->second;
  }
  void kill(const std::string& name) { all.erase(name); }
  /// How many act as the owner of a partition, at most.
  std::size_t most_owners() const {
    std::size_t most = 0;
    for (std::size_t partition = 0; partition < kPartitions; ++partition) {
      std::size_t owners = 0;
      for (const auto& [name, one] : all) owners += one->leases.owns(partition) ? 1U : 0U;
      most = std::max(most, owners);
    }
    return most;
  }
  /// Time passes in small steps, and never has a partition two owners.
  void pass(std::chrono::milliseconds span) {
    for (auto left = span; left > 0ms; left -= 50ms) {
      loops.pass(50ms);
      if (most_owners() > 1) FAIL("a partition has two owners");
    }
  }
  std::size_t owned() const {
    std::size_t count = 0;
    for (const auto& [name, one] : all) count += one->leases.owned();
    return count;
  }
  ManyLoops loops;
  MemoryCloud cloud{loops};
  std::map<std::string, std::unique_ptr<Instance>> all;
};

}  // namespace

TEST_CASE("cluster leases: one instance takes all partitions, and three a third each") {
  World world;
  Instance& one = world.add("one");
  world.pass(2s);
  CHECK(one.leases.owned() == kPartitions);
  CHECK(one.leases.is_settled());
  world.add("two");
  world.add("three");
  world.pass(3s);
  for (const auto& [name, instance] : world.all) {
    CHECK(instance->leases.owned() >= kPartitions / 3 - 1);
    CHECK(instance->leases.owned() <= kPartitions / 3 + 1);
    CHECK(instance->leases.is_settled());
  }
}

TEST_CASE("cluster leases: what a killed instance owned is taken over within five seconds") {
  World world;
  world.add("one");
  world.add("two");
  world.pass(3s);
  world.kill("two");
  world.pass(5s);
  CHECK(world.all.at("one")->leases.owned() == kPartitions);
}

TEST_CASE("cluster leases: an instance that slept past its leases does not act as an owner when it wakes") {
  World world;
  Instance& one = world.add("one");
  Instance& two = world.add("two");
  world.pass(3s);
  const auto owned = two.leases.owned();
  REQUIRE(owned > 0);
  two.fabric.sleep();
  // Its timers stand still with it: the double only has one clock, so nobody runs them.
  world.loops.forget(*two.timers);
  world.pass(10s);
  CHECK(one.leases.owned() == kPartitions);
  CHECK(two.leases.owned() == 0);  // before it was told of anything
  two.fabric.wake();
  CHECK(two.leases.owned() == 0);
  world.pass(100ms);
  CHECK(two.leases.owned() == 0);
  CHECK(one.leases.owned() == kPartitions);
}

TEST_CASE("cluster leases: an instance that was cut off acts no more, and gets its share when it is back") {
  World world;
  Instance& one = world.add("one");
  Instance& two = world.add("two");
  world.pass(3s);
  two.fabric.set_up(false);
  world.pass(10s);
  CHECK(one.leases.owned() == kPartitions);
  CHECK(two.leases.owned() == 0);
  CHECK(two.lost > 0);
  two.fabric.set_up(true);
  world.pass(10s);
  CHECK(one.leases.owned() == kPartitions / 2);
  CHECK(two.leases.owned() == kPartitions / 2);
}

TEST_CASE("cluster leases: two that don't agree who is there don't write as fast as they can") {
  World world;
  world.add("one");
  world.add("two");
  world.pass(3s);
  for (auto& [name, instance] : world.all) instance->fabric.deaf_to = "members";
  world.pass(4s);
  const auto written_in_a_second = [&world] {
    const std::uint64_t before = world.cloud.revision;
    world.pass(1s);
    return world.cloud.revision - before;
  };
  CHECK(written_in_a_second() < 25 * kPartitions);  // each looks ten times a second
  for (auto& [name, instance] : world.all) instance->fabric.deaf_to.clear();
  world.pass(5s);
  CHECK(world.owned() == kPartitions);
  CHECK(world.all.at("one")->leases.owned() == kPartitions / 2);

  world.all.at("one")->fabric.deaf_to = "members";
  world.all.at("two")->members.leave();  // and one goes on to give it its share
  CHECK(written_in_a_second() < 25 * kPartitions);
}

TEST_CASE("cluster leases: when everybody is cut off nobody acts, and afterwards all is as before") {
  World world;
  world.add("one");
  world.add("two");
  world.pass(3s);
  for (auto& [name, instance] : world.all) instance->fabric.set_up(false);
  world.pass(60s);
  CHECK(world.owned() == 0);
  for (auto& [name, instance] : world.all) instance->fabric.set_up(true);
  world.pass(3s);
  CHECK(world.owned() == kPartitions);
  CHECK(world.all.at("one")->leases.owned() == kPartitions / 2);
}

TEST_CASE("cluster leases: a cut of a second costs nobody anything") {
  World world;
  world.add("one");
  world.add("two");
  world.pass(3s);
  for (auto& [name, instance] : world.all) {
    instance->lost = 0;  // what one gave to two
    instance->fabric.set_up(false);
  }
  world.pass(1s);
  for (auto& [name, instance] : world.all) instance->fabric.set_up(true);
  world.pass(3s);
  for (auto& [name, instance] : world.all) CHECK(instance->lost == 0);
}

TEST_CASE("cluster leases: whoever leaves hands over what nothing runs in, and the rest when that is over") {
  World world;
  Instance& one = world.add("one");
  Instance& two = world.add("two");
  world.pass(3s);
  std::size_t busy = 0;
  while (!two.leases.owns(busy)) ++busy;
  two.busy.insert(busy);
  two.members.leave();
  world.pass(1s);
  CHECK(two.leases.owned() == 1);
  CHECK(two.leases.owns(busy));
  CHECK_FALSE(two.leases.takes(busy));
  CHECK(one.leases.owned() == kPartitions - 1);
  two.busy.clear();
  world.pass(500ms);
  CHECK(two.leases.owned() == 0);
  CHECK(one.leases.owned() == kPartitions);
}

TEST_CASE("cluster leases: every change of hands has an epoch of its own") {
  World world;
  Instance& one = world.add("one");
  world.pass(2s);
  std::vector<std::uint64_t> before;
  for (std::size_t partition = 0; partition < kPartitions; ++partition)
    before.push_back(one.leases.epoch_of(partition));
  Instance& two = world.add("two");
  world.pass(3s);
  for (std::size_t partition = 0; partition < kPartitions; ++partition) {
    CHECK(one.leases.epoch_of(partition) == two.leases.epoch_of(partition));
    if (two.leases.owns(partition)) {
      CHECK(one.leases.epoch_of(partition) > before.at(partition));
    } else {
      CHECK(one.leases.epoch_of(partition) == before.at(partition));
    }
  }
}

TEST_CASE("cluster leases: at random cuts, sleeps, deaths and lost answers never two act as owners") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    World world;
    int count = 0;
    const auto any = [&] {
      auto at = world.all.begin();
      std::advance(at, random() % world.all.size());
      return at;
    };
    for (int step = 0; step < 40; ++step) {
      switch (random() % 7) {
        case 0:
          if (world.all.size() < 4) world.add("i" + std::to_string(++count));
          break;
        case 1:
          if (world.all.size() > 1) world.all.erase(any());
          break;
        case 2:
        case 3:
          if (!world.all.empty()) any()->second->fabric.set_up(random() % 2 == 0);
          break;
        case 4:
          if (!world.all.empty()) {
            MemoryFabric& fabric = any()->second->fabric;
            if (fabric.is_asleep()) {
              fabric.wake();
            } else {
              fabric.sleep();
            }
          }
          break;
        case 5:
          if (!world.all.empty()) any()->second->fabric.fails_writes = random() % 2 == 0;
          break;
        default:
          break;
      }
      world.pass(std::chrono::milliseconds(50 * (random() % 40)));
    }
    if (world.all.empty()) world.add("last");
    for (auto& [name, instance] : world.all) {
      instance->fabric.wake();
      instance->fabric.fails_writes = false;
      instance->fabric.set_up(true);
    }
    world.pass(15s);
    CHECK(world.owned() == kPartitions);
  }
}
