// Sessions that parley remembers for clients of POST /run.
#include "net/grant.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// A server whose one skill says whether it has been here before in that session.
class Remembers {
 public:
  explicit Remembers(const std::filesystem::path& store, const std::string& tokens = {}) {
    server_.config.store.path = store.string();
    server_.keeps_as = "a test";
    if (!tokens.empty()) server_.tokens(tokens);
    server_.skill("guest.test", [](Turn turn) -> Task<> {
      turn.speak(turn.session()->persona_id.value_or("new here"));
      turn.change_session([](Session& session) { session.persona_id = "known"; });
      co_return;
    });
    server_.start();
  }

  std::string run(Json body, const Headers& headers = {}) {
    body["text"] = "go guest.test";
    const auto answer = http(server_.port(), "POST", "/run", body.dump(), headers);
    return answer.status == 200 ? answer.json().at("speech_text").get<std::string>() : answer.body;
  }

 private:
  Served server_;
};

}  // namespace

TEST_CASE("K-4 sessions: POST /run with an id alone goes on where it was, after a restart as well") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "parley.db";
  {
    Remembers server(file);
    CHECK(server.run({{"id", "me"}}) == "new here");
    CHECK(server.run({{"id", "me"}}) == "known");
    CHECK(server.run({{"id", "you"}}) == "new here");
  }
  Remembers server(file);
  CHECK(server.run({{"id", "me"}}) == "known");
  CHECK(server.run({{"id", "you"}}) == "known");
}

TEST_CASE("K-4 sessions: POST /run with an id alone answers the question that is open there") {
  const TemporaryFolder folder;
  Served server;
  server.config.store.path = (folder.path() / "parley.db").string();
  server.keeps_as = "a test";
  server.real_stages({"converse", "go"});
  server.locale("tea.test", "en-US/which.dialog", "Black or green?\n");
  server.skill("tea.test", [](Turn turn) -> Task<> {
    const auto kind = co_await turn.ask("which");
    turn.speak(kind ? "one " + *kind + " cup" : "none");
  });
  server.start();
  const auto run = [&](const char* text) {
    return http(server.port(), "POST", "/run", Json{{"id", "me"}, {"text", text}}.dump()).json();
  };
  CHECK(run("go tea.test").at("listen") == true);
  CHECK(run("green").at("speech_text") == "one green cup");
}

TEST_CASE("K-4 sessions: one that is sent holds, and resume: false starts afresh") {
  const TemporaryFolder folder;
  Remembers server(folder.path() / "parley.db");
  server.run({{"id", "me"}});
  CHECK(server.run({{"id", "me"}, {"session", {{"session_id", "me"}}}}) == "new here");
  CHECK(server.run({{"id", "me"}}) == "known");
  CHECK(server.run({{"id", "me"}, {"resume", false}}) == "new here");
  CHECK(server.run({{"id", "me"}, {"resume", true}}) == "known");
  CHECK(server.run({{"id", "me"}, {"resume", "no"}}).find("'resume' must be true or false") !=
        std::string::npos);
}

TEST_CASE("K-4 sessions: two owners' sessions of one id are two") {
  const TemporaryFolder folder;
  const auto line = [](const std::string& name) {
    return "  " + name + ": {token_sha256: " + net::sha256("secret of " + name) + "}\n";
  };
  Remembers server(folder.path() / "parley.db", line("anna") + line("bert"));
  const auto as = [](const std::string& name) {
    return Headers{{"Authorization", "Bearer secret of " + name}};
  };
  CHECK(server.run({{"id", "me"}}, as("anna")) == "new here");
  CHECK(server.run({{"id", "me"}}, as("bert")) == "new here");
  CHECK(server.run({{"id", "me"}}, as("anna")) == "known");
}
