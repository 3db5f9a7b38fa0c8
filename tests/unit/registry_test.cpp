#include <deque>

#include "support/registry_fixture.hpp"

using namespace parley;
using namespace parley::test;

TEST_CASE_FIXTURE(RegistryFixture, "R-1 session, skill, name, language and method make the key") {
  send(kTemplateTopic, template_of("brew"));
  send(kKeywordTopic, keyword_of("brew"));
  send(kTemplateTopic, template_of("brew", "de-DE"));
  send(kTemplateTopic, template_of("grind"));
  send(kTemplateTopic, template_of("brew"), "kitchen");
  send(kTemplateTopic, template_of("brew", "en-US", {{"skill_id", "tea.parley"}}));
  CHECK(registered() ==
        Names{"coffee.parley:brew en-US template default", "coffee.parley:brew en-US keyword default",
              "coffee.parley:brew de-DE template default", "coffee.parley:grind en-US template default",
              "coffee.parley:brew en-US template kitchen", "tea.parley:brew en-US template default"});
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-1 the same key replaces, whatever the case of the tag, and keeps its place") {
  send(kTemplateTopic, template_of("brew"));
  send(kTemplateTopic, template_of("grind"));
  send(kTemplateTopic, template_of("brew", "EN-us", {{"samples", {"make coffee"}}}));
  REQUIRE(registered() ==
          Names{"coffee.parley:brew EN-us template default", "coffee.parley:grind en-US template default"});
  CHECK(std::get<TemplateIntent>(registry.intents()[0]->pattern).samples == Names{"make coffee"});
  CHECK(changes.size() == 3);
}

namespace {

/// A registry that has big registrations read when the test says so.
struct SlowRegistry {
  SlowRegistry() {
    changes = registry.on_change([this](const RegistryChange& change) {
      const auto& intent = change.intent ? change.intent : change.removed_intent;
      told.push_back((change.intent ? "+" : "-") + intent->skill_id + ":" + intent->intent_name);
    });
  }
  void send(const std::string& topic, const Json& data) {
    Context context;
    context.skill_id = data.at("skill_id");
    bus.publish(Message(topic, data, std::move(context)));
  }
  /// Reads what is first; whether there was anything.
  bool read_one() {
    if (reads.empty()) return false;
    const auto [work, then] = std::move(reads.front());
    reads.pop_front();
    work();
    then();
    return true;
  }
  static Json big(const std::string& skill_id, const std::string& name) {
    Json data = template_of(name, "en-US", {{"skill_id", skill_id}});
    for (int i = 0; i < 500; ++i) data["samples"].push_back("brew number " + std::to_string(i));
    return data;
  }
  static Json small(const std::string& skill_id, const std::string& name) {
    return template_of(name, "en-US", {{"skill_id", skill_id}});
  }

  std::deque<std::pair<std::function<void()>, std::function<void()>>> reads;
  JumpingClock clock;
  Timers timers{clock};
  Bus bus{timers};
  IntentRegistry registry{bus, RegistrationLimits(), [this](auto work, auto then) {
                            reads.emplace_back(std::move(work), std::move(then));
                          }};
  Names told;
  Subscription changes;
};

}  // namespace

TEST_CASE("R-1 a big registration is read elsewhere, and what its skill sends meanwhile waits for it") {
  SlowRegistry slow;
  slow.send(kTemplateTopic, SlowRegistry::big("a.test", "one"));
  CHECK(slow.told.empty());
  REQUIRE(slow.reads.size() == 1);
  slow.send(kTemplateTopic, SlowRegistry::small("a.test", "two"));
  slow.send("ovos.intent.deregister", {{"skill_id", "a.test"}, {"intent_name", "one"}});
  slow.send(kTemplateTopic, SlowRegistry::small("b.test", "other"));
  CHECK(slow.told == Names{"+b.test:other"});  // another skill waits for nobody
  CHECK(slow.read_one());
  CHECK(slow.told == Names{"+b.test:other", "+a.test:one", "+a.test:two", "-a.test:one"});
  CHECK_FALSE(slow.read_one());
}

