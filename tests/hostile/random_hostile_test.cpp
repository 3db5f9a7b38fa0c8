// Two hostile clients say whatever the protocol's grammar has, each with a grant of its own session, and one
// honest client beside them whose every turn must come back right. The seed of each world is printed; to see
// one again:
//   PARLEY_HOSTILE_SEED=<seed> parley_hostile_tests --source-file=*random_hostile_test.cpp
// (which prints every message too), and to look for longer: PARLEY_HOSTILE_SECONDS=<how long>.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <future>
#include <memory>

#include "hostile/attack.hpp"
#include "hostile/grammar.hpp"
#include "orchestrator/orchestrator.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

/// Somebody hostile: a client that comes and goes, and requests over HTTP whose answers nobody waits for.
class Hostile {
 public:
  Hostile(Served& server, std::string name, Dice dice, bool prints)
      : server_(server), name_(std::move(name)), grammar_(dice, name_), prints_(prints) {}

  void act(const Known& known) {
    Dice& dice = grammar_.dice();
    const int what = dice.below(100);
    try {
      if (!client_) connect();
      if (what < 88) {
        say(grammar_.text(known));
      } else if (what < 90) {
        client_->send_binary(grammar_.text(known));
      } else if (what < 95) {
        request(known);
      } else if (what < 97) {
        drop();
      } else {
        answer(dice);
      }
    } catch (const std::exception&) {
      drop();  // it was thrown out, which is its own affair
    }
  }
  void drop() { client_.reset(); }
  void leave() {
    drop();
    requests_.clear();
  }

