// What people read when a plugin is refused, and that everything else goes on.
#include <doctest/doctest.h>

#include <cstdlib>

#include "skill/skill_host.hpp"
#include "support/end_to_end.hpp"
#include "support/mapped.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

struct Refusal {
  const char* plugin;
  const char* place;                 ///< Where, at the end of a path or as a whole.
  std::vector<std::string> reasons;  ///< What the message must say.
};

std::string library_of(const std::string& name) {
  return "libparley_skill_" + name + ".so";
}

std::vector<Refusal> skill_refusals() {
  return {
      {"no_manifest", "libparley_skill_no_manifest.so", {"exports no 'parley_plugin'", "parley_add_skill()"}},
      {"not_a_manifest",
       "libparley_skill_not_a_manifest.so",
       {"exports 'parley_plugin', but not as a manifest", "parley_add_skill()"}},
      {"wrong_abi",
       "libparley_skill_wrong_abi.so",
       {"was built for plugin ABI " + std::to_string(kPluginAbi + 1),
        "this parley has " + std::to_string(kPluginAbi), "rebuild it"}},
      {"wrong_fingerprint",
       "libparley_skill_wrong_fingerprint.so",
       {"gcc 9.4, libstdc++ 20210601", kBuildFingerprint, "rebuild it"}},
      {"wrong_size", "libparley_skill_wrong_size.so", {"has a manifest of", "rebuild it"}},
      {"bad_name", "libparley_skill_bad_name.so", {"'not a skill id'", "correct it in PARLEY_SKILL"}},
      {"no_factory", "libparley_skill_no_factory.so", {"without a factory for a skill", "PARLEY_SKILL"}},
      {"missing_dependency",
       "libparley_skill_missing_dependency.so",
       {"needs the library 'libparley_test_absent.so', which was not found", "install it"}},
      {"undefined_symbol",
       "libparley_skill_undefined_symbol.so",
       {"parley::brew_in_a_later_version(double)", "which nobody defines", "rebuild the plugin"}},
      {"factory_throws",
       "libparley_skill_factory_throws.so",
       {"failed to make the skill 'factory_throws.test'", "out of coffee"}},
      {"factory_throws_int",
       "libparley_skill_factory_throws_int.so",
       {"int was thrown, which is not a std::exception"}},
      {"factory_null", "libparley_skill_factory_null.so", {"its factory returned null", "PARLEY_SKILL"}},
      {"start_throws",
       "skill start_throws.test",
       {"refused to start", "the coffee machine is not plugged in"}},
  };
}

}  // namespace

TEST_CASE(
    "plugin boundary: every refused skill is named with file, reason and remedy, and the others go on") {
  unsetenv("PARLEY_REFUSED_PLUGIN_RAN");  // NOLINT(concurrency-mt-unsafe): one thread
  for (const auto& refusal : skill_refusals()) {
    CAPTURE(refusal.plugin);
    EndToEnd run;
    run.plugin_skill("echo");
    run.plugin_skill(refusal.plugin);
    run.start();
    REQUIRE(run.assistant().problems().size() == 1);
    const LoadProblem problem = run.assistant().problems().front();
    CHECK(problem.fatal);
    CAPTURE(problem.place);
    CAPTURE(problem.message);
    CHECK(problem.place.ends_with(refusal.place));
    for (const auto& reason : refusal.reasons) {
      CAPTURE(reason);
      CHECK(contains(problem.message, reason));
    }
    CHECK(run.log.has("[load] " + to_string(problem)));

    REQUIRE(run.assistant().loaded_skills().size() == 1);
    CHECK(run.assistant().loaded_skills().front().id == "echo.test");
    CHECK_FALSE(run.assistant().skills().hosts(std::string(refusal.plugin) + ".test"));
    CHECK_FALSE(is_mapped(library_of(refusal.plugin)));
    check_echo(run);
    const TurnResult asked = run.say("go start throws");
    CHECK(asked.status == TurnStatus::kUnmatched);
    CHECK(run.count("ovos.core.ready") == 1);
  }
  CHECK(getenv("PARLEY_REFUSED_PLUGIN_RAN") == nullptr);  // NOLINT(concurrency-mt-unsafe): one thread
}

TEST_CASE("plugin boundary: all refusals are reported at once, in the order of loading") {
  EndToEnd run;
  for (const auto* name : {"wrong_abi", "echo", "start_throws", "no_manifest"}) run.plugin_skill(name);
  run.start();
  REQUIRE(run.assistant().problems().size() == 3);
  CHECK(contains(run.problems(), "libparley_skill_no_manifest.so: "));
  CHECK(contains(run.problems(), "libparley_skill_wrong_abi.so: "));
  CHECK(contains(run.problems(), "skill start_throws.test: "));
  check_echo(run);
}

