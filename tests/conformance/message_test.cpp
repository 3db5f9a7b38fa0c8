#include <doctest/doctest.h>

#include <variant>

#include "message/codec.hpp"
#include "runtime/timers.hpp"
#include "support/assistant_fixture.hpp"
#include "support/bus_inlet.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

std::variant<Message, DecodeError> read(std::string_view text) {
  return decode(text, [](const std::string&) {});
}

Message sound(std::string_view text) {
  auto decoded = read(text);
  CAPTURE(text);
  REQUIRE(std::holds_alternative<Message>(decoded));
  return std::get<Message>(decoded);
}

bool malformed(std::string_view text) {
  const auto decoded = read(text);
  return std::holds_alternative<DecodeError>(decoded) && !std::get<DecodeError>(decoded).malformed_carrier;
}

/// A bus with one peer, and ears for both its ends.
struct Peer {
  Peer() {
    tap = bus.subscribe("*", [this](const Message& message) { heard.push_back(message); });
  }
  void let_pass(Clock::Time::duration time) {
    clock.advance_to(clock.now() + time);
    timers.fire_due();
  }

  JumpingClock clock;
  Timers timers{clock};
  Bus bus{timers};
  std::vector<Message> heard;
  std::vector<std::string> log;
  LogListener listener{[this](LogLevel level, std::string_view, std::string_view text) {
    if (level == LogLevel::kWarning) log.emplace_back(text);
  }};
  Subscription tap;
  BusInlet inlet{bus, "client 7"};
};

}  // namespace

// ---- M-1

TEST_CASE("M-1 message: absent data and context are empty objects") {
  const Message message = sound(R"({"type": "ovos.test"})");
  CHECK(message.data() == Json::object());
  CHECK(to_json(message) ==
        Json{{"type", "ovos.test"}, {"data", Json::object()}, {"context", Json::object()}});
}

TEST_CASE("M-1 message: unknown top-level keys are ignored and never emitted") {
  const Message message =
      sound(R"({"type": "ovos.test", "data": {"a": 1}, "context": {"b": 2}, "id": 7, "meta": null})");
  const Json wire = Json::parse(message.wire());
  CHECK(wire == Json{{"type", "ovos.test"}, {"data", {{"a", 1}}}, {"context", {{"b", 2}}}});
  CHECK(Json::parse(message.reply("ovos.answer", Json::object()).wire()).size() == 3);
}

TEST_CASE("M-1 message: what is written can be read again") {
  const std::string text =
      R"({"type":"ovos.test","data":{"deep":[1,{"x":null},"ü\n"]},"context":{"source":"a","destination":["b","c"],)"
      R"("session":{"session_id":"s","lang":"de-DE","mine":{"k":[true]}},"utterance_id":"u","skill_id":"k","pipeline_id":"p","other":[1]}})";
  CHECK(Json::parse(sound(text).wire()) == Json::parse(text));
  CHECK(Json::parse(sound(sound(text).wire()).wire()) == Json::parse(text));
}

// ---- M-2

TEST_CASE("M-2 topics: letters, digits, '_', '-' with single separators between") {
  for (const char* good : {"ovos.core.ready", "a", "A-b_9.c", "tea.test:brew", "a.b:c.d"}) {
    CAPTURE(good);
    CHECK(is_topic(good));
    CHECK(Message(good).type() == good);
  }
  for (const char* bad : {"", ".a", "a.", ":a", "a:", "a..b", "a.:b", "a:.b", "a::b", "a:b:c", "a b", "a/b",
                          "\xc3\xa4.b", "a\n"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_topic(bad));
    CHECK_THROWS_AS(Message{bad}, std::invalid_argument);
    CHECK(malformed(Json{{"type", bad}}.dump()));
  }
}

TEST_CASE("M-2 identifiers: a skill_id or intent_name is a topic without ':'") {
  CHECK(is_identifier("tea.test"));
  CHECK(is_identifier("brew-it_2"));
  for (const char* bad : {"", "a:b", ".a", "a.", "a..b", "a b"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_identifier(bad));
  }
}

TEST_CASE("M-2 topics: of what a round emits, the dispatch alone has a ':', and one of it") {
  TestAssistant parley;
  parley.stage_at_once("one", claims("tea.test", "brew"));
  parley.handler("tea.test", "brew", does([](Turn& turn) { turn.speak("done"); }));
  parley.start();
  parley.say("tea");
  std::vector<std::string> dispatches;
  for (const auto& topic : parley.topics()) {
    CHECK(is_topic(topic));
    if (topic.find(':') != std::string::npos) {
      dispatches.push_back(topic);
    } else {
      CHECK(topic.find('.') != std::string::npos);
    }
  }
  CHECK(dispatches == std::vector<std::string>{"tea.test:brew"});
}

