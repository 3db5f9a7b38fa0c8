// POST /v1/explain: what every stage would say, and nothing comes of it.
#include "net/grant.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// The real stages, a skill of this process with the intent "go", and a client that hears everything.
class Explained : public Served {
 public:
  Explained() {
    real_stages({"go", "stop_high", "converse", "intent_high", "common_query", "fallback_low"});
    skill("tea.test", does([](Turn& turn) { turn.speak("yes"); }));
  }
  void start() {
    Served::start();
    watcher.emplace(client());
    watcher->catch_up();
  }
  Json explain_body(const Json& body) {
    const auto answer = http(port(), "POST", "/v1/explain", body.dump());
    CAPTURE(answer.body);
    REQUIRE(answer.status == 200);
    return answer.json();
  }
  Json explain(const std::string& text) { return explain_body({{"id", "me"}, {"text", text}}); }
  /// A connection that speaks for a skill.
  CoreClient remote(const std::string& skill_id) {
    CoreClient made = client();
    made.send("test.here", kEmpty, {{"skill_id", skill_id}});
    made.catch_up();
    watcher->catch_up();
    watcher->passed.clear();
    return made;
  }
  /// Whether nothing was on the bus but the watcher's own marks.
  bool is_silent() {
    watcher->catch_up();
    for (const auto& message : std::exchange(watcher->passed, {})) {
      if (message.at("type") != "test.mark") return false;
    }
    return true;
  }

  std::optional<CoreClient> watcher;
};

Json stage_of(const Json& report, const std::string& entry) {
  for (const auto& stage : report.at("stages")) {
    if (stage.at("entry") == entry) return stage;
  }
  return {};
}

std::string verdict_of(const Json& report, const std::string& entry) {
  return stage_of(report, entry).at("verdict");
}

Json handlers(const std::vector<std::string>& skills) {
  Json list = Json::array();
  double at = 4e9;  // in the future: never too long ago
  for (const auto& skill : skills) list.push_back({{"skill_id", skill}, {"activated_at", at--}});
  return list;
}

}  // namespace

TEST_CASE("POST /v1/explain: every stage says what it thinks, and the first that matches would win") {
  Explained server;
  server.start();
  const Json report = server.explain_body({{"id", "me"}, {"text", "go"}, {"lang", "en-US"}});
  CHECK(report.at("outcome") == "matched");
  CHECK(report.at("entry") == "intent_high");
  CHECK(report.at("utterances") == Json{"go"});
  CHECK(report.at("lang") == "en-US");
  CHECK(report.at("lang_source") == "data.lang");
  CHECK(report.at("skipped").empty());
  REQUIRE(report.at("stages").size() == 6);
  CHECK(verdict_of(report, "go") == "declines");
  CHECK(verdict_of(report, "stop_high") == "declines");
  CHECK(verdict_of(report, "converse") == "declines");
  const Json intent = stage_of(report, "intent_high");
  CHECK(intent.at("pipeline_id") == "intent");
  CHECK(intent.at("match") == Json{{"skill_id", "tea.test"},
                                   {"intent_name", "go"},
                                   {"lang", "en-US"},
                                   {"utterance", "go"},
                                   {"slots", kEmpty}});
  CHECK(intent.at("steps").at(0).at("kind") == "candidate");
  CHECK(verdict_of(report, "fallback_low") == "declines");
}

TEST_CASE("POST /v1/explain: nothing comes of it") {
  Explained server;
  server.start();
  const auto counts = [&] {
    auto all = server.counters().all();
    std::erase_if(all, [](const auto& one) { return one.name.starts_with("parley_gateway"); });
    return all;
  };
  const Json session = http(server.port(), "GET", "/v1/sessions/default").json();
  const auto before = counts();
  const Json changed = {{"session_id", "default"},
                        {"lang", "de-DE"},
                        {"intent_context", {{"cup", {{"value", "blue"}, {"turns_remaining", 1}}}}}};
  CHECK(server.explain_body({{"id", "default"}, {"text", "go"}, {"session", changed}}).at("lang") == "de-DE");
  server.explain_body({{"id", "default"}, {"text", "stop everything"}});
  server.explain("flurb the grommet");
  CHECK(server.is_silent());
  CHECK(counts() == before);
  CHECK(http(server.port(), "GET", "/v1/sessions/default").json() == session);
  CHECK(http(server.port(), "GET", "/last_response").status == 404);
}

