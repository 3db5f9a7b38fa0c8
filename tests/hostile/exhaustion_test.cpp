// One pays, all suffer: what one client takes, others still have.
#include "hostile/attack.hpp"
#include "orchestrator/orchestrator.hpp"
#include "support/hostile_messages.hpp"
#include "support/patience.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// Sends a stream without an end, for as long as it is taken; gives by how much the heap grew meanwhile.
std::size_t growth_with(RawSocket& socket, const std::string& chunk, std::size_t at_most) {
  const std::size_t before = heap_held();
  std::size_t most = before;
  for (std::size_t sent = 0; sent < at_most && socket.send(chunk); sent += chunk.size())
    most = std::max(most, heap_held());
  return most - before;
}

}  // namespace

TEST_CASE(
    "W-5 hostile: nothing without an end is read to its end, and nothing large before there is a token") {
  Attacked server;
  server.tokens(token_of("honest"));
  server.start();
  Honest honest(server, "honest", "honest");
  const std::string head = "POST /run HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string filler(65'536, 'x');
  constexpr std::size_t kMost = std::size_t{32} << 20U, kKept = std::size_t{4} << 20U;
  const std::vector<std::pair<std::string, std::string>> streams{
      {chunked + "1;", filler},                                      // a chunk's extension
      {chunked + "0\r\nX: ", filler},                                // a trailer
      {chunked + "0\r\n", "X: " + filler.substr(0, 1000) + "\r\n"},  // trailers
      {chunked + std::string(65'536, '0'), std::string(65'536, '0')},
      {head + "X: ", filler},
      {head, "X: y\r\n" + std::string("Y: z\r\n")},
      {"GET /", filler},
      {chunked, "10000\r\n" + filler + "\r\n"},
      {head + "Content-Length: 1000000000\r\n\r\n", filler},
  };
  for (const auto& stream : streams) {
    const std::string& begin = stream.first;
    const std::string& more = stream.second;
    CAPTURE(begin.substr(0, 120));
    RawSocket socket(server.port());
    socket.send(begin);
    std::string block = more;
    while (block.size() < filler.size()) block += more;
    CHECK(growth_with(socket, block, kMost) < kKept);
    honest.converse();
  }
  for (const char* topics : {"Content-Length: 1000000\r\n", "Transfer-Encoding: chunked\r\n"}) {
    RawSocket socket(server.port());
    socket.send(head + topics + "\r\n");
    // Refused without a look at the body, and before it.
    CHECK(status_of(socket.read_until("\r\n\r\n")) == 401);
  }
}

TEST_CASE("hostile: no message holds the loop for long, and others' turns come back right beside it") {
  for (const auto& input : hostile::inputs()) {
    CAPTURE(input.name);
    Attacked server;
    server.with_stages({"stop_high", "converse", "intent_high", "intent_medium", "fallback_low"}).start();
    Honest honest(server);
    LoopProbe probe(server);
    CoreClient hostile = server.client("?topics=nothing.of.it");
    for (const auto& text : input.messages) hostile.send_text(text);
    for (int i = 0; i < 3; ++i) honest.converse();
    CoreClient late = server.client("?topics=test.mark");
    late.catch_up();
    honest.converse();
    const auto longest = probe.longest();
    CAPTURE(longest.count());
    CHECK(longest < kLongestHold);
  }
}

TEST_CASE("U-5 hostile: fallback skills that never answer don't take the stage from others") {
  Attacked server;
  server.with_stages({"fallback_low"});
  server.config.stages.at("fallback").options["query_timeout"] = "20ms";
  server.config.stages.at("fallback").match_timeout = 200ms;
  server.start();
  CoreClient hog = server.client("?topics=test.mark");
  for (int i = 0; i < 21; ++i) {
    const std::string id = fmt::format("silent{}.test", i);
    hog.send("ovos.fallback.register", {{"skill_id", id}, {"priority", 80}}, {{"skill_id", id}});
  }
  hog.catch_up();
  CoreClient user = server.client("?session=hog");
  for (int i = 0; i < 8; ++i) {
    user.send_text(said("nobody knows", "hog"));
    user.receive("ovos.utterance.handled");
  }
  CoreClient skill = server.client("?topics=kind.test.*,kind.test:fallback");
  skill.send("ovos.fallback.register", {{"skill_id", "kind.test"}, {"priority", 79}},
             {{"skill_id", "kind.test"}});
  CoreClient other = server.client("?session=other");
  other.send_text(said("does anybody know", "other"));
  Json context = skill.receive("kind.test.fallback.ping").at("context");
  context["skill_id"] = "kind.test";
  skill.send("kind.test.fallback.pong", {{"skill_id", "kind.test"}, {"can_handle", true}}, context);
  context = skill.receive("kind.test:fallback").at("context");
  skill.send("ovos.intent.handler.complete", kEmpty, context);
  other.receive("ovos.utterance.handled");
  CHECK(other.count("ovos.intent.handler.complete") == 1);
  CHECK_FALSE(server.log.has("is skipped"));
}

