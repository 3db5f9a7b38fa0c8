#include "registry/registry.hpp"
#include "support/assistant_fixture.hpp"

namespace parley::testing {
namespace {

IntentPtr intent(const char* skill_id, const char* name, const char* lang) {
  auto made = std::make_shared<IntentRegistration>();
  made->skill_id = skill_id;
  made->intent_name = name;
  made->lang = lang;
  return made;
}

/// What the stage `engine` answers.
Json answer(TestAssistant& test, const Json& query) {
  test.heard.clear();
  test.send(Message("ovos.pipeline.engine.intents.list", query));
  return test.one("ovos.pipeline.engine.intents.list.response").data();
}

Json line(const char* name, const char* skill_id, const char* lang) {
  return {{"intent_name", name}, {"skill_id", skill_id}, {"lang", lang}};
}

}  // namespace

TEST_CASE("R-7 intents.list: a stage says what it listens to, all of it or what the question narrows it to") {
  TestAssistant test;
  test.stage_at_once("engine", declines()).listed = [] {
    return std::vector<IntentPtr>{intent("a.test", "on", "en-US"), intent("a.test", "on", "de-DE"),
                                  intent("b.test", "off", "en-US")};
  };
  test.start();
  const auto listed = [&](const Json& query) { return answer(test, query).at("intents"); };
  const Json on_en = line("on", "a.test", "en-US");
  const Json on_de = line("on", "a.test", "de-DE");
  const Json off_en = line("off", "b.test", "en-US");
  CHECK(answer(test, Json::object()) ==
        Json{{"pipeline_id", "engine"}, {"intents", Json::array({on_en, on_de, off_en})}});
  CHECK(listed({{"lang", "EN-us"}}) == Json::array({on_en, off_en}));
  CHECK(listed({{"skill_id", "a.test"}}) == Json::array({on_en, on_de}));
  CHECK(listed({{"skill_id", "a.test"}, {"lang", "de-DE"}}) == Json::array({on_de}));
  CHECK(listed({{"skill_id", "c.test"}}) == Json::array());
  CHECK(listed({{"lang", nullptr}, {"skill_id", 7}}).size() == 3);
}

TEST_CASE("R-7 intents.list: an empty list rather than silence") {
  TestAssistant test;
  auto& stage = test.stage_at_once("engine", declines());
  SUBCASE("there are none") {}
  SUBCASE("the stage fails to say") {
    stage.listed = []() -> std::vector<IntentPtr> { throw std::runtime_error("out of order"); };
  }
  SUBCASE("the stage is in no pipeline") {
    test.config.pipeline.clear();
  }
  test.start();
  CHECK(answer(test, Json::object()) == Json{{"pipeline_id", "engine"}, {"intents", Json::array()}});
}

TEST_CASE("R-7 intents.list: every stage answers for itself, and to whoever asked") {
  TestAssistant test;
  test.stage_at_once("engine", declines());
  test.stage_at_once("other.engine", declines());
  test.start();
  Context context;
  context.source = "a.client";
  context.destination = {"the.core"};
  test.send(Message("ovos.pipeline.other.engine.intents.list", Json::object(), context));
  CHECK(test.count("ovos.pipeline.engine.intents.list.response") == 0);
  const Message response = test.one("ovos.pipeline.other.engine.intents.list.response");
  CHECK(response.text("pipeline_id") == "other.engine");
  CHECK(response.context().source == "the.core");
  CHECK(response.context().destination == Names{"a.client"});
  test.heard.clear();
  test.send(Message("ovos.pipeline.absent.intents.list"));
  CHECK(test.topics() == Names{"ovos.pipeline.absent.intents.list"});
}

TEST_CASE("R-8 ovos.core.ready: announced once, when all stages and skills of the core are there") {
  TestAssistant test;
  int announced = 0;
  std::size_t stages = 0;
  std::size_t intents = 0;
  test.stage_at_once("engine", declines()).on_start = [&](LambdaStage& stage) {
    stage.services().on("ovos.core.ready", [&](const Message&) {
      ++announced;
      stages = test.core().loaded_stages().size();
      intents = test.core().registry().intents().size();
    });
  };
  test.stage_at_once("second", declines());
  test.handler("a.test", "on", does([](Turn&) {}));
  test.handler("b.test", "off", does([](Turn&) {}));
  test.start();
  test.run();
  CHECK(announced == 1);
  CHECK(stages == 2);
  CHECK(intents == 2);
}

TEST_CASE("R-8 ovos.core.ready: a skill that hears it registers again, and is there once") {
  TestAssistant test;
  test.stage_at_once("engine", declines());
  int registered = 0;
  test.skill("late.test", [&](LambdaSkill& self) {
    auto* skill = &self;
    const auto register_it = [skill, &registered](const Message&) {
      ++registered;
      skill->emit(Message(
          "ovos.intent.register.template",
          {{"skill_id", "late.test"}, {"intent_name", "on"}, {"lang", "en-US"}, {"samples", {"light up"}}}));
    };
    self.on_event("ovos.core.ready", register_it);
    register_it(Message("ovos.core.ready"));
  });
  test.start();
  CHECK(registered == 2);
  CHECK(test.core().registry().intents().size() == 1);
  CHECK(test.warnings.empty());
}

}  // namespace parley::testing
