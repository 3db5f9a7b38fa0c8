// W-5: what hostile clients cost others, over real sockets.
#include <atomic>
#include <thread>

#include "orchestrator/orchestrator.hpp"
#include "support/patience.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// A whole turn of somebody who behaves.
void converse(CoreClient& user) {
  user.passed.clear();
  user.send("ovos.utterance.handle", utterance("go tea.test"), in_session("polite"));
  for (;;) {
    const Json handled = user.receive("ovos.utterance.handled");
    if (handled.at("context").at("session").at("session_id") == "polite") break;
  }
  REQUIRE(user.count("ovos.utterance.speak") == 1);
}

Handler answers() {
  return does([](Turn& turn) { turn.speak("yes"); });
}

std::uint64_t refused(Served& server, const char* reason) {
  return server.counters().of(std::string("parley_gateway_refused_total{reason=\"") + reason + "\"}");
}

/// Waits for the loop to have counted so much.
bool counted(Served& server, const char* counter, std::uint64_t least) {
  const auto until = std::chrono::steady_clock::now() + 30s;
  while (server.counters().of(counter) < least) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

/// One of every kind of text that is no message.
const std::vector<std::string> kRubbish{"",
                                        "{",
                                        "[]",
                                        "7",
                                        "\"x\"",
                                        "{}",
                                        R"({"type": ""})",
                                        R"({"type": "a..b"})",
                                        R"({"type": "a.b", "data": []})",
                                        R"({"type": "a.b", "context": 7})",
                                        R"({"type": "a.b", "data": {"x": 1e999}})",
                                        R"({"type": "a.b", "context": {"session": 7}})",
                                        std::string(5000, '['),
                                        R"({"type": "\u001b[2J"})"};

}  // namespace

TEST_CASE("W-5 hostile: two thousand connections of one client, and others go on; room comes back") {
  Served server;
  server.config.gateway.request_timeout =
      1h;  // on a slow machine room would come back before it has been asked for
  server.skill("tea.test", answers());
  server.start();
  CoreClient polite = server.client("?session=polite");
  constexpr std::size_t kMany = 2000;
  constexpr std::size_t kNoAnswer = kMany - 1023 - 64;  // those beyond them are told that there is no room
  auto crowd = std::make_unique<Crowd>(server.port(), kMany);
  // On a slow machine the first of them have said nothing for so long that others get their room.
  const auto turned_away = [&] {
    return refused(server, "connections") +
           server.counters().of("parley_gateway_disconnects_total{reason=\"room\"}");
  };
  const Patience waits;
  while (turned_away() < kNoAnswer) {
    waits.once_more("those that are refused");
    converse(polite);
  }
  converse(polite);
  CHECK(server.log.has("1024 connections are open: more are refused (gateway.max_connections)"));
  CHECK(server.log.all().size() < 20);
  crowd.reset();
  for (bool in = false; !in;) {  // the end of a connection is nobody's to wait for
    try {
      CoreClient late = server.client();
      late.catch_up();
      in = true;
    } catch (const std::runtime_error&) {
      converse(polite);
    }
  }
}

TEST_CASE("W-5 hostile: rubbish as fast as it goes costs nobody else a turn") {
  Served server;
  server.skill("tea.test", answers());
  server.start();
  CoreClient polite = server.client("?session=polite");
  const auto began = std::chrono::steady_clock::now();
  std::atomic<bool> over{false};
  constexpr std::size_t kMany = 10'000;
  std::thread flood([&] {
    CoreClient hostile = server.client("?topics=test.mark");
    for (std::size_t i = 0; i < kMany; ++i) hostile.send_text(kRubbish[i % kRubbish.size()]);
    hostile.catch_up();
    over = true;
  });
  const Patience waits;
  while (!over) {
    if (!waits.is_left()) break;
    converse(polite);
  }
  CHECK(over);
  flood.join();
  // Whoever is read from more slowly for it takes at least so long: 80 ms for each 128 of them, but for the
  // first.
  CHECK(std::chrono::steady_clock::now() - began >= (kMany / 128 - 3) * 80ms);
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"malformed\"}") == kMany);
  CHECK(server.log.all().size() < 100);
  for (const auto& line : server.log.all()) CHECK(line.find('\x1b') == line.npos);
}

