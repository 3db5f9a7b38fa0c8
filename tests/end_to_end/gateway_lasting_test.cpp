// K-1 to K-3: what a skill at the other end of a connection keeps, and what is to come for it.
#include "net/grant.hpp"
#include "support/patience.hpp"
#include "support/served.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// A connection that speaks for a skill.
class Keeper {
 public:
  Keeper(Served& server, std::string skill_id) : Keeper(server.client(), std::move(skill_id)) {}
  Keeper(CoreClient connection, std::string skill_id)
      : id_(std::move(skill_id)), client(std::move(connection)) {}

  /// What is answered to a request.
  Json ask(const std::string& what, const Json& data, const std::string& session = "s") {
    client.send("parley." + what, data, context(session));
    return client.receive("parley." + what + ".response").at("data");
  }
  Json context(const std::string& session) const {
    return {{"source", id_}, {"skill_id", id_}, {"session", {{"session_id", session}}}};
  }

 private:
  std::string id_;

 public:
  CoreClient client;
};

}  // namespace

TEST_CASE("K-2 storage over the wire: put, get, all and erase, with versions") {
  Served server;
  server.start();
  Keeper skill(server, "far.test");
  CHECK(skill.ask("storage.get", {{"key", "cup"}}) == Json::object());
  const Json first = skill.ask("storage.put", {{"key", "cup"}, {"value", {{"colour", "blue"}}}});
  REQUIRE(first.contains("version"));
  const Json found = skill.ask("storage.get", {{"key", "cup"}});
  CHECK(found.at("value") == Json{{"colour", "blue"}});
  CHECK(found.at("version") == first.at("version"));
  skill.ask("storage.put", {{"key", "can"}, {"value", 1}});
  CHECK(skill.ask("storage.all", {{"prefix", "c"}}).at("values").size() == 2);
  CHECK(skill.ask("storage.all", {{"prefix", "cu"}}).at("values").size() == 1);
  CHECK(skill.ask("storage.erase", {{"key", "can"}}).at("erased") == true);
  CHECK(skill.ask("storage.erase", {{"key", "can"}}).at("erased") == false);
}

TEST_CASE("K-2 storage over the wire: a wrong expect_version is a conflict, with the version there is") {
  Served server;
  server.start();
  Keeper skill(server, "far.test");
  const Json version =
      skill.ask("storage.put", {{"key", "n"}, {"value", 1}, {"expect_version", 0}}).at("version");
  const Json refused = skill.ask("storage.put", {{"key", "n"}, {"value", 2}, {"expect_version", 0}});
  CHECK(refused.at("error").at("code") == "conflict");
  CHECK(refused.at("version") == version);
  CHECK(skill.ask("storage.get", {{"key", "n"}}).at("value") == 1);
  const Json second = skill.ask("storage.put", {{"key", "n"}, {"value", 2}, {"expect_version", version}});
  CHECK(second.at("version") > version);
  CHECK(skill.ask("storage.erase", {{"key", "n"}, {"expect_version", version}}).at("error").at("code") ==
        "conflict");
}

TEST_CASE("K-2 storage over the wire: a skill reaches its own keys, of the scope it names") {
  Served server;
  server.start();
  Keeper skill(server, "far.test");
  Keeper other(server, "other.test");
  skill.ask("storage.put", {{"key", "k"}, {"value", 1}});
  CHECK(other.ask("storage.get", {{"key", "k"}}) == Json::object());
  skill.ask("storage.put", {{"key", "k"}, {"value", 2}, {"scope", "session"}}, "a");
  CHECK(skill.ask("storage.get", {{"key", "k"}, {"scope", "session"}}, "a").at("value") == 2);
  CHECK(skill.ask("storage.get", {{"key", "k"}, {"scope", "session"}}, "b") == Json::object());
  CHECK(skill.ask("storage.get", {{"key", "k"}, {"scope", "owner"}}) == Json::object());
  CHECK(skill.ask("storage.get", {{"key", "k"}}).at("value") == 1);
}

TEST_CASE("K-2 storage over the wire: what is wrong with a request is answered, and costs nothing else") {
  Served server;
  server.start();
  Keeper skill(server, "far.test");
  const auto refusal = [&](const std::string& what, const Json& data) {
    const Json answer = skill.ask(what, data);
    CHECK(answer.at("error").at("code") == "bad_request");
    return answer.at("error").at("message").get<std::string>();
  };
  CHECK(refusal("storage.put", {{"value", 1}}) == "'key' is a text of 1 to 256 bytes");
  CHECK(refusal("storage.put", {{"key", "k"}}) == "'value' is missing");
  CHECK(refusal("storage.get", {{"key", "k"}, {"scope", "all"}}) ==
        R"('scope' is "household", "owner" or "session")");
  CHECK(refusal("storage.put", {{"key", "k"}, {"value", 1}, {"expect_version", "x"}}) ==
        "'expect_version' is a whole number from 0 on");
  CHECK(refusal("schedule.add", {{"name", "ring"}}) == "one of 'at' and 'rule' says when");
  CHECK(refusal("schedule.add", {{"name", "ring"}, {"at", "soon"}}) ==
        "'at' is a time in Unix seconds, before the year 2262");
  CHECK(refusal("schedule.add", {{"name", "ring"}, {"rule", {{"every", "day"}}}}) ==
        "'time' of a rule is a time of day, such as \"07:30\"");
  CoreClient nobody = server.client();
  nobody.send("parley.storage.get", {{"key", "k"}});
  CHECK(nobody.receive("parley.storage.get.response").at("data").at("error").at("code") == "bad_request");
}

