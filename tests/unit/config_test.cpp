#include <doctest/doctest.h>

#include "config/config.hpp"
#include "support/config_checks.hpp"
#include "support/installed_config.hpp"

using parley::testing::config_problem;
using parley::testing::config_problems;
using parley::testing::installed_config;
using parley::testing::sound_config;
using namespace std::chrono_literals;

TEST_CASE("config: an empty file has the defaults") {
  CHECK(sound_config("") == installed_config());
  CHECK(sound_config("# nothing\n") == installed_config());
  CHECK(sound_config("\xEF\xBB\xBF# with a byte order mark\n") == installed_config());
  CHECK(sound_config("language:\nlogging:\nskills:\nstages:\n") == installed_config());
}

TEST_CASE("config: the defaults are those the rules name") {
  const parley::Config& config = installed_config();
  CHECK(config.orchestrator.match_timeout == 10s);
  CHECK(config.orchestrator.handler_timeout == 60s);
  CHECK(config.orchestrator.max_consecutive_faults == 5);
  CHECK(config.orchestrator.watchdog == 50ms);
  CHECK(config.stages.at("fallback").options ==
        nlohmann::json{{"query_timeout", "500ms"},
                       {"round_timeout", "2s"},
                       {"fallback_priorities", nlohmann::json::object()},
                       {"fallback_mode", "accept_all"},
                       {"fallback_whitelist", nlohmann::json::array()},
                       {"fallback_blacklist", nlohmann::json::array()}});
  CHECK(config.session.max_size == 65'536);
  CHECK(config.gateway.listen == "127.0.0.1");
  CHECK(config.gateway.port == 8181);
  CHECK(config.gateway.max_frame == 1'048'576);
  CHECK(config.gateway.max_queue == 4'194'304);
  CHECK(config.gateway.max_connections == 1024);
  CHECK(config.stages.at("converse").options ==
        nlohmann::json{
            {"ping_timeout", "500ms"}, {"round_timeout", "1s"}, {"max_handlers", 16}, {"max_age", "5min"}});
  CHECK(config.stages.at("stop").options == nlohmann::json{{"ping_timeout", "500ms"}});
  const auto contest = config.stages.at("common_query").options;
  CHECK(contest.at("poll_window") == "500ms");
  CHECK(contest.at("collection_window") == "3s");
  CHECK(contest.at("collection_ceiling") == "5s");
  CHECK(contest.at("min_confidence") == 0.5);
  CHECK(contest.at("fast_win") == 0.9);
  CHECK(contest.at("early_start") == true);
  CHECK(contest.at("gate") == true);
  CHECK(contest.at("reranker") == "confidence");
}

TEST_CASE("config: every kind of value is read") {
  const auto config = sound_config(R"(
language: {default: de-de, enabled: [de-DE]}
location: {lat: -33.9, lon: 151, tz: Australia/Sydney}
pipeline: [intent_low]
blacklisted_intents: ["timer.parley:set"]
orchestrator: {watchdog: 0s, max_in_flight: 3}
skills:
  settings: {coffee.example: {max_timers: 20, name: "20", ratio: 0.5, on: true, none: ~, list: [a, 0x10, "true"], yes: yes}}
  options: {timer.parley: {threads: own, handler_timeout: 2min}}
plugins: {strict: true, unload: never}
logging: {level: debug, format: json, file: /tmp/x.log}
gateway: {listen: "::1", port: 0, max_frame: 64KiB}
)");
  CHECK(config.language.default_tag == "de-de");
  CHECK(config.location.lat == doctest::Approx(-33.9));
  CHECK(config.location.lon == 151.0);
  CHECK(config.location.tz == "Australia/Sydney");
  CHECK(config.pipeline == std::vector<std::string>{"intent_low"});
  CHECK(config.blacklisted_intents == std::vector<std::string>{"timer.parley:set"});
  CHECK(config.orchestrator.watchdog == 0ms);
  CHECK(config.skills.settings.at("coffee.example") == nlohmann::json{{"max_timers", 20},
                                                                      {"name", "20"},
                                                                      {"ratio", 0.5},
                                                                      {"on", true},
                                                                      {"none", nullptr},
                                                                      {"yes", "yes"},
                                                                      {"list", {"a", 16, "true"}}});
  CHECK(config.options_of("timer.parley").threads == parley::SkillThreads::kOwn);
  CHECK(config.handler_timeout("timer.parley") == 2min);
  CHECK(config.handler_timeout("other.parley") == 60s);
  CHECK(config.plugins.strict);
  CHECK(config.plugins.unload == parley::PluginUnload::kNever);
  CHECK(config.logging.level == parley::LogLevel::kDebug);
  CHECK(config.logging.format == parley::LogFormat::kJson);
  CHECK(config.gateway.port == 0);
  CHECK(config.gateway.max_frame == 65'536);
}

TEST_CASE("config: an unknown key names its line and the nearest known key") {
  CHECK(config_problem("workers: 2\nwokers: 80\n") ==
        "parley.yaml:2:1: unknown key 'wokers'; did you mean 'workers'?");
  CHECK(config_problem("gateway:\n  prot: 80\n") ==
        "parley.yaml:2:3: unknown key 'gateway.prot'; did you mean 'gateway.port'?");
  CHECK(config_problem("skills: {options: {a.b: {thread: own}}}\n") ==
        "parley.yaml:1:26: unknown key 'skills.options.\"a.b\".thread'; did you mean "
        "'skills.options.\"a.b\".threads'?");
}

TEST_CASE("config: a key in the wrong section is sent to the right one") {
  CHECK(config_problem("port: 80\n") == "parley.yaml:1:1: unknown key 'port'; did you mean 'gateway.port'?");
}

TEST_CASE("config: a key like no other is answered with those there are") {
  CHECK(config_problem("location: {altitude: 3}\n") ==
        "parley.yaml:1:12: unknown key 'location.altitude'; known here: lat, lon, tz");
  CHECK(config_problem("stages: {stop: {entries: {stop_high: {speed: 3}}}}\npipeline: [stop_high]\n") ==
        "parley.yaml:1:39: unknown key 'stages.stop.entries.stop_high.speed'; no key is known here");
  CHECK(config_problem("stages: {intent: {entries: {intent_high: {speed: 3}}}}\npipeline: [intent_high]\n") ==
        "parley.yaml:1:43: unknown key 'stages.intent.entries.intent_high.speed'; known here: level, "
        "min_certainty, min_coverage");
}

TEST_CASE("config: a bad duration says what one looks like and where it may lie") {
  CHECK(config_problem("orchestrator:\n  match_timeout: soon\n") ==
        "parley.yaml:2:18: 'orchestrator.match_timeout' must be a duration such as 500ms, 5s or 30min, "
        "between 1ms "
        "and 1h; found 'soon'");
  CHECK(config_problem("orchestrator: {match_timeout: 2h}\n").ends_with("between 1ms and 1h; found '2h'"));
  CHECK(config_problem("orchestrator: {match_timeout: 10}\n").ends_with("found '10'"));
}

TEST_CASE("config: wrong types are named") {
  CHECK(config_problem("workers: [1]\n") ==
        "parley.yaml:1:10: 'workers' must be a whole number between 1 and 256; found a list");
  CHECK(config_problem("workers: \"2\"\n").ends_with("found '2'"));
  CHECK(config_problem("workers: 2.5\n").ends_with("found '2.5'"));
  CHECK(config_problem("workers:\n").ends_with("found nothing"));
  CHECK(config_problem("plugins: {strict: yes}\n") ==
        "parley.yaml:1:19: 'plugins.strict' must be true or false; found 'yes'");
  CHECK(config_problem("pipeline: intent_high\n") ==
        "parley.yaml:1:11: 'pipeline' must be a list such as [a, b], each element a name of letters, digits, "
        "'.', '_' "
        "and '-'; found 'intent_high'");
  CHECK(config_problem("language: en\n") ==
        "parley.yaml:1:11: 'language' must be a map of keys and values; found 'en'");
  CHECK(config_problem("logging: {file: [a]}\n") ==
        "parley.yaml:1:17: 'logging.file' must be text; found a list");
  CHECK(config_problem("location: {lat: north, lon: 1}\n")
            .ends_with("must be a number between -90 and 90; found 'north'"));
  CHECK(config_problem("gateway: {max_frame: 1MB}\n") ==
        "parley.yaml:1:22: 'gateway.max_frame' must be a size such as 4096, 64KiB or 1MiB, between 1KiB and "
        "1GiB; found "
        "'1MB'");
  CHECK(config_problem("- a\n- b\n") == "parley.yaml:1:1: must be a map of keys and values; found a list");
  CHECK(config_problem("skills: {settings: {a.b: 3}}\n") ==
        "parley.yaml:1:26: 'skills.settings.\"a.b\"' must be a map of keys and values; found '3'");
}

TEST_CASE("config: values out of range are named") {
  CHECK(config_problem("workers: 0\n") ==
        "parley.yaml:1:10: 'workers' must be a whole number between 1 and 256; found '0'");
  CHECK(config_problem("gateway: {port: 65536}\n").ends_with("between 0 and 65535; found '65536'"));
  CHECK(config_problem("workers: 99999999999999999999\n").ends_with("found '99999999999999999999'"));
  CHECK(config_problem("location: {lat: 91, lon: 1}\n").ends_with("between -90 and 90; found '91'"));
  CHECK(config_problem("location: {lat: .nan, lon: 1}\n").ends_with("found '.nan'"));
}

TEST_CASE("config: a word that is none of the choices is answered with the choices") {
  CHECK(config_problem("logging: {level: wraning}\n") ==
        "parley.yaml:1:18: 'logging.level' must be one of debug, info, warning, error, off; found 'wraning'; "
        "did "
        "you mean 'warning'?");
}

TEST_CASE("config: languages, zones, addresses and names have to look like it") {
  CHECK(config_problem("language: {enabled: [en-US, de_DE]}\n") ==
        "parley.yaml:1:29: each element of 'language.enabled' must be a language tag such as en-US; found "
        "'de_DE'");
  CHECK(config_problem("location: {tz: Europe/Berln}\n") ==
        "parley.yaml:1:16: 'location.tz' must be a time zone such as Europe/Berlin; found 'Europe/Berln'; "
        "did you mean "
        "'Europe/Berlin'?");
  CHECK(config_problem("gateway: {listen: localhost}\n")
            .ends_with("must be an IP address such as 127.0.0.1 or ::1; found 'localhost'"));
  CHECK(config_problem("skills: {disabled: [\"a:b\"]}\n")
            .ends_with("a name of letters, digits, '.', '_' and '-'; found 'a:b'"));
  CHECK(config_problem("blacklisted_intents: [timer]\n")
            .ends_with("must be an intent such as timer.parley:set; found 'timer'"));
  CHECK(config_problem("skills: {settings: {\"a b\": {}}}\n") ==
        "parley.yaml:1:21: 'skills.settings.a b' names no skill; that is a name of letters, digits, '.', '_' "
        "and '-'");
  CHECK(config_problem("skills: {directories: [\"\"]}\n")
            .ends_with("must be text that is not empty; found ''"));
}

TEST_CASE("config: a duplicate key names the line of the first") {
  CHECK(config_problem("workers: 2\nlanguage: {}\nworkers: 3\n") ==
        "parley.yaml:3:1: duplicate key 'workers'; it is already on line 1");
  CHECK(config_problem("skills: {settings: {a.b: {x: 1, x: 2}}}\n") ==
        "parley.yaml:1:33: duplicate key 'x'; it is already on line 1");
}

TEST_CASE("config: a list names nothing twice") {
  CHECK(config_problem("pipeline: [intent_high, intent_low, intent_high]\n") ==
        "parley.yaml:1:37: 'pipeline' names 'intent_high' twice");
}

TEST_CASE("config: the default language has to be enabled") {
  CHECK(config_problem("language: {default: it-IT}\n") ==
        "parley.yaml:1:21: 'language.default' is 'it-IT', which 'language.enabled' does not list; add it "
        "there");
  CHECK(config_problem("language: {enabled: []}\n")
            .starts_with("parley.yaml:1:21: 'language.default' is 'en-US'"));
}

TEST_CASE("config: latitude and longitude go together") {
  CHECK(config_problem("location: {lat: 50}\n") ==
        "parley.yaml:1:17: 'location.lat' needs 'location.lon' beside it");
  CHECK(config_problem("location: {lat: ~, lon: 50}\n") ==
        "parley.yaml:1:25: 'location.lon' needs 'location.lat' beside it");
}

TEST_CASE("config: everything that is wrong is reported at once, in the order of the file") {
  const std::string yaml = R"(language: {default: it-IT}
prot: 80
workers: none
orchestrator:
  match_timeout: soon
  match_timeout: 5s
pipeline: [intent_high, intent_high, nothing]
stages:
  intent: {}
  mine: {entries: {intent_high: {}}}
)";
  const auto lines = config_problems(yaml);
  REQUIRE(lines.size() == 8);
  const std::vector<std::string> places{"1:21", "2:1", "3:10", "5:18", "6:3", "7:25", "7:38", "10:20"};
  for (std::size_t i = 0; i < places.size(); ++i)
    CHECK(lines[i].starts_with("parley.yaml:" + places[i] + ": "));
}

TEST_CASE("config: an error carries all problems, one a line") {
  std::vector<parley::Problem> two{{"a.yaml", 1, 2, "first"}, {"--set x", 0, 0, "second"}};
  const parley::ConfigError error(two);
  CHECK(std::string(error.what()) == "a.yaml:1:2: first\n--set x: second");
  CHECK(error.problems() == two);
}

TEST_CASE("config: the effective configuration can be written to a file and loaded again") {
  parley::Config config = sound_config(R"(
location: {lat: 1.5, lon: 2, tz: UTC}
pipeline: [stop_high, intent_high, deep]
stages: {stop: {ping_timeout: 1s}, intent: {match_timeout: 3s}, x: {entries: {deep: {a: 1}}, own: {b: [1, "2"]}}}
skills: {settings: {coffee.example: {max: 3}}, options: {timer.parley: {threads: own}}}
gateway: {max_frame: 64KiB}
)");
  const auto dumped = parley::to_json(config);
  CHECK(dumped.at("stages").at("stop").at("ping_timeout") == "1s");
  CHECK(dumped.at("gateway").at("max_frame") == "64KiB");
  CHECK(sound_config(dumped.dump(2)) == config);
  CHECK(sound_config(parley::to_json(installed_config()).dump()) == installed_config());
}

TEST_CASE("config: one made in code has the defaults and may be changed") {
  parley::Config config;
  config.orchestrator.match_timeout = 1s;
  CHECK(config.match_timeout(parley::StageConfig(), {}) == 1s);
  CHECK_FALSE(config == parley::Config());
  CHECK(config.gateway == installed_config().gateway);
}

TEST_CASE("config: the help has every key with its default and what it takes") {
  const std::string help = parley::config_help(parley::ConfigSources());
  for (const char* const text :
       {"\norchestrator.match_timeout: 10s\n    How long a stage may take to match; then it counts as "
        "declining.\n"
        "    a duration such as 500ms, 5s or 30min, between 1ms and 1h\n",
        "\nlocation.lat: not set\n", "\nlocation.tz: \"\"\n", "\ngateway.max_frame: 1MiB\n",
        "\nstages.<fallback>.fallback_mode: accept_all\n", "one of accept_all, whitelist, blacklist\n",
        "\nstages.<fallback>.entries.<name>.priority: not set\n",
        "\nstages.<common_query>.poll_window: 500ms\n", "\nskills.options.<skill_id>.threads: shared\n",
        "\nskills.settings.<skill_id>: {}\n", "PARLEY_ORCHESTRATOR__MATCH_TIMEOUT=5s",
        "--set orchestrator.match_timeout=5s"}) {
    CAPTURE(text);
    CHECK(help.find(text) != std::string::npos);
  }
}

TEST_CASE("config: evidence.embeddings is read, and its faults are told with their place") {
  const auto config = sound_config(
      "evidence: {cold_after: 30d, embeddings: {url: 'http://localhost:11434/v1', model: m, timeout: 1s}}\n");
  CHECK(config.evidence.cold_after == std::chrono::hours(24 * 30));
  CHECK(config.evidence.embeddings.url == "http://localhost:11434/v1");
  CHECK(config.evidence.embeddings.model == "m");
  CHECK(config.evidence.embeddings.timeout == std::chrono::seconds(1));
  CHECK(config.evidence.embeddings.retry_after == std::chrono::seconds(30));
  CHECK(config_problem("evidence: {embeddings: {url: localhost}}\n") ==
        "parley.yaml:1:30: 'evidence.embeddings.url' is 'localhost'; it must be a URL such as "
        "http://localhost:11434/v1");
  CHECK(
      config_problem("evidence: {embeddings: {key_variable: A, key_file: /b}}\n") ==
      "parley.yaml:1:52: 'evidence.embeddings.key_variable' and 'key_file' both say where the key is; leave "
      "one of them out");
  CHECK(config_problem("evidence: {embeddings: {modell: m}}\n").find("model") != std::string::npos);
  CHECK(config_problem("evidence: {embeddings: {timeout: 1h}}\n").find("timeout") != std::string::npos);
}
