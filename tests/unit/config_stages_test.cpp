#include <doctest/doctest.h>

#include "config/config.hpp"
#include "plugin/description.hpp"
#include "plugin/find.hpp"
#include "support/config_checks.hpp"
#include "support/installed_config.hpp"

using parley::testing::config_problem;
using parley::testing::config_problems;
using parley::testing::installed_config;
using parley::testing::sound_config;
using namespace std::chrono_literals;

TEST_CASE("config: a pipeline names only what a stage declares") {
  CHECK(
      config_problem("pipeline: [intent_high, intent_lwo]\n") ==
      "parley.yaml:1:25: 'pipeline' names 'intent_lwo', which no stage declares; did you mean 'intent_low'?");
  CHECK(config_problem("stages: {converse: {entries: {other: {}}}}\npipeline: [converse]\n")
            .starts_with("parley.yaml:2:12: 'pipeline' names 'converse', which no stage declares"));
  CHECK(config_problem("pipeline: [mystery]\n") ==
        "parley.yaml:1:12: 'pipeline' names 'mystery', which no stage declares; declare it under the "
        "'entries' of a stage");
}

TEST_CASE("config: the default pipeline needs its stages too") {
  const auto lines = config_problems("stages: {fallback: {entries: {any: {}}}}\n");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].starts_with(
      "parley.yaml:1:9: the default 'pipeline' names 'fallback_high', which no stage declares"));
}

TEST_CASE("config: two stages can't declare the same entry") {
  CHECK(config_problem("stages:\n  intent: {}\n  mine:\n    entries:\n      intent_low: {}\n") ==
        "parley.yaml:5:7: entry 'intent_low' of 'stages.mine' is already declared by 'stages.intent'; give "
        "it another "
        "name");
}

TEST_CASE("config: stages that are listed join those that are installed, with what they leave out") {
  const auto config =
      sound_config("stages:\n  intent:\n  late: {plugin: fallback, query_timeout: 2s, match_timeout: 3s}\n");
  REQUIRE(config.stages.size() == installed_config().stages.size());
  CHECK(config.stages.at("intent") == installed_config().stages.at("intent"));
  auto late = installed_config().stages.at("fallback");
  late.plugin = "fallback";
  late.options["query_timeout"] = "2s";
  late.match_timeout = 3s;
  CHECK(config.stages.at("late") == late);
}

TEST_CASE("config: entries that are listed are all there are; without a range they ask every priority") {
  const auto config = sound_config(
      "stages: {fallback: {entries: {any: {}, few: {priority: [-5, 200]}, empty: }}}\npipeline: [any, "
      "few]\n");
  const auto& entries = config.stages.at("fallback").entries;
  CHECK(entries.size() == 3);
  CHECK(entries.at("any") == nlohmann::json::object());
  CHECK(entries.at("empty") == nlohmann::json::object());
  CHECK(entries.at("few") == nlohmann::json{{"priority", {-5, 200}}});
}

TEST_CASE("config: without a stage, and without a pipeline, nobody would be asked") {
  parley::ConfigSources sources;
  sources.executable_directory = "/nowhere/bin";
  const auto checked = parley::check_config_text("workers: 3\n", "parley.yaml", sources);
  REQUIRE(checked.problems.size() == 1);
  CHECK(
      to_string(checked.problems[0]) ==
      "parley.yaml:1:1: no stage is installed where 'plugins.directories' says, and no 'pipeline' is given: "
      "nobody would be asked; build the stages, or correct it");
  CHECK(parley::check_config_text("pipeline: []\n", "parley.yaml", sources).problems.empty());
}

TEST_CASE("config: an entry of the stage for intents says how sure it wants to be") {
  const auto config = sound_config(
      "stages: {intent: {entries: {sure: {level: low, min_coverage: 0.5, min_certainty: 0.9}}}}\npipeline: "
      "[sure]\n");
  CHECK(config.stages.at("intent").entries.at("sure") ==
        nlohmann::json{{"level", "low"}, {"min_coverage", 0.5}, {"min_certainty", 0.9}});
  CHECK(config_problem("stages: {intent: {entries: {sure: {min_certainty: 9}}}}\npipeline: [sure]\n")
            .ends_with(
                "'stages.intent.entries.sure.min_certainty' must be a number between 0 and 1; found '9'"));
}

