// What one client takes of what there is, others still have their share of.
#include <future>

#include "hostile/attack.hpp"
#include "orchestrator/orchestrator.hpp"
#include "support/hostile_messages.hpp"

using namespace parley;
using namespace parley::testing;

TEST_CASE("W-5 hostile: a client whose skill hangs takes no more than its share of the turns") {
  Attacked server;
  server.start();
  Honest honest(server);
  CoreClient hog = server.client("?topics=nothing.of.it");
  hog.send("test.here", kEmpty, {{"skill_id", "hang.test"}});
  for (int i = 0; i < 3'000; ++i) hog.send_text(said("go hang.test", "hog." + std::to_string(i)));
  for (int i = 0; i < 5; ++i) honest.converse();
  take_part(server, "other.test");
  CHECK(server.ask([](Assistant& core) { return core.orchestrator().in_flight(); }) <=
        server.config.orchestrator.max_in_flight);
}

TEST_CASE("W-5 hostile: turns that wait for a user who never answers are bounded too") {
  Attacked server;
  server.start();
  Honest honest(server);
  CoreClient hog = server.client("?topics=ask.test:go,test.mark");
  std::jthread says;
  std::promise<void> hog_is_done;  // goes first, and that is as good as being done
  hog.send("test.here", kEmpty, {{"skill_id", "ask.test"}});
  constexpr std::size_t kAsked = 2'500;
  says = std::jthread([&server, done = hog_is_done.get_future()] {
    try {
      CoreClient sayer = server.client("?topics=nothing.of.it");
      for (std::size_t i = 0; i < kAsked; ++i) sayer.send_text(said("go ask.test", fmt::format("hog.{}", i)));
      done.wait();  // with its connection its turns would go
    } catch (const std::exception&) {
      return;  // it was thrown out
    }
  });
  for (std::size_t asked = 0; asked < kAsked; ++asked) {
    Json context = hog.receive("ask.test:go").at("context");
    hog.passed.clear();
    const Json question = {{"skill_id", "ask.test"}, {"expires_at", 4e9}};
    context["skill_id"] = "ask.test";
    hog.send(
        "ovos.session.sync",
        {{"session", {{"session_id", context.at("session").at("session_id")}, {"response_mode", question}}}},
        context);
    if (asked % 500 == 0) honest.converse();
  }
  hog.catch_up();
  CHECK(server.ask([](Assistant& core) { return core.orchestrator().in_flight(); }) < kAsked / 2);
  honest.converse();
  take_part(server, "other.test");
}

TEST_CASE("W-5 hostile: a client that claims every name leaves others theirs") {
  Attacked server;
  server.start();
  Honest honest(server);
  CoreClient hog = server.client("?topics=test.mark");
  constexpr int kClaimed = 20'000;
  for (int i = 0; i < kClaimed; ++i)
    hog.send("test.here", kEmpty, {{"skill_id", "claim" + std::to_string(i) + ".test"}});
  hog.catch_up();
  honest.converse();
  take_part(server, "other.test");
  CHECK(server.ask([](Assistant& core) { return core.bus().presence().all().size(); }) < kClaimed / 2);
}

TEST_CASE(
    "W-5 hostile: 4,000 registrations are a skill host, what is beyond a share is refused, others register") {
  Attacked server;
  server.with_stages({"intent_high"}).start();
  Honest honest(server);
  const auto registered = [&](const std::string& skill_id) {
    CoreClient asks = server.client("?topics=ovos.intent.list.response");
    asks.send("ovos.intent.list", {{"skill_id", skill_id}});
    return asks.receive("ovos.intent.list.response").at("data").at("intents").size();
  };
  CoreClient host = server.client("?topics=test.mark");
  for (int i = 0; i < 4'000; ++i)
    host.send_text(registration("host.test", fmt::format("i{}", i), fmt::format("host does thing{}", i)));
  host.catch_up();
  CHECK(registered("host.test") == 4'000);
  honest.converse();
  CoreClient hog = server.client("?topics=test.mark");
  constexpr std::size_t kMany = 20'000;
  for (std::size_t i = 0; i < kMany; ++i)
    hog.send_text(registration("hog.test", fmt::format("i{}", i), fmt::format("hog does thing{}", i)));
  hog.catch_up();
  const std::size_t of_hog = registered("hog.test");
  CHECK(of_hog >= 4'000);
  CHECK(of_hog < kMany);
  honest.converse();
  CoreClient other = server.client("?topics=test.mark");
  other.send_text(registration("other.test", "one", "the other does it"));
  other.catch_up();
  CHECK(registered("other.test") == 1);
  take_part(server, "other2.test");
}

TEST_CASE("W-5 hostile: idle connections of one address leave room for another's") {
  Attacked server;
  server.config.gateway.max_connections = 200;
  server.tokens(token_of("honest"));
  server.start();
  Honest honest(server, "honest", "honest");
  const Crowd crowd(server.port(), 400);
  honest.converse();
  RawSocket other(server.port(), "127.0.0.2");
  CHECK(other.upgrade("/core?token=honest") == 101);
  honest.converse();
}

TEST_CASE("W-5 hostile: what one says disconnects nobody who listens to everything and reads it") {
  Attacked server;
  server.start();
  Honest honest(server);
  auto reads = std::async(std::launch::async, [listener = server.client()]() mutable {
    try {
      while (listener.receive().at("type") != "test.over") continue;
      return true;
    } catch (const std::exception&) {
      return false;  // it was thrown out
    }
  });
  CoreClient hog = server.client("?topics=test.mark");
  for (int round = 0; round < 10; ++round) {
    hog.send_text(said("go honest.test", std::string(900'000, 's')));
    for (const char* text : {"go honest.test", "nobody knows this"}) {
      hog.send_text(
          hostile::utterance(text, {{"session_id", "hog"}, {"unknown", std::string(600'000, 'x')}}));
      hog.send_text(hostile::utterance(
          text, {{"session_id", "default"}, {fmt::format("x{}", round), std::string(100'000, 'y')}}));
    }
    hog.send("test.big", {{"x", std::string(1'000'000, 'z')}});
    hog.catch_up();
    honest.converse();
  }
  server.client().send("test.over", kEmpty);
  CHECK(reads.get());
  const auto held =
      server.ask([](Assistant& core) { return to_json(*core.orchestrator().sessions().current()).dump(); });
  CHECK(held.size() <= 65'536);
}

TEST_CASE("W-5 hostile: a client that is ahead and has hung up does not keep others from connecting") {
  Attacked server;
  server.config.orchestrator.max_in_flight = 4;
  server.start();
  CoreClient keeper = server.client("?topics=nothing.of.it");
  keeper.send("test.here", kEmpty, {{"skill_id", "hang.test"}});
  RawSocket hog(server.port());
  REQUIRE(hog.upgrade("/core?topics=nothing.of.it") == 101);
  std::string many;
  for (int i = 0; i < 3'000; ++i) many += Frame(1, said("go hang.test", "hog")).bytes();
  REQUIRE(hog.send(many.substr(0, 200'000)));
  hog.end_sending();
  Honest honest(server);
  honest.converse();
}
