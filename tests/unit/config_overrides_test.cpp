#include <doctest/doctest.h>

#include "config/config.hpp"
#include "support/installed_config.hpp"

using namespace std::chrono_literals;
using parley::testing::installed_config;

namespace {

parley::CheckedConfig check(const std::string& yaml, std::map<std::string, std::string> environment,
                            std::vector<std::string> settings) {
  parley::ConfigSources sources;
  sources.environment = std::move(environment);
  sources.settings = std::move(settings);
  return parley::check_config_text(yaml, "parley.yaml", sources);
}

parley::Config sound(const parley::CheckedConfig& checked) {
  for (const auto& problem : checked.problems) FAIL_CHECK(parley::to_string(problem));
  return checked.config;
}

parley::Config set(const std::string& yaml, std::vector<std::string> settings) {
  return sound(check(yaml, {}, std::move(settings)));
}

std::string problem(const parley::CheckedConfig& checked) {
  REQUIRE(checked.problems.size() == 1);
  return parley::to_string(checked.problems[0]);
}

std::string set_problem(const std::string& setting) {
  return problem(check("", {}, {setting}));
}

}  // namespace

TEST_CASE(
    "config overrides: the file wins over the defaults, the environment over the file, --set over all") {
  const std::string yaml = "orchestrator: {match_timeout: 2s, handler_timeout: 2s, watchdog: 2s}\n";
  const std::map<std::string, std::string> environment{{"PARLEY_ORCHESTRATOR__HANDLER_TIMEOUT", "3s"},
                                                       {"PARLEY_ORCHESTRATOR__WATCHDOG", "3s"}};
  const auto config = sound(check(yaml, environment, {"orchestrator.watchdog=4s"}));
  CHECK(config.orchestrator.max_consecutive_faults == 5);
  CHECK(config.orchestrator.match_timeout == 2s);
  CHECK(config.orchestrator.handler_timeout == 3s);
  CHECK(config.orchestrator.watchdog == 4s);
}

TEST_CASE("config overrides: the last --set of a key wins") {
  CHECK(set("", {"workers=3", "workers=4"}).workers == 4);
}

TEST_CASE("config overrides: the value is YAML, so lists and maps work") {
  const auto config = set(
      "", {"pipeline=[intent_high]", "language={default: de-DE, enabled: [de-DE]}", "skills.disabled=[a.b]"});
  CHECK(config.pipeline == std::vector<std::string>{"intent_high"});
  CHECK(config.language.default_tag == "de-DE");
  CHECK(config.skills.disabled == std::vector<std::string>{"a.b"});
}

TEST_CASE("config overrides: the value may hold an equals sign") {
  CHECK(set("", {"logging.file=/tmp/a=b"}).logging.file == "/tmp/a=b");
}

TEST_CASE("config overrides: an option of a built-in stage leaves the rest of the stages alone") {
  const auto config =
      set("", {"stages.fallback.query_timeout=1s", "stages.fallback.entries.fallback_high.priority=[0, 9]"});
  parley::Config expected = installed_config();
  expected.stages["fallback"].options["query_timeout"] = "1s";
  expected.stages["fallback"].entries["fallback_high"]["priority"] = {0, 9};
  CHECK(config == expected);
}

TEST_CASE("config overrides: a new stage gets the entries of its plugin") {
  const auto config = set("", {"stages.mine.plugin=fallback", "stages.mine.entries.last={}"});
  CHECK(config.stages.at("mine").plugin == "fallback");
  CHECK(config.stages.at("mine").entries.size() == 1);
  CHECK(config.stages.size() == installed_config().stages.size() + 1);
}

TEST_CASE("config overrides: a skill's name has dots; without quotes the longest known name is meant") {
  const std::string yaml = "skills: {settings: {coffee.example: {max_timers: 1, a: b}, coffee: {x: 1}}}\n";
  const auto config =
      set(yaml, {"skills.settings.coffee.example.max_timers=3", "skills.settings.coffee.x=2"});
  CHECK(config.skills.settings.at("coffee.example") == nlohmann::json{{"max_timers", 3}, {"a", "b"}});
  CHECK(config.skills.settings.at("coffee") == nlohmann::json{{"x", 2}});
}

TEST_CASE("config overrides: of a skill the file does not name, the last part is the setting") {
  const auto config =
      set("", {"skills.settings.coffee.example.max_timers=3", "skills.options.coffee.example.threads=own"});
  CHECK(config.skills.settings.at("coffee.example") == nlohmann::json{{"max_timers", 3}});
  CHECK(config.options_of("coffee.example").threads == parley::SkillThreads::kOwn);
}

TEST_CASE("config overrides: a map as the value is all of a skill's settings") {
  const auto config = set("", {"skills.settings.coffee.example={max_timers: 3}"});
  CHECK(config.skills.settings.at("coffee.example") == nlohmann::json{{"max_timers", 3}});
}

