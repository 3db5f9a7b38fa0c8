// Links of a cluster: each text once and in order, whatever is lost on the way.
#include "cluster/links.hpp"

#include <doctest/doctest.h>

#include <random>

#include "support/memory_fabric.hpp"

using namespace parley;
using namespace parley::cluster;
using namespace parley::testing;

namespace {

/// One end, and what it has heard.
struct End {
  End(ManyLoops& loops, MemoryCloud& cloud, std::string name)
      : timers(loops.timers()),
        fabric(cloud),
        links(fabric, *timers, std::move(name), [this](auto work) { fabric.later(std::move(work)); },
              {[this](const std::string&, std::string text) { heard.push_back(std::move(text)); },
               [this](const std::string&) { ++resets; }}) {
    links.start();
  }
  std::unique_ptr<Timers> timers;
  MemoryFabric fabric;
  std::vector<std::string> heard;
  int resets = 0;
  Links links;
};

std::vector<std::string> numbers(int from, int count) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(std::to_string(from + i));
  return all;
}

}  // namespace

TEST_CASE("cluster links: what is lost on the way comes all the same, once and in order") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    ManyLoops loops;
    MemoryCloud cloud(loops);
    std::mt19937 random(seed);
    cloud.loses = [&random] { return random() % 3 == 0; };
    End one(loops, cloud, "one");
    End two(loops, cloud, "two");
    for (const auto& text : numbers(0, 200)) {
      one.links.send("two", text);
      two.links.send("one", text);
      if (random() % 4 == 0) loops.pass(std::chrono::milliseconds(random() % 30));
    }
    loops.pass(std::chrono::minutes(1));
    CHECK(one.heard == numbers(0, 200));
    CHECK(two.heard == numbers(0, 200));
    CHECK(one.links.unconfirmed() == 0);
    CHECK(one.resets == 0);
    CHECK(two.resets == 0);
  }
}

TEST_CASE("cluster links: a text over the bound of the fabric goes in pieces") {
  ManyLoops loops;
  MemoryCloud cloud(loops);
  End one(loops, cloud, "one");
  End two(loops, cloud, "two");
  one.fabric.payload = 2'000;
  std::string large;
  for (int i = 0; i < 5'000; ++i) large += std::to_string(i);
  one.links.send("two", "before");
  one.links.send("two", large);
  one.links.send("two", "after");
  loops.pass(std::chrono::seconds(1));
  CHECK(two.heard == std::vector<std::string>{"before", large, "after"});
}

TEST_CASE("cluster links: what nobody waits for goes with the next text, or soon by itself, in order") {
  ManyLoops loops;
  MemoryCloud cloud(loops);
  End one(loops, cloud, "one");
  End two(loops, cloud, "two");
  one.links.send("two", "hello");
  loops.pass(std::chrono::seconds(1));
  std::size_t frames = 0;
  cloud.loses = [&frames] { return ++frames, false; };
  one.links.send_later("two", "first");
  one.links.send("two", "second");
  loops.settle();
  CHECK(two.heard == std::vector<std::string>{"hello", "first", "second"});
  CHECK(frames == 1);
  one.links.send_later("two", "third");
  loops.settle();
  CHECK(two.heard.size() == 3);
  loops.pass(std::chrono::milliseconds(5));
  CHECK(two.heard.back() == "third");
}

TEST_CASE("cluster links: whoever counted as gone begins anew, and both ends are told") {
  ManyLoops loops;
  MemoryCloud cloud(loops);
  End one(loops, cloud, "one");
  End two(loops, cloud, "two");
  one.links.send("two", "a");
  two.links.send("one", "b");
  loops.pass(std::chrono::seconds(1));
  two.fabric.sleep();
  one.links.send("two", "lost");
  one.links.drop("two");
  loops.pass(std::chrono::seconds(5));
  two.fabric.wake();
  two.links.send("one", "of the end before");
  loops.pass(std::chrono::seconds(1));
  CHECK(two.resets == 1);
  CHECK(one.resets == 0);  // it knows: it has dropped the link itself
  CHECK(one.heard == std::vector<std::string>{"b"});
  one.links.send("two", "c");
  two.links.send("one", "d");
  loops.pass(std::chrono::seconds(1));
  CHECK(two.heard.back() == "c");
  CHECK(one.heard.back() == "d");
  CHECK(two.resets == 1);
}

TEST_CASE("cluster links: after a cut all goes on where it was") {
  ManyLoops loops;
  MemoryCloud cloud(loops);
  End one(loops, cloud, "one");
  End two(loops, cloud, "two");
  one.links.send("two", "0");
  loops.pass(std::chrono::seconds(1));
  one.fabric.set_up(false);
  for (const auto& text : numbers(1, 5)) one.links.send("two", text);
  loops.pass(std::chrono::seconds(20));
  CHECK(two.heard == numbers(0, 1));
  one.fabric.set_up(true);
  loops.pass(std::chrono::seconds(1));
  CHECK(two.heard == numbers(0, 6));
}

TEST_CASE("cluster links: what is no frame is passed over") {
  ManyLoops loops;
  MemoryCloud cloud(loops);
  End one(loops, cloud, "one");
  for (const char* text : {"", "\n", "x", "x 1 0 0 0\n1 0 99999\nshort", "x 0 0 0 0\n", "x -1 1 1 1\n",
                           "x 99999999999999999999999 1 1 1\n", "x 1 1 0 0\nnonsense"})
    one.fabric.publish("link.one", text);
  loops.pass(std::chrono::seconds(1));
  CHECK(one.heard.empty());
}