TEST_CASE("U-5 hostile: owners in converse that never answer don't take the stage from others") {
  Attacked server;
  server.with_stages({"converse"});
  server.config.pipeline = {"converse", "go"};
  server.config.stages.at("converse").options["ping_timeout"] = "20ms";
  server.config.stages.at("converse").match_timeout = 200ms;
  server.start();
  CoreClient hog = server.client("?topics=test.mark");
  Json owners = Json::array();
  for (int i = 0; i < 24; ++i) {
    const std::string id = fmt::format("silent{}.test", i);
    hog.send("test.here", kEmpty, {{"skill_id", id}});
    owners.push_back({{"skill_id", id}, {"activated_at", unix_now()}});
  }
  hog.catch_up();
  CoreClient user = server.client("?session=hog");
  for (int i = 0; i < 8; ++i) {
    // Marks of silence would spare it the waits: each time it is another connection's silence.
    user.send_text(
        hostile::utterance("nobody knows", {{"session_id", "hog"}, {"converse_handlers", owners}}));
    user.receive("ovos.utterance.handled");
  }
  CoreClient skill = server.client("?topics=kind.test.*,kind.test:converse,test.mark");
  skill.send("test.here", kEmpty, {{"skill_id", "kind.test"}});
  skill.catch_up();
  CoreClient other = server.client("?session=other");
  other.send_text(hostile::utterance(
      "over to you", {{"session_id", "other"},
                      {"converse_handlers", {{{"skill_id", "kind.test"}, {"activated_at", unix_now()}}}}}));
  Json context = skill.receive("kind.test.converse.ping").at("context");
  context["skill_id"] = "kind.test";
  skill.send("kind.test.converse.pong", {{"skill_id", "kind.test"}, {"result", true}}, context);
  context = skill.receive("kind.test:converse").at("context");
  skill.send("ovos.intent.handler.complete", kEmpty, context);
  other.receive("ovos.utterance.handled");
  CHECK(other.count("ovos.intent.handler.complete") == 1);
  CHECK_FALSE(server.log.has("is skipped"));
}

TEST_CASE("hostile: what one client makes the log say is bounded, and shows no control characters") {
  Attacked server;
  server.with_stages({"intent_high"}).start();
  Honest honest(server);
  CoreClient hog = server.client("?topics=test.mark");
  hostile::Json bad = hostile::Json::array();
  for (int i = 0; i < 40'000; ++i) bad.push_back(fmt::format("(bad {}", i));
  hog.send_text(hostile::template_of(bad));
  hog.send_text(hostile::with_field("pipeline", hostile::many("stage_", 60'000)));
  const std::string tricky = "\u202e\u2066\u200f\u061c\u0085\u2028\x1b[2J\n[gateway] all is well";
  for (int i = 0; i < 50; ++i) {
    hog.send("ovos.intent.register.template", {{"skill_id", tricky}, {"intent_name", tricky}},
             {{"skill_id", "hog.test"}});
    hog.send_text(hostile::with_field("pipeline", {tricky + std::to_string(i)}));
    hog.send_text(hostile::with_field("lang", i));
    hog.send("ovos.fallback.register", {{"skill_id", tricky}, {"priority", tricky}},
             {{"skill_id", "hog.test"}});
  }
  hog.catch_up();
  honest.converse();
  std::size_t bytes = 0;
  for (const auto& line : server.log.all()) {
    bytes += line.size();
    CAPTURE(line);
    CHECK(line.size() < 5'000);
    for (const char* sign : {"\u202e", "\u2066", "\u200f", "\u061c", "\u0085", "\u2028", "\x1b", "\n"})
      CHECK(line.find(sign) == line.npos);
  }
  CHECK(bytes < 100'000);
}

TEST_CASE("W-5 hostile: what is sent and gone leaves no memory behind") {
  Attacked server;
  server.with_stages({"stop_high", "converse", "intent_high", "fallback_low"}).start();
  Honest honest(server);
  const auto rounds = [&](int count) {
    for (int i = 0; i < count; ++i) {
      CoreClient hog = server.client("?topics=test.mark");
      for (int n = 0; n < 50; ++n) {
        const std::string skill = fmt::format("hog{}.test", n);
        hog.send_text(registration(skill, "go", fmt::format("round {} of {}", i, n)));
        hog.send_text(hostile::fallback_of(skill));
        hog.send_text(hostile::utterance(
            fmt::format("nothing {} {}", i, n),
            {{"session_id", fmt::format("s{}.{}", i, n)}, {"x", std::string(2'000, 'x')}}));
      }
      hog.catch_up();
    }
    honest.converse();
    const Patience waits;
    while (server.ask([](Assistant& core) { return core.bus().presence().all().size(); }) > 1) {
      waits.once_more("the skills to leave");
      honest.converse();
    }
    return heap_held();
  };
  rounds(3);
  const auto before = rounds(1);
  const auto after = rounds(20);
  CAPTURE(before);
  CHECK(after < before + (std::size_t{4} << 20U));
}