TEST_CASE("config overrides: quotes say exactly where a name ends") {
  const auto config =
      set("", {R"(skills.settings."coffee.example".sounds.alarm=bell)", R"(skills.settings.a.b."c.d"=1)"});
  CHECK(config.skills.settings.at("coffee.example") == nlohmann::json{{"sounds", {{"alarm", "bell"}}}});
  CHECK(config.skills.settings.at("a.b") == nlohmann::json{{"c.d", 1}});
}

TEST_CASE("config overrides: a fallback priority is set by skill, dots and all") {
  const auto config = set("", {"stages.fallback.fallback_priorities.unknown.parley=50"});
  CHECK(config.stages.at("fallback").options.at("fallback_priorities") ==
        nlohmann::json{{"unknown.parley", 50}});
}

TEST_CASE("config overrides: a variable's levels are separated by two underscores, dots become one") {
  const auto config = sound(check("skills: {settings: {coffee.example: {max_timers: 1}}}\n",
                                  {{"PARLEY_WORKERS", "3"},
                                   {"PARLEY_SKILLS__SETTINGS__COFFEE_EXAMPLE__MAX_TIMERS", "4"},
                                   {"PARLEY_STAGES__FALLBACK__ENTRIES__FALLBACK_LOW__PRIORITY", "[75, 200]"},
                                   {"PARLEY_SKILLS__SETTINGS__new.skill__VOLUME", "2"}},
                                  {}));
  CHECK(config.workers == 3);
  CHECK(config.skills.settings.at("coffee.example") == nlohmann::json{{"max_timers", 4}});
  CHECK(config.skills.settings.at("new.skill") == nlohmann::json{{"volume", 2}});
  CHECK(config.stages.at("fallback").entries.at("fallback_low") == nlohmann::json{{"priority", {75, 200}}});
}

TEST_CASE("config overrides: PARLEY_CONFIG, and what others keep under our prefix, is no override") {
  const auto config = sound(check("",
                                  {{"PARLEY_CONFIG", "/a.yaml"},
                                   {"PARLEY_PORT", "tcp://10.0.0.1:80"},
                                   {"PARLEY_SERVICE_HOST", "10.0.0.1"},
                                   {"HOME", "/root"},
                                   {"OTHER__KEY", "1"}},
                                  {}));
  CHECK(config == installed_config());
}

TEST_CASE("config overrides: a problem names the override it came from") {
  CHECK(set_problem("orchestrator.match_timeout=soon") ==
        "--set orchestrator.match_timeout: 'orchestrator.match_timeout' must be a duration such as 500ms, 5s "
        "or "
        "30min, between 1ms and 1h; found 'soon'");
  CHECK(problem(check("", {{"PARLEY_ORCHESTRATOR__MATCH_TIMEOUT", "soon"}}, {})) ==
        "PARLEY_ORCHESTRATOR__MATCH_TIMEOUT: 'orchestrator.match_timeout' must be a duration such as 500ms, "
        "5s or "
        "30min, between 1ms and 1h; found 'soon'");
  CHECK(problem(check("", {{"PARLEY_ORCHESTRATOR__MATCH_TIMOUT", "5s"}}, {})) ==
        "PARLEY_ORCHESTRATOR__MATCH_TIMOUT: unknown key 'orchestrator.match_timout'; did you mean "
        "'orchestrator.match_timeout'?");
  CHECK(set_problem("wokers=3") == "--set wokers: unknown key 'wokers'; did you mean 'workers'?");
}

TEST_CASE("config overrides: what is no setting is refused") {
  for (const char* const setting :
       {"", "=", "=1", "workers", "a..b=1", ".a=1", "a.=1", "\"a=1", "a.\"\".b=1", "\"a\"b=1"}) {
    CAPTURE(setting);
    CHECK(set_problem(setting).ends_with(": must be key=value, such as orchestrator.match_timeout=5s"));
  }
  CHECK(problem(check("", {{"PARLEY___X", "1"}}, {})) ==
        "PARLEY___X: a level is missing; write PARLEY_SECTION__KEY=value");
}

TEST_CASE("config overrides: a value that is no YAML, or no text, is refused") {
  CHECK(set_problem("pipeline=[a") ==
        "--set pipeline: not valid YAML: end of sequence flow not found; a ']' or a ',' is missing");
  CHECK(set_problem("workers=\xff") == "--set workers: byte 0xff is not UTF-8; save it as plain UTF-8 text");
  CHECK(set_problem("skills.settings.a={x: 1, x: 2}") == "--set skills.settings.a: duplicate key 'x'");
}

TEST_CASE("config overrides: no level can be put below a value") {
  CHECK(problem(check("workers: 2", {}, {"workers.x=1"})) ==
        "--set workers.x: can't be set, as 'workers' is not a map");
}

TEST_CASE("config overrides: a variable with a hostile name can't forge a line of the report") {
  const auto line = problem(check("", {{"PARLEY_A\nB__C", "1"}}, {}));
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.starts_with("PARLEY_A?B__C: "));
}
