#include "support/registry_fixture.hpp"

using namespace parley;
using namespace parley::test;

namespace {

const char* const kList = "ovos.intent.list";
const char* const kDescribe = "ovos.intent.describe";

/// "session skill:name lang method", with a `!` when disabled, in order.
Names lines(const Json& entries) {
  Names out;
  for (const auto& one : entries) {
    out.push_back(one["session_id"].get<std::string>() + " " + one["skill_id"].get<std::string>() + ":" +
                  one["intent_name"].get<std::string>() + " " + one["lang"].get<std::string>() + " " +
                  one["method"].get<std::string>() + (one.value("enabled", true) ? "" : " !"));
  }
  return out;
}

void fill(RegistryFixture& fixture) {
  fixture.send(kTemplateTopic, template_of("grind", "en-US"), "kitchen");
  fixture.send(kTemplateTopic, template_of("grind", "en-US"), "attic");
  fixture.send(kTemplateTopic, template_of("grind", "en-US"));
  fixture.send(kTemplateTopic, template_of("brew", "en-US"));
  fixture.send(kKeywordTopic, keyword_of("brew", "en-US"));
  fixture.send(kTemplateTopic, template_of("brew", "de-DE"));
  fixture.send(kTemplateTopic, template_of("steep", "en-US", {{"skill_id", "tea.parley"}}));
}

}  // namespace