// ---- M-3

TEST_CASE("M-3 malformed: everything that is no message is dropped, and nothing follows from it") {
  Peer peer;
  const char* const bad[] = {"",
                             "hello",
                             "{",
                             R"({"type": "a.b"} {"type": "a.b"})",
                             "[]",
                             "null",
                             "7",
                             R"("a.b")",
                             "{}",
                             R"({"data": {}})",
                             R"({"type": null})",
                             R"({"type": 7})",
                             R"({"type": ["a.b"]})",
                             R"({"type": ""})",
                             R"({"type": "a..b"})",
                             R"({"type": "a.b", "data": null})",
                             R"({"type": "a.b", "data": []})",
                             R"({"type": "a.b", "data": "x"})",
                             R"({"type": "a.b", "data": 1})",
                             R"({"type": "a.b", "context": null})",
                             R"({"type": "a.b", "context": []})",
                             R"({"type": "a.b", "context": "x"})",
                             R"({"type": "a.b", "data": {"x": NaN}})",
                             R"({"type": "a.b", "data": {"x": Infinity}})",
                             R"({"type": "a.b", "data": {"x": 1e999}})",
                             R"({"type": "a.b", "context": {"x": -1e999}})",
                             "{\"type\": \"a.b\", \"data\": {\"x\": \"\xff\xfe\"}}",
                             "{\"type\": \"a.b\", \"data\": {\"x\": \"\x01\"}}"};
  for (const char* text : bad) {
    CAPTURE(text);
    CHECK_FALSE(peer.inlet.receive(text));
    CHECK(malformed(text));
  }
  const std::string deep = R"({"type":"a.b","data":{"x":)" + std::string(100'000, '[');
  CHECK_FALSE(peer.inlet.receive(deep));
  CHECK(peer.heard.empty());
  CHECK(peer.inlet.receive(R"({"type": "a.b"})"));  // the connection goes on
  REQUIRE(peer.heard.size() == 1);
  CHECK(peer.heard[0].type() == "a.b");
}

TEST_CASE("M-3 malformed: logged with its origin and reason") {
  Peer peer;
  peer.inlet.receive(R"({"type": "a.b", "data": null})");
  REQUIRE(peer.log.size() == 1);
  CHECK(peer.log[0] == "client 7: dropped a malformed message: 'data' must be an object and is null");
}

TEST_CASE("M-3 malformed: one line for a peer that goes on, and a count at the end of each period") {
  Peer peer;
  for (int i = 0; i < 1000; ++i) peer.inlet.receive("rubbish");
  CHECK(peer.log.size() == 1);
  peer.let_pass(9999ms);
  CHECK(peer.log.size() == 1);
  peer.let_pass(1ms);
  REQUIRE(peer.log.size() == 2);
  CHECK(peer.log[1] == "client 7: 999 more such complaints in the last 10 s");
  peer.let_pass(60s);
  CHECK(peer.log.size() == 2);
  peer.inlet.receive("rubbish again");  // a new period: heard of at once
  CHECK(peer.log.size() == 3);
  peer.let_pass(10s);
  CHECK(peer.log.size() == 3);  // nothing was left unsaid
}

TEST_CASE("M-3 malformed: a peer that leaves has its count logged, and each has its own") {
  Peer peer;
  {
    BusInlet other(peer.bus, "client 8");
    other.receive("x");
    other.receive("x");
    peer.inlet.receive("x");
    CHECK(peer.log.size() == 2);
  }
  REQUIRE(peer.log.size() == 3);
  CHECK(peer.log[2].find("client 8: 1 more") == 0);
  peer.let_pass(20s);
  CHECK(peer.log.size() == 3);
}

TEST_CASE("M-3 malformed: a huge or hostile text makes a short log line") {
  Peer peer;
  peer.inlet.receive(R"({"type": ")" + std::string(1 << 20, 'x') + "\n");
  peer.inlet.receive(R"({"type": "a.b", "context": {"session": {")" + std::string(100'000, 'y') +
                     R"(": null}}})");
  REQUIRE(peer.log.size() == 2);
  CHECK(peer.log[0].size() < 300);
  CHECK(peer.log[0].find('\n') == std::string::npos);
  CHECK(peer.log[1].size() < 300);
}
