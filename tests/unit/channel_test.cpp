// Frames between parley and a child of it.
#include "child/channel.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace parley;
using child::Channel;
using child::Frame;

namespace {

/// A channel, and the other end of its socket.
struct Pair {
  Pair() {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    channel = std::make_shared<Channel>(loop.get_executor(), ends[0]);
    other = ends[1];
    channel->listen([this](const Frame& frame) { came.push_back(frame); },
                    [this](const std::string& why) { ended.push_back(why); });
    channel->read_on();
  }
  ~Pair() {
    channel->close();
    if (other >= 0) ::close(other);
  }
  void write(std::string_view bytes) const {
    REQUIRE(::write(other, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  int hand_over_other() { return std::exchange(other, -1); }

  boost::asio::io_context loop{1};
  std::shared_ptr<Channel> channel;
  int other = -1;
  std::vector<Frame> came;
  std::vector<std::string> ended;
};

std::string bytes_of(std::uint32_t length, std::uint32_t head, const std::string& rest) {
  std::string bytes;
  for (const auto number : {length, head})
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(number >> shift));
  return bytes + rest;
}

}  // namespace

TEST_CASE("channel: frames come whole and in order, however the bytes are cut") {
  Pair pair;
  const std::string head = R"({"k":"say"})";
  const std::string one = bytes_of(static_cast<std::uint32_t>(head.size() + 4),
                                   static_cast<std::uint32_t>(head.size()), head + "body");
  for (const char byte : one + one) {
    pair.write({&byte, 1});
    pair.loop.poll();
  }
  REQUIRE(pair.came.size() == 2);
  CHECK(pair.came[1].kind() == "say");
  CHECK(pair.came[1].body == "body");
  CHECK(pair.ended.empty());
}

TEST_CASE("channel: what one end sends the other gets, more than the socket holds too") {
  Pair pair;
  boost::asio::io_context& loop = pair.loop;
  const auto far = std::make_shared<Channel>(loop.get_executor(), pair.hand_over_other());
  const std::string large(std::size_t{3} << 20U, 'x');
  far->send({{"k", "large"}}, large);
  far->send({{"k", "small"}, {"text", "\xC3\xA4"}});
  CHECK(far->queued() > 0);
  while (pair.came.size() < 2) REQUIRE(loop.run_one_for(std::chrono::seconds(30)) > 0);
  CHECK(pair.came[0].body == large);
  CHECK(pair.came[1].head.at("text") == "\xC3\xA4");
  CHECK(far->queued() == 0);
  far->close();
  while (pair.ended.empty()) REQUIRE(loop.run_one_for(std::chrono::seconds(30)) > 0);
  CHECK(pair.ended == std::vector<std::string>{"the other end has gone"});
}

TEST_CASE("channel: a frame that is too long, no JSON, or can't be used ends it with why, once") {
  struct Case {
    std::string bytes, why;
  };
  const std::string good = R"({"k":"a"})";
  const auto size = static_cast<std::uint32_t>(good.size());
  for (const auto& wrong :
       std::vector<Case>{{bytes_of(0x7FFFFFFF, 2, "{}"), "33554432 are the most"},
                         {bytes_of(2, 3, "{}"), "a frame of 2 bytes with a head of 3 came"},
                         {bytes_of(2, 2, "[]"), "whose head is no JSON object"},
                         {bytes_of(2, 2, "{]"), "whose head is no JSON object"}}) {
    Pair pair;
    CAPTURE(wrong.why);
    pair.write(bytes_of(size, size, good) + wrong.bytes + bytes_of(size, size, good));
    pair.loop.poll();
    CHECK(pair.came.size() == 1);
    REQUIRE(pair.ended.size() == 1);
    CHECK(pair.ended.front().find(wrong.why) != std::string::npos);
  }
  Pair pair;
  pair.channel->listen([](const Frame& frame) { static_cast<void>(frame.head.at("missing")); },
                       [&](const std::string& why) { pair.ended.push_back(why); });
  pair.write(bytes_of(size, size, good));
  pair.loop.poll();
  REQUIRE(pair.ended.size() == 1);
  CHECK(pair.ended.front().starts_with("a frame can't be used: "));
}

TEST_CASE("channel: one that waits for a frame gets it, and what came before it later, in order") {
  Pair pair;
  const auto far = std::make_shared<Channel>(pair.loop.get_executor(), pair.hand_over_other());
  for (const char* const kind : {"one", "two", "drawn", "three"}) far->send({{"k", kind}});
  CHECK(pair.channel->wait_for("drawn").kind() == "drawn");
  CHECK(pair.came.empty());
  pair.loop.poll();
  REQUIRE(pair.came.size() == 3);
  CHECK(pair.came[0].kind() == "one");
  CHECK(pair.came[2].kind() == "three");
  far->close();
  CHECK_THROWS_AS(pair.channel->wait_for("drawn"), std::runtime_error);
}
