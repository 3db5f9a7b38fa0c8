// docs/ovos.md: what is shown there is done here, with skills that are doubles of those it names.
#include <filesystem>
#include <parley/files.hpp>
#include <regex>

#include "config/config.hpp"
#include "support/ovos_double.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

std::string ovos_page() {
  const auto text = parley::read_file(std::string(PARLEY_DOCS) + "/ovos.md", std::size_t{1} << 20U);
  REQUIRE(text);
  return *text;
}

/// What stands between ```kind and ```, in order.
Texts shown_in(const std::string& kind) {
  const std::string text = ovos_page();
  Texts found;
  const std::string begin = "```" + kind + "\n";
  for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
    at += begin.size();
    found.push_back(text.substr(at, text.find("```", at) - at));
  }
  return found;
}

/// Puts the program of that name there, as `sh` finds it: a launcher of skills' doubles.
void write_launcher(const TemporaryFolder& folder, unsigned short port) {
  std::string script = "#!/bin/sh\nexec";
  for (const auto& word : python("ovos_skill.py", port)) script += " '" + word + "'";
  const auto file = folder.write("ovos-skill-launcher", script + " \"$@\"\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

}  // namespace

TEST_CASE("docs/ovos.md: the five steps, up to the first answer") {
  Served server;
  REQUIRE(shown_in("yaml").size() == 2);
  const auto problems = check_config_text(shown_in("yaml").at(0), "docs/ovos.md").problems;
  CHECK(problems.empty());
  server.real_stages({"stop_high", "converse", "intent_high"});
  server.start();  // not a word of configuration
  const TemporaryFolder folder;
  write_launcher(folder, server.port());
  CoreClient watcher = server.client(OlderSkills::kLoaded);
  REQUIRE(shown_in("bash").size() == 1);
  const Program shell(
      {"/bin/sh", "-c", "PATH=" + folder.path().string() + ":$PATH\n" + shown_in("bash").at(0) + "wait\n"});
  OlderSkills::wait_for_all(watcher, {"ovos-skill-hello-world.openvoiceos", "ovos-skill-camera.openvoiceos"});

  const std::string text = ovos_page();
  std::smatch call;
  REQUIRE(std::regex_search(
      text, call, std::regex("curl -s localhost:8181/run -d '([^']*)' \\| jq -r .source.skill_id\n(.*)\n")));
  const Json answer = http(server.port(), "POST", "/run", call[1].str()).json();
  CHECK(answer.at("status") == "answered");
  CHECK(answer.at("source").at("skill_id") == call[2].str());
  const Json skills = http(server.port(), "GET", "/v1/skills").json();
  CHECK(skills.at("remote").size() == 2);
}

TEST_CASE("docs/ovos.md: a client with the token in its route") {
  Served server;
  std::string clients = shown_in("yaml").at(1);
  const std::string begin = "clients:\n";
  REQUIRE(clients.starts_with(begin));
  server.tokens(clients.substr(begin.size()));
  server.config.gateway.compat = net::Compat::kOvos;
  server.real_stages({"intent_high"});
  server.start();
  const Json socket = Json::parse(shown_in("json").at(0)).at("websocket");
  CHECK(socket.at("port") == Config().gateway.port);
  const Heard heard(run_client(server.port(), {"--session", "kitchen", "flurb"}, socket.at("route")));
  CHECK(heard.count("complete_intent_failure") == 1);
  CHECK_THROWS(run_client(server.port(), {"--session", "kitchen", "flurb"}, "/core?token=wrong"));
}

TEST_CASE("docs/ovos.md: HiveMind looks where parley listens") {
  const Json protocol = Json::parse(shown_in("json").at(1)).at("agent_protocol");
  const Json& bus = protocol.at(protocol.at("module").get<std::string>());
  CHECK(bus.at("host") == Config().gateway.listen);
  CHECK(bus.at("port") == Config().gateway.port);
}