TEST_CASE("plugin boundary: strict makes every refusal fatal, names them all and starts nothing") {
  EndToEnd run;
  for (const auto* name : {"wrong_abi", "echo", "start_throws"}) run.plugin_skill(name);
  run.config.plugins.strict = true;
  run.make();
  std::string said;
  try {
    run.assistant().start();
  } catch (const std::runtime_error& refused) {
    said = refused.what();
  }
  CAPTURE(said);
  CHECK(contains(said, "plugins.strict is set and these were refused:"));
  CHECK(contains(said, "libparley_skill_wrong_abi.so: was built for plugin ABI"));
  CHECK(contains(said, "skill start_throws.test: refused to start: the coffee machine is not plugged in"));
  CHECK(run.count("ovos.core.ready") == 0);
  run.destroy();
  CHECK_FALSE(is_mapped(library_of("echo")));
}

TEST_CASE("plugin boundary: strict has nothing against a warning") {
  EndToEnd run;
  run.config.plugins.strict = true;
  run.locale("tidy.test", "en-US/go.intent", "go (home)\n");
  run.skill("tidy.test",
            [](LambdaSkill& skill) { skill.on_intent("go", does([](Turn& turn) { turn.speak("gone"); })); });
  run.start();
  REQUIRE(run.assistant().problems().size() == 1);
  CHECK_FALSE(run.assistant().problems().front().fatal);
  CHECK(run.say("go home").speech_text() == "gone");
}

TEST_CASE("plugin boundary: the same skill in two folders is refused the second time, naming both files") {
  EndToEnd run;
  run.plugin_skill("echo");
  const auto copy = run.folder.path() / "more" / "echo";
  std::filesystem::create_directories(copy);
  std::filesystem::copy_file(std::filesystem::path(PARLEY_TEST_PLUGINS) / "skills/echo" / library_of("echo"),
                             copy / library_of("echo"));
  run.config.skills.directories.push_back((run.folder.path() / "more").string());
  run.start();
  REQUIRE(run.assistant().problems().size() == 1);
  const LoadProblem problem = run.assistant().problems().front();
  CHECK(contains(problem.place, "/more/echo/"));
  CHECK(contains(problem.message, "/skills/echo/libparley_skill_echo.so"));
  CHECK(contains(problem.message, "remove one of the two"));
  check_echo(run);
}

TEST_CASE("plugin boundary: a skill that is disabled is not made, and no problem") {
  EndToEnd run;
  run.plugin_skill("echo");
  run.plugin_skill("start_throws");
  run.config.skills.disabled = {"start_throws.test"};
  run.start();
  CHECK(run.problems().empty());
  CHECK(run.assistant().loaded_skills().size() == 1);
  CHECK_FALSE(is_mapped(library_of("start_throws")));
  check_echo(run);
}

TEST_CASE("plugin boundary: refused stages are named with reason and remedy, and the others go on") {
  const std::vector<Refusal> refusals = {
      {"start_throws", "stage start_throws", {"refused to start", "no model to start with"}},
      {"wrong_kind", "stage wrong_kind", {"is a skill, but a stage was expected", "skills.directories"}},
      {"ecko",
       "stage ecko",
       {"libparley_stage_ecko.so", "was not found: looked in", "stages there:", "echo",
        "correct the name 'ecko'"}},
  };
  for (const auto& refusal : refusals) {
    CAPTURE(refusal.plugin);
    EndToEnd run;
    run.plugin_skill("echo");
    run.plugin_stage(refusal.plugin);
    run.start();
    REQUIRE(run.assistant().problems().size() == 1);
    const LoadProblem problem = run.assistant().problems().front();
    CHECK(problem.fatal);
    CHECK(problem.place == refusal.place);
    CAPTURE(problem.message);
    for (const auto& reason : refusal.reasons) {
      CAPTURE(reason);
      CHECK(contains(problem.message, reason));
    }
    CHECK_FALSE(is_mapped(std::string("libparley_stage_") + refusal.plugin + ".so"));
    check_echo(run);
    CHECK(run.log.has(std::string("'") + refusal.plugin + "', which is not loaded: skipped"));
  }
}

TEST_CASE(
    "plugin boundary: folders that are not there or hold nothing are named, and the others are searched") {
  EndToEnd run;
  run.plugin_skill("echo");
  run.config.skills.directories.push_back((run.folder.path() / "nowhere").string());
  run.config.plugins.directories.push_back((run.folder.path() / "no_stages").string());
  run.start();
  CAPTURE(run.problems());
  CHECK(contains(run.problems(), "nowhere"));
  CHECK(contains(run.problems(), "no_stages"));
  check_echo(run);
}
