// W-5: what a connection makes the core remember is counted.
#include "net/registrations.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <parley/session.hpp>

using namespace parley;
using namespace parley::net;

namespace {

Message of_skill(const std::string& topic, Json data, const std::string& session = "default") {
  Context context;
  context.session = std::make_shared<const Session>(session);
  data["skill_id"] = "a.test";
  return Message(topic, std::move(data), std::move(context));
}
Message registering(const std::string& name, const std::string& lang = "en-US") {
  return of_skill("ovos.intent.register.template", {{"intent_name", name}, {"lang", lang}});
}

}  // namespace

TEST_CASE("W-5 registrations: what is registered again counts once, what is taken away no more") {
  Registrations all;
  CHECK(all.add(registering("one"), 2));
  CHECK(all.add(registering("one"), 2));
  CHECK(all.add(registering("one", "EN-us"), 2));
  CHECK(all.add(registering("one", "de-DE"), 2));
  CHECK_FALSE(all.add(registering("two"), 2));
  all.remove(of_skill("ovos.intent.deregister", {{"intent_name", "one"}, {"lang", "de-DE"}}));
  CHECK(all.add(registering("two"), 2));
  all.remove(of_skill("ovos.intent.deregister", {{"intent_name", "one"}}));
  CHECK(all.add(of_skill("ovos.entity.register", {{"entity_name", "e"}, {"lang", "en-US"}}), 2));
  CHECK_FALSE(all.add(of_skill("ovos.fallback.register", {{"priority", 1}}), 2));
  all.remove(of_skill("ovos.skill.deregister", Json::object()));
  CHECK(all.add(of_skill("ovos.fallback.register", {{"priority", 1}}), 1));
}

TEST_CASE("W-5 registrations: sessions are told apart") {
  Registrations all;
  CHECK(all.add(registering("one"), 10));
  CHECK(all.add(of_skill("ovos.intent.register.template", {{"intent_name", "one"}, {"lang", "en-US"}}, "s"),
                10));
  all.remove(of_skill("ovos.skill.deregister", Json::object(), "s"));
  CHECK(all.add(registering("one"), 1));
  CHECK_FALSE(all.add(registering("two"), 1));
}

TEST_CASE("W-5 registrations: what was disabled in a session of its own is given back, elsewhere it stays") {
  Registrations all;
  CHECK(all.add(of_skill("ovos.intent.disable", {{"intent_name", "one"}}, "s"), 10));
  CHECK(all.add(of_skill("ovos.intent.disable", {{"intent_name", "two"}}), 10));
  const auto undone = all.undone();
  REQUIRE(undone.size() == 1);
  CHECK(undone.front().type() == "ovos.intent.enable");
  CHECK(undone.front().text("intent_name") == "one");
  CHECK(undone.front().session_id() == "s");
}