TEST_CASE("POST /v1/explain: who stops is not asked, and what depends on it is said") {
  Explained server;
  server.start();
  const Json session = {{"session_id", "me"}, {"active_handlers", handlers({"far.test", "tea.test"})}};
  const CoreClient far = server.remote("far.test");
  const Json report = server.explain_body({{"id", "me"}, {"text", "stop"}, {"session", session}});
  const Json stop = stage_of(report, "stop_high");
  CHECK(stop.at("verdict") == "asks");
  CHECK(stop.at("asks") == Json{{{"topic", "ovos.stop.ping"}, {"skills", {"far.test", "tea.test"}}}});
  CHECK(stop.at("match").at("skill_id") == "far.test");  // if none of them says yes
  CHECK(stop.at("steps").empty());
  CHECK(report.at("outcome") == "depends");
  CHECK(server.is_silent());
  CHECK(server.explain("stop").at("entry") == "stop_high");  // nothing to be asked about
}

TEST_CASE(
    "POST /v1/explain: those who would be offered the utterance are named, each of them, and not asked") {
  Explained server;
  server.start();
  CoreClient far = server.remote("far.test");
  CoreClient near = server.remote("near.test");
  for (auto* one : {&far, &near}) {
    const std::string id = one == &far ? "far.test" : "near.test";
    one->send("ovos.fallback.register", {{"skill_id", id}, {"priority", one == &far ? 80 : 90}},
              {{"skill_id", id}});
    one->catch_up();
  }
  server.watcher->catch_up();
  server.watcher->passed.clear();
  const Json session = {{"session_id", "me"}, {"converse_handlers", handlers({"near.test", "far.test"})}};
  const Json report =
      server.explain_body({{"id", "me"}, {"text", "what is the capital of france"}, {"session", session}});
  CHECK(stage_of(report, "converse").at("asks") ==
        Json{{{"topic", "near.test.converse.ping"}, {"skills", {"near.test"}}},
             {{"topic", "far.test.converse.ping"}, {"skills", {"far.test"}}}});
  const Json question = stage_of(report, "common_query").at("asks");
  REQUIRE(question.size() == 1);
  CHECK(question.at(0).at("topic") == "ovos.common_query.ping");
  std::vector<std::string> asked = question.at(0).at("skills");
  std::sort(asked.begin(), asked.end());
  CHECK(asked == std::vector<std::string>{"far.test", "near.test"});
  CHECK(stage_of(report, "fallback_low").at("asks") ==
        Json{{{"topic", "far.test.fallback.ping"}, {"skills", {"far.test"}}},
             {{"topic", "near.test.fallback.ping"}, {"skills", {"near.test"}}}});
  CHECK(report.at("outcome") == "depends");
  CHECK_FALSE(report.contains("entry"));
  CHECK(server.is_silent());
  CHECK(server.log.count({}) == server.log.count("[watchdog]"));  // the machine may be slow
}

TEST_CASE("POST /v1/explain: matches that would not count, stages that fail, entries that are not there") {
  Explained server;
  server.config.pipeline.emplace_back("nothing_high");
  server.config.orchestrator.max_consecutive_faults = 2;
  server.start();
  const Json session = {
      {"session_id", "me"}, {"blacklisted_skills", {"tea.test"}}, {"blacklisted_pipelines", {"converse"}}};
  const Json refused = server.explain_body({{"id", "me"}, {"text", "go tea.test"}, {"session", session}});
  CHECK(verdict_of(refused, "go") == "refused");
  CHECK(contains(stage_of(refused, "go").at("why").get<std::string>(), "blacklisted"));
  CHECK(refused.at("outcome") == "unmatched");
  CHECK(refused.at("skipped") == Json{{{"entry", "converse"}, {"why", "blacklisted for this session"}},
                                      {{"entry", "nothing_high"}, {"why", "not loaded"}}});
  for (int i = 0; i < 5; ++i) {  // not held against it
    const Json failed = server.explain("fail");
    CHECK(verdict_of(failed, "go") == "fails");
    CHECK(contains(stage_of(failed, "go").at("why").get<std::string>(), "told to"));
  }
  CHECK(server.explain("go tea.test").at("entry") == "go");
}

TEST_CASE("POST /v1/explain: it takes what /run takes, and says what is wrong") {
  Explained server;
  server.start();
  const auto answer = http(server.port(), "POST", "/v1/explain", R"({"id": "me"})");
  CHECK(answer.status == 400);
  CHECK(contains(answer.json().at("error").at("message").get<std::string>(), "'text' is missing"));
  CHECK(http(server.port(), "GET", "/v1/explain").status == 405);
}

TEST_CASE("POST /v1/explain: a grant covers it as it covers a turn") {
  Served server;
  server.skill("tea.test", does([](Turn&) {}));
  server.tokens("  guest: {token_sha256: " + net::sha256("g") +
                ", sessions: own, blacklisted_skills: [tea.test]}\n");
  server.start();
  const Headers token = {{"Authorization", "Bearer g"}};
  const auto ask = [&](const std::string& id) {
    return http(server.port(), "POST", "/v1/explain", Json{{"id", id}, {"text", "go tea.test"}}.dump(),
                token);
  };
  CHECK(ask("default").status == 403);
  CHECK(verdict_of(ask("guest").json(), "go") == "refused");
}
