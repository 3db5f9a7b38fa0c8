// What changes while the server runs, and what does not.
#include "config/changes.hpp"
#include "net/grant.hpp"
#include "settings/problem.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

/// Says something and gives the topic that tells how it ended.
std::string outcome(CoreClient& client, const std::string& text) {
  client.passed.clear();
  client.send("ovos.utterance.handle", utterance(text), in_session("s"));
  client.receive("ovos.utterance.handled");
  return client.count("ovos.intent.unmatched") > 0 ? "unmatched" : "matched";
}

}  // namespace

TEST_CASE(
    "reload: the pipeline and the blacklists hold from the next turn on, and no connection is dropped") {
  Served server;
  server.skill("tea.test", echoes());
  server.start();
  CoreClient client = server.client();
  CHECK(outcome(client, "go tea.test") == "matched");
  server.config.pipeline.clear();
  CHECK(server.reload().empty());
  CHECK(outcome(client, "go tea.test") == "unmatched");
  server.config.pipeline = {"go"};
  server.config.blacklisted_skills = {"tea.test"};
  CHECK(server.reload().empty());
  CHECK(outcome(client, "go tea.test") == "unmatched");
  server.config.blacklisted_skills.clear();
  server.reload();
  CHECK(outcome(client, "go tea.test") == "matched");
}

TEST_CASE("reload: limits, origins and older names") {
  Served server;
  server.start();
  CoreClient client = server.client();
  const Headers page = {{"Origin", "https://home.example"}};
  CHECK(http(server.port(), "GET", "/health", "", page).status == 403);
  auto& gateway = server.config.gateway;
  gateway.allowed_origins = {"https://home.example"};
  gateway.max_frame = 2048;
  gateway.compat = net::Compat::kOvos;
  CHECK(server.reload().empty());
  CHECK(http(server.port(), "GET", "/health", "", page).status == 200);
  CoreClient later = server.client();
  gateway.max_connections = 2;
  CHECK(server.reload().empty());
  CHECK_THROWS_WITH(server.client(), "refused with 503");
  client.send("test.large", {{"text", std::string(3000, 'x')}});  // it came before
  CHECK_NOTHROW(later.receive("test.large"));
  client.send("speak", {{"utterance", "hello"}});
  CHECK_NOTHROW(later.receive("ovos.utterance.speak"));
  later.send("test.large", {{"text", std::string(3000, 'x')}});
  CHECK(later.closed() == 1009);
}

TEST_CASE("reload: what takes effect with the next start only is named, and left alone") {
  Served server;
  server.skill("tea.test", echoes());
  server.start();
  CoreClient client = server.client();
  server.config.gateway.port = 1;
  server.config.gateway.listen = "0.0.0.0";
  server.config.gateway.certificate = "none.pem";
  server.config.language.enabled.emplace_back("fr-FR");
  server.config.orchestrator.handler_timeout = 7s;
  server.config.orchestrator.max_in_flight = 7;  // this one does change
  server.config.stages["other"].plugin = "other";
  CHECK(server.reload() == Words{"gateway.listen", "gateway.port", "language.enabled",
                                 "orchestrator.handler_timeout", "stages.other", "gateway.certificate"});
  CHECK(outcome(client, "go tea.test") == "matched");
  CHECK(http(server.port(), "GET", "/health").status == 200);
  CHECK(server.ask([](Assistant& assistant) { return assistant.config().orchestrator.max_in_flight; }) == 7);
}

TEST_CASE("reload: tokens come and go; a token file with a fault changes nothing at all") {
  Served server;
  server.skill("tea.test", echoes());
  server.start();
  CoreClient client = server.client();
  server.tokens("  new: {token_sha256: " + net::sha256("n") + "}\n");
  CHECK(server.reload().empty());
  CHECK_THROWS_WITH(server.client(), "refused with 401");
  CHECK_NOTHROW(server.client("?token=n"));
  server.tokens("  broken: 7\n");
  server.config.pipeline.clear();
  CHECK_THROWS_AS(server.reload(), ConfigError);
  CHECK_NOTHROW(server.client("?token=n"));
  CHECK(outcome(client, "go tea.test") == "matched");
  server.config.gateway.tokens.clear();
  CHECK(server.reload().empty());
  CHECK_NOTHROW(server.client());
}

TEST_CASE("changed_keys: every key that differs, by its full name; lists and what only one has are one") {
  const Config& before = installed_config();
  Config after = before;
  CHECK(changed_keys(before, after).empty());
  after.pipeline.pop_back();
  after.stages.at("intent").match_timeout = 5s;
  after.stages.erase("fallback");
  after.logging.level = LogLevel::kError;
  CHECK(changed_keys(before, after) ==
        Words{"logging.level", "pipeline", "stages.fallback", "stages.intent.match_timeout"});
  CHECK(can_change_at_run_time("pipeline"));
  CHECK_FALSE(can_change_at_run_time("stages.intent.match_timeout"));
}