TEST_CASE("W-5 hostile: who says more than can be taken waits, and all of it is handled") {
  constexpr std::size_t kSaid = 2'000, kWait = 1'024, kUnread = 256;
  Served server;
  server.config.orchestrator.max_in_flight = 1;
  server.start();
  CoreClient skill = server.client("?topics=far.test:go,test.*");
  skill.send("test.here", kEmpty, {{"skill_id", "far.test"}});
  skill.catch_up();
  CoreClient talker = server.client("?topics=nothing.of.it");
  for (std::size_t i = 0; i < kSaid; ++i)
    talker.send("ovos.utterance.handle", utterance("go far.test"), in_session("s"));
  REQUIRE(counted(server, "parley_utterances_delayed_total", kWait));
  std::size_t most = 0;
  for (std::size_t i = 0; i < kSaid; ++i) {
    const Json context = skill.receive("far.test:go").at("context");
    most =
        std::max(most, server.ask([](Assistant& assistant) { return assistant.orchestrator().waiting(); }));
    skill.send("ovos.intent.handler.complete", kEmpty, context);
  }
  CHECK(most >= kWait);
  CHECK(most <= kWait + kUnread);
  CHECK(counted(server, "parley_utterances_total{outcome=\"complete\"}", kSaid));
}

TEST_CASE("W-5 hostile: sound messages as fast as they go don't keep others from being heard") {
  Served server;
  server.skill("tea.test", answers());
  server.start();
  CoreClient polite = server.client("?session=polite");
  std::atomic<bool> over{false};
  std::thread flood([&] {
    CoreClient hostile = server.client("?topics=test.mark");
    for (int i = 0; i < 5'000; ++i)
      hostile.send("ovos.utterance.handle", utterance("go tea.test"), in_session("hostile"));
    hostile.catch_up();
    over = true;
  });
  const Patience waits;
  while (!over) {
    if (!waits.is_left()) break;
    converse(polite);
  }
  CHECK(over);
  flood.join();
  converse(polite);
}

TEST_CASE("W-5 hostile: who comes back again and again without a token fills no log") {
  Served server;
  server.tokens("  kitchen: {token_sha256: " + std::string(64, 'a') + "}\n");
  server.start();
  constexpr int kMany = 200;
  for (int i = 0; i < kMany; ++i) {
    const Headers guess = {{"Authorization", "Bearer guess-" + std::to_string(i)}};
    CHECK(http(server.port(), "POST", "/run", "{}", guess).status == 401);
  }
  CHECK(refused(server, "token") == kMany);
  CHECK(server.log.count("its token is not known") < kMany / 10);
}

TEST_CASE("W-5 hostile: a frame that announces more than it sends, and half a request, hold up nobody") {
  Served server;
  server.skill("tea.test", answers());
  server.start();
  CoreClient polite = server.client("?session=polite");
  CoreClient half = server.client();
  half.send_raw(std::string("\x81\xff\x00\x00\x00\x00\x00\x0f\xff\xff\x00\x00\x00\x00{", 15));  // 1 MiB - 1
  const IdleSocket silent(server.port());
  for (int i = 0; i < 10; ++i) converse(polite);
  CHECK(http(server.port(), "GET", "/health").status == 200);
  CoreClient liar = server.client();
  liar.send_raw(std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", 14));  // 2^63 - 1
  CHECK(liar.closed() == 1009);
  converse(polite);
}

TEST_CASE("W-5 hostile: connections that come and go leave nothing behind") {
  Served server;
  server.skill("tea.test", answers());
  server.start();
  CoreClient polite = server.client("?session=polite");
  for (int i = 0; i < 300; ++i) {
    CoreClient hasty = server.client();
    hasty.send("test.claim", kEmpty, {{"skill_id", "hasty.test"}});
    hasty.send("ovos.utterance.handle", utterance("go hasty.test"), in_session("hostile"));
    if (i % 3 == 0) hasty.close();
  }
  const auto skills = [&] { return http(server.port(), "GET", "/v1/skills").json().at("remote"); };
  const auto known = [&] {
    return server.ask([](Assistant& assistant) { return assistant.bus().presence().all().size(); });
  };
  const Patience waits;
  while (!skills().empty() || known() > 1) {
    waits.once_more("the skills to leave");
    converse(polite);
  }
  converse(polite);
}
