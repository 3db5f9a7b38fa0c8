// Traces for a collector of OpenTelemetry, over real sockets.
#include <set>

#include "support/end_to_end.hpp"
#include "support/http_server.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// An assistant in real time whose traces go to a server of the test.
class Traced : public EndToEnd {
 public:
  explicit Traced(const std::function<int(std::size_t request)>& status = nullptr)
      : EndToEnd(Time::kReal),
        server([this, status](const HttpServer::Request&, HttpServer::Connection& connection) {
          connection.reply(status ? status(server.requests().size()) : 200, "{}");
        }) {
    config.telemetry.traces = server.url() + "/v1/traces";
    config.telemetry.every = 5ms;
    locale("test.kitchen", "en-US/cook.intent", "cook {dish}\n");
    locale("test.kitchen", "en-US/burn.intent", "burn it\n");
    skill("test.kitchen", [](LambdaSkill& kitchen) {
      kitchen.on_intent("cook", says("a secret recipe"));
      kitchen.on_intent("burn", [](Turn) -> Task<> {
        throw std::runtime_error("the oven is on fire");
        co_return;
      });
    });
  }
  /// All spans that came.
  std::vector<Json> spans() const {
    std::vector<Json> all;
    for (const auto& request : server.requests()) {
      const Json body = Json::parse(request.body);
      for (const Json& resource : body.at("resourceSpans"))
        for (const Json& scope : resource.at("scopeSpans"))
          for (const Json& span : scope.at("spans")) all.push_back(span);
    }
    return all;
  }
  std::vector<Json> wait_for_turns(std::size_t count) {
    REQUIRE(until([&] { return named(spans(), "turn").size() >= count; }));
    return spans();
  }
  static std::vector<Json> named(const std::vector<Json>& spans, const std::string& name) {
    std::vector<Json> found;
    for (const Json& span : spans)
      if (span.at("name") == name) found.push_back(span);
    return found;
  }

  HttpServer server;
};

std::string attribute_of(const Json& span, const std::string& key) {
  for (const Json& one : span.at("attributes"))
    if (one.at("key") == key) return one.at("value").at("stringValue");
  return "-";
}

std::int64_t nanoseconds(const Json& span, const char* key) {
  return std::stoll(span.at(key).get<std::string>());
}

}  // namespace

TEST_CASE("telemetry: a turn is a span, with one for each entry that was asked and one for the handler") {
  Traced run;
  run.config.telemetry.service = "home";
  run.start();
  const auto before = std::chrono::system_clock::now().time_since_epoch();
  CHECK(run.say("cook a soup", session("kitchen")).speech_text() == "a secret recipe");
  const auto spans = run.wait_for_turns(1);
  const Json turn = Traced::named(spans, "turn").front();
  CHECK(turn.at("kind") == 2);
  CHECK_FALSE(turn.contains("parentSpanId"));
  CHECK_FALSE(turn.contains("status"));
  CHECK(attribute_of(turn, "session.id") == "kitchen");
  CHECK(attribute_of(turn, "outcome") == "complete");
  CHECK(attribute_of(turn, "parley.entry") == "intent_high");
  CHECK(attribute_of(turn, "parley.intent") == "test.kitchen:cook");
  REQUIRE(Traced::named(spans, "entry intent_high").size() == 1);
  const Json entry = Traced::named(spans, "entry intent_high").front();
  CHECK(attribute_of(entry, "outcome") == "match");
  REQUIRE(Traced::named(spans, "handler test.kitchen").size() == 1);
  std::set<std::string> ids;
  for (const Json& span : spans) {
    CAPTURE(span);
    CHECK(span.at("traceId") == turn.at("traceId"));
    CHECK(span.at("traceId").get<std::string>().size() == 32);
    CHECK(span.at("spanId").get<std::string>().size() == 16);
    CHECK(ids.insert(span.at("spanId")).second);
    if (span != turn) CHECK(span.at("parentSpanId") == turn.at("spanId"));
    CHECK(nanoseconds(span, "startTimeUnixNano") <= nanoseconds(span, "endTimeUnixNano"));
    CHECK(nanoseconds(span, "startTimeUnixNano") >= nanoseconds(turn, "startTimeUnixNano"));
  }
  // A second for the clocks of the machine, which are not one.
  CHECK(nanoseconds(turn, "startTimeUnixNano") > std::chrono::nanoseconds(before - 1s).count());
  const auto requests = run.server.requests();
  CHECK(requests.front().method == "POST");
  CHECK(requests.front().path == "/v1/traces");
  CHECK(contains(requests.front().head, "application/json"));
  CHECK(contains(requests.front().body, R"({"key":"service.name","value":{"stringValue":"home"}})"));
}

TEST_CASE("telemetry: what was said stays here, unless it is asked for") {
  for (const bool words : {false, true}) {
    CAPTURE(words);
    Traced run;
    run.config.telemetry.words = words;
    run.start();
    run.say("cook a soup");
    const auto spans = run.wait_for_turns(1);
    const std::string all = Json(spans).dump();
    CHECK(contains(all, "soup") == words);
    CHECK(contains(all, "a secret recipe") == words);
  }
}

TEST_CASE("telemetry: what fails is an error in its span, and in that of the turn") {
  Traced run;
  run.start();
  run.say("burn it");
  run.say("nobody knows this");
  const auto spans = run.wait_for_turns(2);
  const Json handler = Traced::named(spans, "handler test.kitchen").front();
  CHECK(handler.at("status").at("code") == 2);
  CHECK(contains(handler.at("status").at("message").get<std::string>(), "the oven is on fire"));
  const auto turns = Traced::named(spans, "turn");
  CHECK(turns.at(0).at("status").at("code") == 2);
  CHECK_FALSE(turns.at(1).contains("status"));
  CHECK(attribute_of(turns.at(1), "outcome") == "unmatched");
  CHECK(turns.at(0).at("traceId") != turns.at(1).at("traceId"));
}

TEST_CASE("telemetry: a collector that fails costs no turn; what it misses is counted, and told of once") {
  std::atomic<bool> is_well{false};
  Traced run([&is_well](std::size_t) { return is_well ? 200 : 503; });
  const LogLines log;
  run.start();
  for (int i = 0; i < 3; ++i) {
    CHECK(run.say("cook a soup").speech_text() == "a secret recipe");
    const auto dropped = static_cast<std::uint64_t>(i) + 1;
    REQUIRE(run.until([&] {
      return run.assistant().counters().of(R"(parley_telemetry_turns_total{outcome="dropped"})") == dropped;
    }));
  }
  CHECK(log.count("traces don't reach the collector") == 1);
  CHECK(log.count("503") == 1);
  is_well = true;
  run.say("cook a soup");
  REQUIRE(run.until(
      [&] { return run.assistant().counters().of(R"(parley_telemetry_turns_total{outcome="sent"})") == 1; }));
}

TEST_CASE("telemetry: of more than may wait the newest are dropped and counted") {
  Traced run;
  run.config.telemetry.every = 1h;
  run.config.telemetry.max_queue = 10;
  run.start();
  for (int i = 0; i < 12; ++i) run.say("cook a soup");
  CHECK(run.assistant().counters().of(R"(parley_telemetry_turns_total{outcome="dropped"})") == 2);
  CHECK(run.server.requests().empty());
}