TEST_CASE("K-1 an answer goes to the connection that asked, and neither it nor the request to anybody else") {
  Served server;
  server.start();
  CoreClient listener = server.client();
  Keeper skill(server, "far.test");
  skill.ask("storage.put", {{"key", "secret"}, {"value", "word"}});
  skill.ask("storage.get", {{"key", "secret"}});
  listener.catch_up();
  for (const auto& message : listener.passed)
    CHECK_MESSAGE(message.dump().find("secret") == std::string::npos, message.dump());
  CHECK(listener.count("parley.storage.get.response") == 0);
}

TEST_CASE("K-1 every other parley topic stays the core's") {
  Served server;
  server.start();
  CoreClient client = server.client();
  client.send("parley.storage.get.response", {{"value", 1}});
  client.send("parley.turn.trace", Json::object());
  client.send("parley.storage", Json::object());
  client.catch_up();
  CHECK(server.counters().of("parley_gateway_dropped_total{reason=\"core_topic\"}") == 3);
}

TEST_CASE("K-3 a schedule over the wire: what is due is dispatched, and not again once its end is reported") {
  Served server;
  server.start();
  Keeper skill(server, "far.test");
  const Json added =
      skill.ask("schedule.add",
                {{"name", "ring"}, {"at", 1000}, {"payload", {{"tea", true}}}, {"id", "mine"}}, "kitchen");
  CHECK(added.at("id") == "mine");
  const Json due = skill.client.receive("far.test:due");
  CHECK(due.at("data").at("name") == "ring");
  CHECK(due.at("data").at("payload") == Json{{"tea", true}});
  CHECK(due.at("data").at("late_ms") > 1000);
  CHECK(due.at("data").at("due_id").get<std::string>().starts_with("mine@"));
  CHECK(due.at("context").at("session").at("session_id") == "kitchen");
  CoreClient user = server.client();
  skill.client.send("ovos.utterance.speak", {{"utterance", "tea is ready"}, {"lang", "en-US"}},
                    due.at("context"));
  skill.client.send("ovos.intent.handler.complete", Json::object(), due.at("context"));
  CHECK(user.receive("ovos.utterance.speak").at("data").at("utterance") == "tea is ready");
  CHECK(user.receive("ovos.intent.handler.complete").at("data").at("intent_name") == "due");
  CHECK(skill.ask("schedule.list", Json::object()).at("scheduled").empty());
}

TEST_CASE("K-3 a schedule over the wire: listed and cancelled by its own skill alone") {
  Served server;
  server.start();
  Keeper skill(server, "far.test");
  Keeper other(server, "other.test");
  const Json rule = {{"every", "week"}, {"weekday", 7}, {"time", "07:30"}};
  const Json id = skill.ask("schedule.add", {{"name", "ring"}, {"rule", rule}}).at("id");
  const Json listed = skill.ask("schedule.list", {{"name", "ring"}}).at("scheduled");
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].at("rule") == rule);
  CHECK(listed[0].at("session_id") == "s");
  CHECK(other.ask("schedule.list", Json::object()).at("scheduled").empty());
  CHECK(other.ask("schedule.cancel", {{"id", id}}).at("cancelled") == false);
  CHECK(other.ask("schedule.add", {{"name", "ring"}, {"at", 9'000'000'000}, {"id", id}}).contains("error"));
  CHECK(skill.ask("schedule.cancel", {{"id", id}}).at("cancelled") == true);
  CHECK(skill.ask("schedule.cancel", {{"id", id}}).at("cancelled") == false);
}

TEST_CASE("K-4 the values of an owner are those of the token's name") {
  Served server;
  const auto line = [](const std::string& name) {
    return "  " + name + ": {token_sha256: " + net::sha256("secret of " + name) + "}\n";
  };
  server.tokens(line("anna") + line("bert"));
  server.start();
  const auto as = [&](const std::string& name, const std::string& skill_id) {
    return Keeper(CoreClient(server.port(), "/core", {{"Authorization", "Bearer secret of " + name}}),
                  skill_id);
  };
  {
    Keeper anna = as("anna", "far.test");
    anna.ask("storage.put", {{"key", "k"}, {"value", 1}, {"scope", "owner"}});
    CHECK(anna.ask("storage.get", {{"key", "k"}, {"scope", "owner"}}).at("value") == 1);
    anna.client.close();
  }
  // The name is free again once the server has seen the other go.
  const auto sees_nothing = [&] {
    Keeper bert = as("bert", "far.test");
    bert.client.send("parley.storage.get", {{"key", "k"}, {"scope", "owner"}}, bert.context("s"));
    bert.client.catch_up();
    for (const auto& message : bert.client.passed) {
      if (message.at("type") == "parley.storage.get.response") return message.at("data") == Json::object();
    }
    return false;
  };
  const Patience waits;
  while (!sees_nothing()) waits.once_more("the skill's name to be free");
}