TEST_CASE("config: options of a stage that is not installed go through as they are") {
  const auto config = sound_config(
      "stages: {forty_two: {plugin: answers, match_timeout: 1s, depth: 3, window: 5s, entries: {deep: {a: "
      "[1]}, flat: }}}\n"
      "pipeline: [deep]\n");
  const auto& stage = config.stages.at("forty_two");
  CHECK(stage.plugin == "answers");
  CHECK(stage.match_timeout == 1s);
  CHECK(stage.options == nlohmann::json{{"depth", 3}, {"window", "5s"}});
  CHECK(stage.entries.at("deep") == nlohmann::json{{"a", {1}}});
  CHECK(stage.entries.at("flat") == nlohmann::json::object());
}

TEST_CASE("config: options of the stages that are installed are checked") {
  const auto lines = config_problems(R"(pipeline: [intent_high]
stages:
  intent: {depth: 3}
  fallback:
    query_timout: 1s
    fallback_mode: whitelst
    fallback_priorities: {a.b: high, "c d": 3}
    match_timeout: 0s
    entries: {low: {priority: [75, 50]}, high: {priority: 3}, odd: 4}
)");
  REQUIRE(lines.size() == 9);
  CHECK(lines[0] ==
        "parley.yaml:3:12: unknown key 'stages.intent.depth'; known here: entries, keep_learnt, "
        "match_timeout, plugin");
  CHECK(lines[1] ==
        "parley.yaml:5:5: unknown key 'stages.fallback.query_timout'; did you mean "
        "'stages.fallback.query_timeout'?");
  CHECK(lines[2].starts_with(
      "parley.yaml:6:20: 'stages.fallback.fallback_mode' must be one of accept_all, whitelist"));
  CHECK(
      lines[3] ==
      "parley.yaml:7:32: 'stages.fallback.fallback_priorities.\"a.b\"' must be a whole number; found 'high'");
  CHECK(lines[4].starts_with(
      "parley.yaml:7:38: 'stages.fallback.fallback_priorities.c d' can't be a key here"));
  CHECK(lines[5].starts_with("parley.yaml:8:20: 'stages.fallback.match_timeout' must be a duration"));
  CHECK(lines[6] ==
        "parley.yaml:9:31: 'stages.fallback.entries.low.priority' must begin with the smaller number; found "
        "[75, 50]");
  CHECK(lines[7] ==
        "parley.yaml:9:59: 'stages.fallback.entries.high.priority' must be two whole numbers such as [0, "
        "49]; found '3'");
  CHECK(lines[8] ==
        "parley.yaml:9:68: 'stages.fallback.entries.odd' must be a map of keys and values; found '4'");
}

TEST_CASE("Q-8 config: a contest has to fit into the match of its stage") {
  const std::string pipeline = "pipeline: [common_query]\n";
  CHECK(sound_config(pipeline + "stages: {common_query: {match_timeout: 5500ms}}\n")
            .stages.at("common_query")
            .match_timeout == 5500ms);
  CHECK(config_problem(pipeline + "stages: {common_query: {match_timeout: 5s}}\n") ==
        "parley.yaml:2:10: the match_timeout of 'stages.common_query' is 5s; poll_window and "
        "collection_ceiling need at "
        "least 5500ms");
  // Where it has no bound of its own, it has at least that.
  const auto hasty =
      sound_config(pipeline + "stages: {common_query: {}, stop: {}}\norchestrator: {match_timeout: 1s}\n");
  const parley::PluginDescription contest(
      parley::find_stage_library("common_query", {parley::executable_directory() / "../lib/parley/stages"}),
      parley::PluginKind::kStage);
  CHECK(hasty.match_timeout(hasty.stages.at("common_query"), contest.tables().options) == 5500ms);
  CHECK(hasty.match_timeout(hasty.stages.at("stop"), {}) == 1s);
  auto longer = hasty.stages.at("common_query");
  longer.options["poll_window"] = "2s";
  CHECK(hasty.match_timeout(longer, contest.tables().options) == 7s);
  longer.match_timeout = 9s;
  CHECK(hasty.match_timeout(longer, contest.tables().options) == 9s);
  CHECK(config_problem(pipeline + "stages: {common_query: {collection_window: 6s}}\n") ==
        "parley.yaml:2:44: 'stages.common_query.collection_window' must not be longer than its "
        "collection_ceiling, 5s; "
        "found 6s");
}