TEST_CASE("R-1 big registrations are read one at a time, one of each skill in turn") {
  SlowRegistry slow;
  for (const char* name : {"one", "two", "three"})
    slow.send(kTemplateTopic, SlowRegistry::big("a.test", name));
  slow.send(kTemplateTopic, SlowRegistry::big("b.test", "other"));
  std::size_t most = 0;
  while (!slow.reads.empty()) {
    most = std::max(most, slow.reads.size());
    slow.read_one();
  }
  CHECK(most == 1);
  CHECK(slow.told == Names{"+a.test:one", "+b.test:other", "+a.test:two", "+a.test:three"});
}

TEST_CASE("R-1 what takes away many registrations lets others have their turn in between") {
  SlowRegistry slow;
  constexpr int kMany = 200;
  for (int i = 0; i < kMany; ++i)
    slow.send(kTemplateTopic, SlowRegistry::small("a.test", "i" + std::to_string(i)));
  REQUIRE(slow.told.size() == kMany);
  slow.send("ovos.skill.deregister", {{"skill_id", "a.test"}});
  CHECK(slow.told.size() < kMany + 50);
  slow.send(kTemplateTopic, SlowRegistry::small("a.test", "i0"));
  while (slow.read_one()) {
  }
  CHECK(slow.told.size() == 2 * kMany + 1);
  CHECK(slow.told.back() == "+a.test:i0");
  CHECK(slow.registry.intents().size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-5 a registration with many faults is told of in a few lines") {
  Json data = template_of("brew");
  for (int i = 0; i < 1000; ++i) data["samples"].push_back("bad {" + std::to_string(i));
  send(kTemplateTopic, data);
  CHECK(warnings.size() == 9);
  CHECK(warned("992 more of the kind"));
}

TEST_CASE_FIXTURE(RegistryFixture, "R-1 a session_id in the payload means nothing") {
  send(kTemplateTopic, template_of("brew", "en-US", {{"session_id", "kitchen"}}));
  CHECK(registered() == Names{"coffee.parley:brew en-US template default"});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-1 a message without a session registers for everyone") {
  Context context;
  context.skill_id = "coffee.parley";
  bus.publish(Message(kTemplateTopic, template_of("brew"), context));
  CHECK(registered() == Names{"coffee.parley:brew en-US template default"});
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-1 a replacement keeps what was disabled disabled, until it is deregistered") {
  send(kTemplateTopic, template_of("brew"));
  send("ovos.intent.disable", intent_named("brew"));
  send(kTemplateTopic, template_of("brew", "en-US", {{"samples", {"make coffee"}}}));
  CHECK_FALSE(registry.intents().at(0)->enabled);
  CHECK(changes ==
        Names{"+coffee.parley:brew en-US", "+coffee.parley:brew en-US !", "+coffee.parley:brew en-US !"});
  send("ovos.intent.deregister", intent_named("brew"));
  send(kTemplateTopic, template_of("brew"));
  CHECK(registry.intents().at(0)->enabled);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-1 deregistering takes both methods, of one language or of all, of that session only") {
  for (const char* session : {"default", "kitchen"}) {
    for (const char* lang : {"en-US", "de-DE"}) {
      send(kTemplateTopic, template_of("brew", lang), session);
      send(kKeywordTopic, keyword_of("brew", lang), session);
    }
  }
  send("ovos.intent.deregister", intent_named("brew", "EN-US"), "kitchen");
  CHECK(registered() ==
        Names{"coffee.parley:brew en-US template default", "coffee.parley:brew en-US keyword default",
              "coffee.parley:brew de-DE template default", "coffee.parley:brew de-DE keyword default",
              "coffee.parley:brew de-DE template kitchen", "coffee.parley:brew de-DE keyword kitchen"});
  send("ovos.intent.deregister", intent_named("brew"));
  CHECK(registered() ==
        Names{"coffee.parley:brew de-DE template kitchen", "coffee.parley:brew de-DE keyword kitchen"});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-1 deregistering what is not there does nothing") {
  send(kTemplateTopic, template_of("brew"));
  changes.clear();
  send("ovos.intent.deregister", intent_named("grind"));
  send("ovos.intent.deregister", intent_named("brew", "fr-FR"));
  send("ovos.intent.deregister", intent_named("brew"), "kitchen");
  send("ovos.entity.deregister", {{"skill_id", "coffee.parley"}, {"entity_name", "size"}});
  send("ovos.skill.deregister", {{"skill_id", "nobody.parley"}});
  CHECK(changes.empty());
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-1 entities: session, skill, name and language make the key") {
  send("ovos.entity.register", entity_of("size"));
  send("ovos.entity.register", entity_of("size", "de-DE"));
  send("ovos.entity.register", entity_of("size"), "kitchen");
  send("ovos.entity.register", entity_of("size", "EN-US", {"large", "huge"}));
  const auto entities = registry.entities();
  REQUIRE(entities.size() == 3);
  CHECK(entities[0]->samples == Names{"large", "huge"});
  CHECK(entities[1]->lang == "de-DE");
  CHECK(entities[2]->session_id == "kitchen");
  send("ovos.entity.deregister", {{"skill_id", "coffee.parley"}, {"entity_name", "size"}, {"lang", "en-us"}});
  CHECK(registry.entities().size() == 2);
  send("ovos.entity.deregister", {{"skill_id", "coffee.parley"}, {"entity_name", "size"}});
  REQUIRE(registry.entities().size() == 1);
  CHECK(registry.entities()[0]->session_id == "kitchen");
  CHECK(changes.back() == "-#coffee.parley:size de-DE");
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-1 deregistering a skill takes all of it in that session, nothing else") {
  send(kTemplateTopic, template_of("brew"));
  send(kKeywordTopic, keyword_of("grind", "de-DE"));
  send("ovos.entity.register", entity_of("size"));
  send(kTemplateTopic, template_of("brew"), "kitchen");
  send("ovos.entity.register", entity_of("size"), "kitchen");
  send(kTemplateTopic, template_of("brew", "en-US", {{"skill_id", "tea.parley"}}));
  changes.clear();
  send("ovos.skill.deregister", {{"skill_id", "coffee.parley"}});
  CHECK(changes ==
        Names{"-coffee.parley:brew en-US", "-coffee.parley:grind de-DE", "-#coffee.parley:size en-US"});
  CHECK(registered() ==
        Names{"coffee.parley:brew en-US template kitchen", "tea.parley:brew en-US template default"});
  CHECK(registry.entities().size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-2 who registers or deregisters for another skill is ignored, with both named") {
  send(kTemplateTopic, template_of("brew"));
  send("ovos.entity.register", entity_of("size"));
  changes.clear();
  const std::pair<const char*, Json> messages[] = {
      {kTemplateTopic, template_of("grind")},
      {kKeywordTopic, keyword_of("grind")},
      {"ovos.entity.register", entity_of("beans")},
      {"ovos.intent.deregister", intent_named("brew")},
      {"ovos.entity.deregister", {{"skill_id", "coffee.parley"}, {"entity_name", "size"}}},
      {"ovos.skill.deregister", {{"skill_id", "coffee.parley"}}}};
  for (const auto& message : messages) {
    const std::string topic = message.first;
    for (const std::string sender : {"evil.parley", ""}) {
      CAPTURE(topic);
      CAPTURE(sender);
      warnings.clear();
      send_as(sender, topic, message.second);
      CHECK(changes.empty());
      REQUIRE(warnings.size() == 1);
      CHECK(warned(topic));
      CHECK(warned("'coffee.parley'"));
      CHECK(warned("'" + sender + "'"));
    }
  }
  CHECK_FALSE(ask("ovos.intent.describe", intent_named("grind"))["ok"]);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-2 a payload without a skill_id, or with one that is no string, is ignored") {
  Json data = template_of("brew");
  for (const Json& skill : {Json(), Json(5), Json(""), Json::array({"coffee.parley"})}) {
    data["skill_id"] = skill;
    send_as("coffee.parley", kTemplateTopic, data);
  }
  data.erase("skill_id");
  send_as("coffee.parley", kTemplateTopic, data);
  send_as("", kTemplateTopic, data);
  CHECK(registered().empty());
  CHECK(warnings.size() == 6);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-2 anyone may enable and disable") {
  send(kTemplateTopic, template_of("brew"));
  send_as("admin.parley", "ovos.intent.disable", intent_named("brew"));
  CHECK_FALSE(registry.intents().at(0)->enabled);
  send_as("", "ovos.intent.enable", intent_named("brew"));
  CHECK(registry.intents().at(0)->enabled);
  CHECK(warnings.empty());
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-3 a pool is the session's own, then the default ones, and nobody else's") {
  send(kTemplateTopic, template_of("brew"));
  send(kTemplateTopic, template_of("brew"), "kitchen");
  send(kKeywordTopic, keyword_of("grind"), "kitchen");
  send(kTemplateTopic, template_of("clean"), "cellar");
  CHECK(pool(Session("kitchen")) == Names{"coffee.parley:brew en-US template kitchen",
                                          "coffee.parley:grind en-US keyword kitchen",
                                          "coffee.parley:brew en-US template default"});
  CHECK(pool(Session()) == Names{"coffee.parley:brew en-US template default"});
  CHECK(pool(Session("attic")) == Names{"coffee.parley:brew en-US template default"});
}

TEST_CASE_FIXTURE(RegistryFixture, "R-3 a pool is without what the session blacklists") {
  send(kTemplateTopic, template_of("brew"));
  send(kTemplateTopic, template_of("grind"), "kitchen");
  send(kTemplateTopic, template_of("brew", "en-US", {{"skill_id", "tea.parley"}}));
  Session session("kitchen");
  session.blacklisted_intents = Names{"coffee.parley:brew"};
  CHECK(pool(session) ==
        Names{"coffee.parley:grind en-US template kitchen", "tea.parley:brew en-US template default"});
  CHECK(registry.find(session, "coffee.parley", "brew", "en-US") == nullptr);
  session.blacklisted_skills = Names{"coffee.parley"};
  CHECK(pool(session) == Names{"tea.parley:brew en-US template default"});
  CHECK(registry.find(session, "coffee.parley", "grind", "en-US") == nullptr);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-3 a disable in a session hides the intent there and nowhere else") {
  send(kTemplateTopic, template_of("brew"));
  send(kTemplateTopic, template_of("grind"));
  changes.clear();
  send("ovos.intent.disable", intent_named("brew"), "kitchen");
  CHECK(changes.empty());
  CHECK(pool(Session("kitchen")) == Names{"coffee.parley:grind en-US template default"});
  CHECK(pool(Session()).size() == 2);
  CHECK(pool(Session("cellar")).size() == 2);
  const IntentPtr brew = registry.intents().at(0);
  CHECK(brew->enabled);
  CHECK_FALSE(registry.is_enabled(*brew, "kitchen"));
  CHECK(registry.is_enabled(*brew, "default"));
  CHECK(registry.is_enabled(*brew, "cellar"));
  send("ovos.intent.enable", intent_named("brew"), "kitchen");
  CHECK(registry.is_enabled(*brew, "kitchen"));
  CHECK(pool(Session("kitchen")).size() == 2);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-3 a disable in the default session leaves the session's own registration alone") {
  send(kTemplateTopic, template_of("brew"));
  send(kTemplateTopic, template_of("brew"), "kitchen");
  send("ovos.intent.disable", intent_named("brew"));
  CHECK(pool(Session("kitchen")) == Names{"coffee.parley:brew en-US template kitchen"});
  CHECK(pool(Session()).empty());
  CHECK_FALSE(registry.is_enabled(*registry.intents().at(0), "kitchen"));
  CHECK(registry.is_enabled(*registry.intents().at(1), "kitchen"));
  CHECK(registry.is_enabled(*registry.intents().at(1), "default"));
}

TEST_CASE_FIXTURE(RegistryFixture, "R-3 enabling in a session does not undo what default has disabled") {
  send(kTemplateTopic, template_of("brew"));
  send("ovos.intent.disable", intent_named("brew"));
  send("ovos.intent.enable", intent_named("brew"), "kitchen");
  CHECK(pool(Session("kitchen")).empty());
}

TEST_CASE_FIXTURE(RegistryFixture, "R-3 a disable is about both methods, of one language or of all") {
  send(kTemplateTopic, template_of("brew"));
  send(kKeywordTopic, keyword_of("brew"));
  send(kTemplateTopic, template_of("brew", "de-DE"));
  send("ovos.intent.disable", intent_named("brew", "EN-us"));
  CHECK(pool(Session()) == Names{"coffee.parley:brew de-DE template default"});
  send("ovos.intent.enable", intent_named("brew", "en-US"));
  CHECK(pool(Session()).size() == 3);
  send("ovos.intent.disable", intent_named("brew"));
  CHECK(pool(Session()).empty());
  send("ovos.intent.enable", intent_named("brew", "de-DE"));
  CHECK(pool(Session()) == Names{"coffee.parley:brew de-DE template default"});
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-3 enabling twice, disabling twice or what is not there changes nothing") {
  send("ovos.intent.disable", intent_named("brew"));
  send(kTemplateTopic, template_of("brew"));
  CHECK(registry.intents().at(0)->enabled);
  send("ovos.intent.disable", intent_named("brew"));
  changes.clear();
  send("ovos.intent.disable", intent_named("brew"));
  send("ovos.intent.disable", intent_named("brew", "fr-FR"));
  CHECK(changes.empty());
  send("ovos.intent.enable", intent_named("brew"));
  send("ovos.intent.enable", intent_named("brew"));
  CHECK(changes == Names{"+coffee.parley:brew en-US"});
}

TEST_CASE_FIXTURE(
    RegistryFixture,
    "R-3 what a session has disabled is forgotten when the skill leaves it, or the intent goes") {
  send(kTemplateTopic, template_of("brew"));
  send("ovos.intent.disable", intent_named("brew"), "kitchen");
  send("ovos.skill.deregister", {{"skill_id", "coffee.parley"}}, "kitchen");
  CHECK(pool(Session("kitchen")).size() == 1);
  send("ovos.intent.disable", intent_named("brew"), "kitchen");
  send("ovos.intent.deregister", intent_named("brew"));
  send(kTemplateTopic, template_of("brew"));
  CHECK(pool(Session("kitchen")).size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-3 find gives the session's own first, a template before a keyword one") {
  send(kKeywordTopic, keyword_of("brew"));
  send(kTemplateTopic, template_of("brew"));
  CHECK(registry.find(Session(), "coffee.parley", "brew", "EN-us")->is_template());
  send(kKeywordTopic, keyword_of("brew"), "kitchen");
  const auto found = registry.find(Session("kitchen"), "coffee.parley", "brew", "en-US");
  CHECK(found->session_id == "kitchen");
  CHECK(registry.find(Session("cellar"), "coffee.parley", "brew", "en-US")->session_id == "default");
  send("ovos.intent.disable", intent_named("brew"));
  CHECK(registry.find(Session(), "coffee.parley", "brew", "en-US") == nullptr);
  CHECK(registry.find(Session(), "coffee.parley", "grind", "en-US") == nullptr);
  CHECK(registry.find(Session(), "tea.parley", "brew", "en-US") == nullptr);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "R-3 find takes the closest language when there is none for exactly that") {
  send(kTemplateTopic, template_of("brew", "en"));
  send(kTemplateTopic, template_of("brew", "de-DE"), "kitchen");
  CHECK(registry.find(Session("kitchen"), "coffee.parley", "brew", "en-GB")->lang == "en");
  CHECK(registry.find(Session("kitchen"), "coffee.parley", "brew", "de-AT")->lang == "de-DE");
  CHECK(registry.find(Session(), "coffee.parley", "brew", "de-AT") == nullptr);
}

TEST_CASE_FIXTURE(RegistryFixture, "R-8 registering again word for word changes nothing and tells nobody") {
  send(kTemplateTopic, template_of("brew"));
  send(kKeywordTopic, keyword_of("brew"));
  changes.clear();
  const IntentPtr before = registry.intents().at(0);
  send(kTemplateTopic, template_of("brew"));
  send(kKeywordTopic, keyword_of("brew"));
  CHECK(changes.empty());
  CHECK(registry.intents().at(0) == before);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "registry: malformed deregistrations, enables and disables are ignored with a warning") {
  send(kTemplateTopic, template_of("brew"));
  changes.clear();
  for (const char* topic : {"ovos.intent.deregister", "ovos.intent.enable", "ovos.intent.disable"}) {
    const Json payloads[] = {{{"skill_id", "coffee.parley"}},
                             {{"skill_id", "coffee.parley"}, {"intent_name", 7}},
                             {{"skill_id", "coffee.parley"}, {"intent_name", ""}},
                             {{"skill_id", "coffee.parley"}, {"intent_name", "brew"}, {"lang", nullptr}},
                             {{"skill_id", "coffee.parley"}, {"intent_name", "brew"}, {"lang", ""}},
                             {{"skill_id", "coffee.parley"}, {"intent_name", "brew"}, {"lang", {"en-US"}}}};
    for (const Json& data : payloads) {
      CAPTURE(topic);
      CAPTURE(data.dump());
      warnings.clear();
      send(topic, data);
      CHECK(warnings.size() == 1);
    }
  }
  send_as("x", "ovos.intent.disable", {{"intent_name", "brew"}});
  CHECK(changes.empty());
  CHECK(registered().size() == 1);
}

TEST_CASE_FIXTURE(RegistryFixture,
                  "registry: a listener that throws holds up nobody, a dropped one is not called") {
  int heard = 0;
  Subscription bad = registry.on_change([](const RegistryChange&) { throw std::runtime_error("broken"); });
  const Subscription good = registry.on_change([&](const RegistryChange&) { ++heard; });
  send(kTemplateTopic, template_of("brew"));
  CHECK(heard == 1);
  Subscription gone = registry.on_change([&](const RegistryChange&) { heard += 100; });
  gone.reset();
  send("ovos.skill.deregister", {{"skill_id", "coffee.parley"}});
  CHECK(heard == 2);
}

TEST_CASE_FIXTURE(RegistryFixture, "registry: ten thousand intents in many sessions are found and go again") {
  constexpr int kCount = 10'000;
  for (int i = 0; i < kCount; ++i) {
    const std::string session = i % 2 == 0 ? "default" : "s" + std::to_string(i % 100);
    send(kTemplateTopic, template_of("intent" + std::to_string(i)), session);
  }
  REQUIRE(registry.intents().size() == kCount);
  CHECK(registry.pool(Session()).size() == kCount / 2);
  CHECK(registry.pool(Session("s1")).size() == kCount / 2 + kCount / 100);
  CHECK(registry.find(Session("s1"), "coffee.parley", "intent101", "en-US")->session_id == "s1");
  CHECK(registry.find(Session("s3"), "coffee.parley", "intent101", "en-US") == nullptr);
  send("ovos.skill.deregister", {{"skill_id", "coffee.parley"}});
  CHECK(registry.intents().size() == kCount / 2);
}
