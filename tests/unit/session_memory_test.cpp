#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <parley/session.hpp>
#include <parley/session_memory.hpp>
#include <string>
#include <utility>

using namespace parley;
using namespace std::chrono_literals;

namespace {

constexpr Clock::Time kNow{1h};

SenderPtr client(std::uint64_t number, std::string owner) {
  return std::make_shared<const Sender>(number, "somebody", std::move(owner));
}

Message in(std::string session_id, SenderPtr by) {
  Context context;
  context.session = std::make_shared<const Session>(std::move(session_id));
  context.sender = std::move(by);
  return Message("test.said", Json::object(), context);
}

}  // namespace

TEST_CASE("session memory: K-4: two owners' sessions of one id are two") {
  SessionMemory<std::string> memory(10);
  memory.note(in("kitchen", client(1, "anna")), "hers", kNow);
  CHECK(memory.find({"bert", "kitchen"}, kNow) == nullptr);
  memory.note(in("kitchen", client(2, "bert")), "his", kNow);
  REQUIRE(memory.find({"anna", "kitchen"}, kNow) != nullptr);
  CHECK(*memory.find({"anna", "kitchen"}, kNow) == "hers");
  CHECK(memory.forget({"bert", "kitchen"}));
  CHECK_FALSE(memory.forget({"bert", "kitchen"}));
  CHECK(memory.size() == 1);
}

TEST_CASE("session memory: S-5: everybody shares the default session") {
  SessionMemory<std::string> memory(10);
  memory.note(in("default", client(1, "anna")), "what she said", kNow);
  REQUIRE(memory.find(in("default", client(2, "bert")).session_key(), kNow) != nullptr);
  CHECK(memory.forget({"bert", "default"}));
}

TEST_CASE("session memory: what was noted is known for its lifetime") {
  SessionMemory<int> memory(10, 2min);
  const Message here = in("a", nullptr);
  memory.note(here, 1, kNow);
  CHECK(memory.find(here.session_key(), kNow + 2min) != nullptr);
  CHECK(memory.find(here.session_key(), kNow + 2min + 1ns) == nullptr);
  memory.note(here, 2, kNow + 1h);
  REQUIRE(memory.find(here.session_key(), kNow + 1h) != nullptr);
  CHECK(*memory.find(here.session_key(), kNow + 1h) == 2);
}

TEST_CASE("session memory: of too many sessions the one that was used longest ago is forgotten") {
  SessionMemory<int> memory(2);
  const SenderPtr one = client(1, "local");
  memory.note(in("a", one), 1, kNow);
  memory.note(in("b", one), 2, kNow);
  CHECK(memory.find({"local", "a"}, kNow) != nullptr);
  memory.note(in("c", one), 3, kNow);
  CHECK(memory.size() == 2);
  CHECK(memory.find({"local", "a"}, kNow) != nullptr);
  CHECK(memory.find({"local", "b"}, kNow) == nullptr);
}

TEST_CASE("session memory: many sessions of one client cost others nothing") {
  SessionMemory<int> memory(4);
  memory.note(in("mine", client(1, "local")), 1, kNow);
  const SenderPtr greedy = client(2, "local");
  for (int i = 0; i < 10; ++i) memory.note(in("theirs " + std::to_string(i), greedy), i, kNow);
  CHECK(memory.size() == 4);
  CHECK(memory.find({"local", "mine"}, kNow) != nullptr);
  CHECK(memory.find({"local", "theirs 9"}, kNow) != nullptr);
}