TEST_CASE_FIXTURE(RegistryFixture, "R-6 list gives exactly the entries' identity and state") {
  send(kTemplateTopic, template_of("brew"));
  CHECK(ask(kList, Json::object()) == Json{{"ok", true},
                                           {"intents", Json::array({{{"skill_id", "coffee.parley"},
                                                                     {"intent_name", "brew"},
                                                                     {"lang", "en-US"},
                                                                     {"method", "template"},
                                                                     {"enabled", true},
                                                                     {"session_id", "default"}}})}});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-6 list of an empty registry is an empty list") {
  CHECK(ask(kList, Json::object()) == Json{{"ok", true}, {"intents", Json::array()}});
  CHECK(ask(kList, {{"skill_id", "nobody.parley"}}) == Json{{"ok", true}, {"intents", Json::array()}});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-6 list without a session_id is of all sessions, in a stable order") {
  fill(*this);
  CHECK(lines(ask(kList, Json::object())["intents"]) ==
        Names{"default coffee.parley:brew de-DE template", "default coffee.parley:brew en-US keyword",
              "default coffee.parley:brew en-US template", "default coffee.parley:grind en-US template",
              "default tea.parley:steep en-US template", "attic coffee.parley:grind en-US template",
              "kitchen coffee.parley:grind en-US template"});
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-6 list takes skill, language and session as filters; null is no filter") {
  fill(*this);
  CHECK(lines(ask(kList, {{"skill_id", "tea.parley"}, {"lang", nullptr}})["intents"]) ==
        Names{"default tea.parley:steep en-US template"});
  CHECK(lines(ask(kList, {{"lang", "DE-de"}})["intents"]) ==
        Names{"default coffee.parley:brew de-DE template"});
  CHECK(
      lines(ask(kList,
                {{"session_id", "kitchen"}, {"skill_id", "coffee.parley"}, {"lang", "en-US"}})["intents"]) ==
      Names{"default coffee.parley:brew en-US keyword", "default coffee.parley:brew en-US template",
            "default coffee.parley:grind en-US template", "kitchen coffee.parley:grind en-US template"});
  CHECK(lines(ask(kList, {{"session_id", "default"}, {"skill_id", "tea.parley"}})["intents"]).size() == 1);
  CHECK(lines(ask(kList, {{"session_id", "nowhere"}})["intents"]).size() == 5);
  CHECK(ask(kList, {{"lang", "fr-FR"}})["intents"].empty());
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-6 a pool leaves out what the session blacklists, as far as the query carries it") {
  fill(*this);
  auto session = std::make_shared<Session>("kitchen");
  session->blacklisted_skills = Names{"tea.parley"};
  session->blacklisted_intents = Names{"coffee.parley:brew"};
  const auto as_kitchen = [&](const Json& data) { return ask(Message(kList, data).with_session(session)); };
  CHECK(lines(as_kitchen({{"session_id", "kitchen"}})["intents"]) ==
        Names{"default coffee.parley:grind en-US template", "kitchen coffee.parley:grind en-US template"});
  CHECK(as_kitchen({{"session_id", "attic"}})["intents"].size() == 6);
  CHECK(as_kitchen(Json::object())["intents"].size() == 7);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-6 list shows what is disabled, from where it is seen") {
  send(kTemplateTopic, template_of("brew"));
  send(kTemplateTopic, template_of("grind"));
  send("ovos.intent.disable", intent_named("brew"), "kitchen");
  send("ovos.intent.disable", intent_named("grind"));
  CHECK(lines(ask(kList, Json::object())["intents"]) ==
        Names{"default coffee.parley:brew en-US template", "default coffee.parley:grind en-US template !"});
  CHECK(lines(ask(kList, {{"session_id", "kitchen"}})["intents"]) ==
        Names{"default coffee.parley:brew en-US template !", "default coffee.parley:grind en-US template !"});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-6 describe gives the payload as it was sent, unknown fields too") {
  const Json payload =
      template_of("brew", "en-us", {{"x_vendor", {{"deep", {1, nullptr}}}}, {"slot_types", 5}});
  send(kTemplateTopic, payload);
  CHECK(ask(kDescribe, {{"skill_id", "coffee.parley"}}) ==
        Json{{"ok", true},
             {"definitions", Json::array({{{"skill_id", "coffee.parley"},
                                           {"intent_name", "brew"},
                                           {"lang", "en-us"},
                                           {"method", "template"},
                                           {"session_id", "default"},
                                           {"definition", payload}}})}});
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-6 describe orders default first, then name, language, keyword before template") {
  fill(*this);
  CHECK(lines(ask(kDescribe, {{"skill_id", "coffee.parley"}})["definitions"]) ==
        Names{"default coffee.parley:brew de-DE template", "default coffee.parley:brew en-US keyword",
              "default coffee.parley:brew en-US template", "default coffee.parley:grind en-US template",
              "attic coffee.parley:grind en-US template", "kitchen coffee.parley:grind en-US template"});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-6 describe takes name, language, method and session as filters") {
  fill(*this);
  const auto described = [&](const Json& more) {
    Json query = {{"skill_id", "coffee.parley"}};
    query.update(more);
    return lines(ask(kDescribe, query).value("definitions", Json::array()));
  };
  CHECK(described({{"intent_name", "brew"}, {"method", "keyword"}}) ==
        Names{"default coffee.parley:brew en-US keyword"});
  CHECK(described({{"intent_name", "brew"}, {"lang", "EN-us"}}).size() == 2);
  CHECK(described({{"intent_name", "grind"}, {"session_id", "kitchen"}}) ==
        Names{"default coffee.parley:grind en-US template", "kitchen coffee.parley:grind en-US template"});
  CHECK(described({{"intent_name", "grind"}, {"session_id", "default"}}).size() == 1);
  CHECK(described({{"method", "magic"}}).empty());
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-6 describe: what is too much for one answer is asked for in parts, each however long") {
  const std::string long_text(700'000, 'x');
  for (const char* const name : {"brew", "grind"})
    send(kTemplateTopic, template_of(name, "en-US", {{"x_vendor", long_text}}));
  const Json refused = ask(kDescribe, {{"skill_id", "coffee.parley"}});
  CHECK_FALSE(refused["ok"].get<bool>());
  CHECK(refused["error"].get<std::string>().find("ask for fewer by 'intent_name'") != std::string::npos);
  CHECK(ask(kDescribe, {{"skill_id", "coffee.parley"}, {"intent_name", "brew"}})["definitions"].size() == 1);
  send(kTemplateTopic, template_of("brew", "en-US", {{"x_vendor", std::string(2'000'000, 'x')}}));
  CHECK(ask(kDescribe, {{"skill_id", "coffee.parley"}, {"intent_name", "brew"}})["definitions"].size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-6 describe says why there is nothing to describe") {
  fill(*this);
  const Json bad[] = {Json::object(),
                      {{"skill_id", nullptr}},
                      {{"skill_id", 5}},
                      {{"skill_id", "nobody.parley"}},
                      {{"skill_id", "tea.parley"}, {"intent_name", "brew"}},
                      {{"skill_id", "tea.parley"}, {"lang", "de-DE"}},
                      {{"skill_id", "tea.parley"}, {"lang", 7}}};
  for (const Json& query : bad) {
    CAPTURE(query.dump());
    const Json answer = ask(kDescribe, query);
    CHECK(answer["ok"] == false);
    CHECK_FALSE(answer["error"].get<std::string>().empty());
    CHECK(answer.size() == 2);
  }
  CHECK(ask(kList, {{"lang", 7}})["ok"] == false);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-6 what stages reject is in the manifest, and the earlier valid one goes on") {
  send(kTemplateTopic, template_of("brew"));
  const IntentPtr before = registry.intents().at(0);
  changes.clear();
  const Json broken = template_of("brew", "en-US", {{"samples", {"(brew"}}});
  send(kTemplateTopic, broken);
  CHECK(changes.empty());
  REQUIRE(registered().size() == 1);
  CHECK(registry.intents()[0] == before);
  CHECK(warned("the earlier registration goes on"));
  const Json definitions = ask(kDescribe, {{"skill_id", "coffee.parley"}})["definitions"];
  REQUIRE(definitions.size() == 1);
  CHECK(definitions[0]["definition"] == broken);
  send(kTemplateTopic, template_of("brew"));
  CHECK(ask(kDescribe, {{"skill_id", "coffee.parley"}})["definitions"][0]["definition"] ==
        template_of("brew"));
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-6 a registration that was never valid is listed, disabled and deregistered like any") {
  send(kTemplateTopic, template_of("brew", "en-US", {{"samples", Json::array()}}));
  CHECK(registered().empty());
  CHECK(registry.find(Session(), "coffee.parley", "brew", "en-US") == nullptr);
  send("ovos.intent.disable", intent_named("brew"));
  CHECK(lines(ask(kList, Json::object())["intents"]) == Names{"default coffee.parley:brew en-US template !"});
  send(kTemplateTopic, template_of("brew"));
  CHECK_FALSE(registry.intents().at(0)->enabled);
  send("ovos.intent.deregister", intent_named("brew"));
  CHECK(ask(kList, Json::object())["intents"].empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-6 the answer goes back to who asked, in its session") {
  Context context;
  context.source = "panel";
  context.session = std::make_shared<const Session>("kitchen");
  std::vector<Message> answers;
  const Subscription ear =
      bus.subscribe("ovos.intent.list.response", [&](const Message& one) { answers.push_back(one); });
  bus.publish(Message(kList, Json::object(), context));
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].context().destination == Names{"panel"});
  CHECK(answers[0].session_id() == "kitchen");
}
