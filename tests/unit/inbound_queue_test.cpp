// W-5: what clients send is dealt with in turn.
#include "net/inbound_queue.hpp"

#include <doctest/doctest.h>

#include <memory>

using namespace parley;
using namespace parley::net;

namespace {

ClientPtr connected(std::uint64_t id) {
  return std::make_shared<const Client>(id, "client", "127.0.0.1");
}

Inbound sent_by(const ClientPtr& from, std::size_t bytes) {
  Inbound inbound(Inbound::Kind::kMessage, from);
  inbound.bytes = bytes;
  return inbound;
}

/// How many things of others come before the first of that client.
std::size_t others_before(InboundQueue& queue, std::uint64_t id) {
  std::size_t others = 0;
  while (queue.pop().client->id != id) ++others;
  return others;
}

}  // namespace

TEST_CASE("W-5 queue: one message of a quiet client does not wait for the thousand of a loud one") {
  InboundQueue queue;
  const auto loud = connected(1);
  for (int i = 0; i < 1000; ++i) queue.push(sent_by(loud, 100));
  queue.push(sent_by(connected(2), 100));
  CHECK(others_before(queue, 2) < 20);
}

TEST_CASE("W-5 queue: large messages are worth several turns") {
  InboundQueue queue;
  const auto large = connected(1);
  for (int i = 0; i < 10; ++i) queue.push(sent_by(large, 1'000'000));
  const auto small = connected(2);
  for (int i = 0; i < 100; ++i) queue.push(sent_by(small, 100));
  std::size_t served = 0;
  for (int i = 0; i < 60; ++i) served += queue.pop().client->id == 2 ? 1U : 0U;
  CHECK(served > 50);
  while (!queue.empty()) queue.pop();
}

TEST_CASE("W-5 queue: each client's own things keep their order") {
  InboundQueue queue;
  const auto one = connected(1);
  const auto other = connected(2);
  for (std::size_t i = 0; i < 300; ++i) {
    queue.push(sent_by(one, i));
    queue.push(sent_by(other, 300 - i));
  }
  std::size_t next = 0;
  while (!queue.empty()) {
    const Inbound taken = queue.pop();
    if (taken.client->id == 1) CHECK(taken.bytes == next++);
  }
  CHECK(next == 300);
}

TEST_CASE("W-3 queue: a client that came after one had gone is heard after it") {
  InboundQueue queue;
  const auto gone = connected(1);
  const auto fresh = connected(2);
  for (int i = 0; i < 100; ++i) queue.push(sent_by(gone, 100));
  SUBCASE("who has left is heard out") {
    queue.push(Inbound(Inbound::Kind::kLeft, gone));
    queue.push(Inbound(Inbound::Kind::kAfter, fresh));
    queue.push(sent_by(fresh, 100));
    CHECK(others_before(queue, 2) == 101);
  }
  SUBCASE("nobody waits for who is still there") {
    queue.push(Inbound(Inbound::Kind::kAfter, fresh));
    queue.push(sent_by(fresh, 100));
    CHECK(others_before(queue, 2) < 100);
  }
}

TEST_CASE("W-5 queue: finding the next one does not cost more, the more there is") {
  InboundQueue queue;
  for (std::uint64_t id = 1; id <= 1000; ++id) {
    const auto one = connected(id);
    for (int i = 0; i < 10; ++i) queue.push(sent_by(one, 100));
  }
  while (!queue.empty()) queue.pop();
  CHECK(queue.looked_at() < 30'000);
}