 private:
  void connect() { client_ = std::make_unique<CoreClient>(server_.client("?token=" + name_)); }
  void say(const std::string& text) {
    if (prints_) fmt::print("{}: {}\n", name_, text.substr(0, 2'000));
    client_->send_text(text);
  }
  /// Takes what came and answers some of it: what it is dispatched or asked, truly or not.
  void answer(Dice& dice) {
    client_->passed.clear();
    client_->send("test.mine", kEmpty, in_session(name_));
    client_->receive("test.mine");
    for (const auto& heard : client_->passed) {
      const std::string topic = heard.at("type");
      Json context = heard.at("context");
      if (topic.ends_with(".ping") && dice.chance(60)) {
        const std::string skill =
            topic.starts_with(name_) ? topic.substr(0, topic.find('.', name_.size() + 1)) : name_;
        context["skill_id"] = skill;
        say(Json{
            {"type", topic.substr(0, topic.size() - 4) + "pong"},
            {"data",
             {{"skill_id", skill}, {"can_handle", dice.chance(50)}, {"can_answer", true}, {"result", false}}},
            {"context", context}}
                .dump());
      } else if (topic.find(':') != topic.npos && dice.chance(60)) {
        context["skill_id"] = topic.substr(0, topic.find(':'));
        say(Json{{"type", "ovos.intent.handler.complete"}, {"data", Json::object()}, {"context", context}}
                .dump());
      }
    }
  }
  void request(const Known& known) {
    constexpr std::array kPaths{"/run",         "/run",     "/v1/explain",          "/v1/intents",
                                "/v1/skills",   "/metrics", "/v1/sessions/default", "/last_response",
                                "/v1/pipeline", "/nothing"};
    const std::string path = kPaths[static_cast<std::size_t>(grammar_.dice().below(kPaths.size()))];
    const std::string body = grammar_.body(known);
    const bool posts = path == "/run" || path == "/v1/explain" || grammar_.dice().chance(5);
    if (prints_) fmt::print("{}: {} {}\n", name_, path, body.substr(0, 2'000));
    if (requests_.size() > 20) requests_.clear();
    requests_.emplace_back(server_.port());
    requests_.back().send(
        fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\n"
                    "Content-Length: {}\r\n\r\n{}",
                    posts ? "POST" : "GET", path, name_, body.size(), body));
  }

  Served& server_;
  std::string name_;
  Grammar grammar_;
  bool prints_;
  std::unique_ptr<CoreClient> client_;
  std::vector<RawSocket> requests_;
};

/// Who behaves, in all the ways there are: a skill of the process, a skill of its own connection, and HTTP.
class Behaves {
 public:
  explicit Behaves(Served& server)
      : server_(server),
        honest_(server, "honest", "honest"),
        skill_(server.client("?token=honest&session=honest&topics=kind.test:go,test.mark")) {
    Json context = in_session("honest");
    context["skill_id"] = "kind.test";
    skill_.send("test.here", kEmpty, context);
    skill_.send("test.mark", kEmpty, in_session("honest"));
    skill_.receive("test.mark");
  }

  void behave(Dice& dice, Known& known) {
    switch (dice.below(4)) {
      case 0:
        honest_.converse();
        break;
      case 1:
        by_its_own_skill(known);
        break;
      case 2:
        over_http_by_its_own_skill(known);
        break;
      default:
        over_http();
    }
  }
  void converse() { honest_.converse(); }

 private:
  /// Ends a turn of its own skill with a text; it is known to the others while it is under way.
  std::string handle(Known& known) {
    const Json dispatch = skill_.receive("kind.test:go");
    known.utterances = {dispatch.at("context").at("utterance_id")};
    if (while_under_way) while_under_way();
    Json reply = dispatch.at("context");
    reply["skill_id"] = "kind.test";
    std::string text = fmt::format("kind words {}", ++turns_);
    skill_.send("ovos.utterance.speak", {{"utterance", text}, {"lang", "en-US"}}, reply);
    skill_.send("ovos.intent.handler.complete", kEmpty, reply);
    return text;
  }
  void over_http_by_its_own_skill(Known& known) {
    auto answering = std::async(std::launch::async, [port = server_.port()] {
      const Json body = {{"id", "honest"}, {"text", "go kind.test"}};
      return http(port, "POST", "/run", body.dump(), {{"Authorization", "Bearer honest"}});
    });
    const std::string text = handle(known);
    const auto answer = answering.get();
    CAPTURE(answer.body);
    REQUIRE(answer.status == 200);
    CHECK(answer.json().at("status") == "answered");
    CHECK(answer.json().at("speech_text") == text);
    honest_.client().send("test.end", kEmpty,
                          in_session("honest"));  // what it heard of it is no part of its next turn
    honest_.client().receive("test.end");
  }
  void by_its_own_skill(Known& known) {
    CoreClient& user = honest_.client();
    user.passed.clear();
    Json context = in_session("honest");
    const int colour = ++turns_;
    context["session"]["colour"] = colour;
    user.send("ovos.utterance.handle", utterance("go kind.test"), context);
    const std::string text = handle(known);
    const Json session = user.receive("ovos.utterance.handled").at("context").at("session");
    CHECK(session.at("session_id") == "honest");
    CHECK(session.at("colour") == colour);
    CHECK(user.count("ovos.intent.handler.complete") == 1);
    CHECK(user.count("ovos.intent.handler.error") == 0);
    for (const auto& message : user.passed) {
      if (message.at("type") == "ovos.utterance.speak") CHECK(message.at("data").at("utterance") == text);
    }
    CHECK(user.count("ovos.utterance.speak") == 1);
  }
  void over_http() {
    const std::string text = fmt::format("go honest.test {}", ++turns_);
    const auto answer =
        http(server_.port(), "POST", "/run", Json{{"id", "honest.http"}, {"text", text}}.dump(),
             {{"Authorization", "Bearer honest"}});
    CAPTURE(answer.body);
    REQUIRE(answer.status == 200);
    CHECK(answer.json().at("speech_text") == text);
    CHECK(answer.json().at("session").at("session_id") == "honest.http");
  }

 public:
  std::function<void()> while_under_way;

 private:
  Served& server_;
  Honest honest_;
  CoreClient skill_;
  int turns_ = 0;
};

/// The connections there are, the one that asks among them.
int connections(Served& server) {
  const auto page = http(server.port(), "GET", "/metrics", "", {{"Authorization", "Bearer honest"}}).body;
  const std::string gauge = "\nparley_gateway_connections ";
  const auto at = page.find(gauge);
  REQUIRE(at != page.npos);
  return std::stoi(page.substr(at + gauge.size()));
}

/// What is left when who is hostile has gone: what who is honest has.
void check_settled(Served& server, Behaves& behaves) {
  const auto until = std::chrono::steady_clock::now() + 60s;
  // What somebody said before they went is read after it, too; what comes of it is there before what is said
  // then.
  while (connections(server) > 3 && std::chrono::steady_clock::now() < until) behaves.converse();
  CHECK(connections(server) == 3);
  behaves.converse();
  const auto settled = [](Assistant& core) {
    return core.orchestrator().in_flight() == 0 && core.orchestrator().waiting() == 0 &&
           core.bus().presence().all().size() == 2;
  };
  while (!server.ask(settled) && std::chrono::steady_clock::now() < until) behaves.converse();
  CHECK(server.ask([](Assistant& core) { return core.orchestrator().in_flight(); }) == 0);
  CHECK(server.ask([](Assistant& core) { return core.orchestrator().waiting(); }) == 0);
  CHECK(server.ask([](Assistant& core) { return core.bus().presence().all().size(); }) == 2);
}

/// One world: everything in it follows from the seed, but for what the threads make of it.
void run_world(std::uint64_t seed, bool prints) {
  constexpr int kMessages = 300;
  Dice dice(seed);
  Served server;
  server.skill("honest.test", speaks_back());
  server.real_stages(
      {"stop_high", "go", "converse", "intent_high", "intent_medium", "common_query", "fallback_low"});
  server.config.stages.at("fallback").options["query_timeout"] = "20ms";
  server.config.stages.at("converse").options["ping_timeout"] = "20ms";
  // kind.test answers in the session of who is honest only: others' turns would wait for it.
  const std::string denied = ", sessions: own, blacklisted_skills: [kind.test]";
  server.tokens(token_of("honest", ", sessions: own") + token_of("mallory", denied) +
                token_of("oscar", denied));
  server.start();
  Behaves behaves(server);
  Known known;
  known.sessions = {"honest", "honest.http", "mallory", "oscar"};
  known.skills = {"honest.test", "kind.test", "mallory.skill1", "oscar.skill1"};
  LoopProbe probe(server);
  Hostile mallory(server, "mallory", Dice(seed, "mallory"), prints);
  Hostile oscar(server, "oscar", Dice(seed, "oscar"), prints);
  const auto attack = [&] { (dice.chance(50) ? mallory : oscar).act(known); };
  behaves.while_under_way = [&] {
    for (int i = dice.below(8); i > 0; --i) attack();
  };
  for (int i = 0; i < kMessages; ++i) {
    attack();
    if (i % 10 == 9) behaves.behave(dice, known);
  }
  mallory.leave();
  oscar.leave();
  behaves.while_under_way = nullptr;
  check_settled(server, behaves);
  const auto longest = probe.longest();
  CAPTURE(longest.count());
  CHECK(longest < kLongestHold);
}

}  // namespace

TEST_CASE("hostile: whatever two clients say at random, nobody else's turn is lost, changed or read") {
  const std::uint64_t first = number("PARLEY_HOSTILE_SEED", 1);
  const bool one = first != 1;
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::seconds(number("PARLEY_HOSTILE_SECONDS", 5));
  std::size_t held = 0;
  std::uint64_t worlds = 0;
  do {
    const std::uint64_t seed = first + worlds;
    fmt::print("PARLEY_HOSTILE_SEED={}\n", seed);
    std::fflush(stdout);  // it is what is left to see after a crash
    CAPTURE(seed);
    run_world(seed, one);
    if (++worlds == 2) held = heap_held();
  } while (!one && std::chrono::steady_clock::now() < until);
  if (worlds > 2) CHECK(heap_held() < held + (std::size_t{8} << 20U));
}
