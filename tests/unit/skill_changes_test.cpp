// What is changed of skills while a server runs: its file, and its place among the layers of a configuration.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <parley/files.hpp>

#include "config/config.hpp"
#include "config/skill_changes.hpp"
#include "config/store_file.hpp"
#include "support/temporary_folder.hpp"

using namespace parley;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kGame = "number_game.parley";

/// A configuration with a store in a folder of its own, and changes beside that.
class Layered {
 public:
  Layered() {
    sources.changes = true;
    yaml = "store: {path: " + store().string() + "}\n";
  }
  fs::path store() const { return folder.path() / "parley.db"; }
  fs::path file() const { return skill_changes_file(store()); }
  void change(const json& settings, const json& enabled = json::object()) const {
    folder.write("parley.db.skills.json", json({{"settings", settings}, {"enabled", enabled}}).dump());
  }
  CheckedConfig check() const {
    auto checked = check_config_text(yaml, "parley.yaml", sources);
    for (const auto& problem : checked.problems) FAIL_CHECK(to_string(problem));
    return checked;
  }
  json highest() const { return check().config.skills.settings.at(kGame).at("highest"); }
  Origin origin() const { return check().layers.origin_of(kGame, "highest"); }

  testing::TemporaryFolder folder;
  ConfigSources sources;
  std::string yaml;
};

}  // namespace

TEST_CASE("skill changes: what is written is read again, and its owner alone may read it") {
  const testing::TemporaryFolder folder;
  const fs::path file = skill_changes_file(folder.path() / "parley.db");
  SkillChanges changes;
  changes.settings["a.b"] = {{"text", "yes: \"no\"\n#"}, {"list", {"1", "true", ""}}, {"number", 1.5}};
  changes.enabled = {{"a.b", false}, {"c.d", true}};
  write_skill_changes(file, changes);
  std::vector<Problem> problems;
  CHECK(read_skill_changes(file, problems) == changes);
  CHECK(problems.empty());
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600);
  changes.settings.clear();
  write_skill_changes(file, changes);
  CHECK(read_skill_changes(file, problems) == changes);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("skill changes: a file that is missing holds nothing, one that is broken is told") {
  const testing::TemporaryFolder folder;
  std::vector<Problem> problems;
  CHECK(read_skill_changes(folder.path() / "none", problems) == SkillChanges());
  CHECK(problems.empty());
  for (const char* const text :
       {"[]", "{", "7", "{\"settings\": []}", "{\"others\": {}}", "\xff",
        "{\"settings\": {\"a b\": {\"c\": 1}}}", "{\"settings\": {\"a\": 1}}", "{\"enabled\": {\"a\": 1}}"}) {
    CAPTURE(text);
    problems.clear();
    CHECK(read_skill_changes(folder.write("broken", text), problems) == SkillChanges());
    CHECK(problems.size() == 1);
  }
  const std::string large(kMostSkillChanges + 1, ' ');
  problems.clear();
  CHECK(read_skill_changes(folder.write("large", large), problems) == SkillChanges());
  CHECK(problems.size() == 1);
}

TEST_CASE(
    "layers: changes win over the file, variables over changes, --set over all; each says where it is from") {
  Layered life;
  using Kind = Origin::Kind;
  CHECK(life.origin().kind == Kind::kDefault);
  life.yaml += "skills: {settings: {number_game.parley: {highest: 20}}}\n";
  CHECK(life.highest() == 20);
  CHECK(life.origin().kind == Kind::kFile);
  CHECK(life.origin().place.starts_with("parley.yaml:2:"));
  life.change({{kGame, {{"highest", 30}}}});
  CHECK(life.highest() == 30);
  CHECK(life.origin().kind == Kind::kChanged);
  CHECK(life.origin().place == life.file().string());
  life.sources.environment["PARLEY_SKILLS__SETTINGS__NUMBER_GAME_PARLEY__HIGHEST"] = "40";
  CHECK(life.highest() == 40);
  CHECK(life.origin().kind == Kind::kEnvironment);
  CHECK(life.origin().place == "PARLEY_SKILLS__SETTINGS__NUMBER_GAME_PARLEY__HIGHEST");
  life.sources.settings = {"skills.settings.number_game.parley.highest=50"};
  CHECK(life.highest() == 50);
  CHECK(life.origin().kind == Kind::kCommandLine);
  life.sources.settings = {"skills.settings.number_game.parley={highest: 60}"};
  CHECK(life.highest() == 60);
  CHECK(life.origin().place == "--set skills.settings.number_game.parley");
}

TEST_CASE("layers: --set of one setting leaves the others of a skill to be changed") {
  Layered life;
  life.sources.settings = {"skills.settings.faq.parley.threshold=0.5"};
  life.change({{"faq.parley", {{"check_every", "1h"}, {"threshold", 0.9}}}});
  const auto checked = life.check();
  CHECK(checked.config.skills.settings.at("faq.parley").at("check_every") == "1h");
  CHECK(checked.config.skills.settings.at("faq.parley").at("threshold") == 0.5);
  CHECK(checked.layers.fixed_by("faq.parley", "check_every") == nullptr);
  CHECK(checked.layers.fixed_by("faq.parley", "threshold") != nullptr);
  life.sources.settings = {"skills.settings={}"};
  CHECK(life.check().layers.fixed_by("faq.parley", "check_every")->place == "--set skills.settings");
}

TEST_CASE("layers: a change that does not fit is left out and told, and the rest holds") {
  Layered life;
  life.change({{kGame, {{"highest", "many"}, {"lowest", 1}}},
               {"faq.parley", {{"threshold", 0.9}}},
               {"nobody.test", {{"a", 1}}}});
  const auto checked = life.check();
  CHECK(checked.problems.empty());
  CHECK(checked.change_problems.size() == 2);
  CHECK(!checked.config.skills.settings.contains(kGame));
  CHECK(checked.config.skills.settings.at("faq.parley").at("threshold") == 0.9);
}

TEST_CASE("layers: what is disabled here, and enabled although the file disables it") {
  Layered life;
  using Skills = std::vector<std::string>;
  life.yaml += "skills: {disabled: [a.b, c.d]}\n";
  CHECK(life.check().config.skills.disabled == Skills{"a.b", "c.d"});
  life.change(json::object(), {{"c.d", true}, {"e.f", false}});
  CHECK(life.check().config.skills.disabled == Skills{"a.b", "e.f"});
  life.sources.settings = {"skills.disabled=[g.h]"};
  CHECK(life.check().config.skills.disabled == Skills{"g.h"});
  CHECK(life.check().layers.disabled_origin.is_fixed());
}

TEST_CASE("layers: nothing is read where it is not asked for, or where nothing lasts") {
  Layered life;
  life.change({{kGame, {{"highest", 30}}}});
  life.sources.changes = false;
  CHECK(!life.check().config.skills.settings.contains(kGame));
  life.sources.changes = true;
  life.yaml = "store: {enabled: false, path: " + life.store().string() + "}\n";
  CHECK(!life.check().config.skills.settings.contains(kGame));
}

TEST_CASE("layers: every written value has its place, and nothing else has") {
  Layered life;
  life.sources.environment["PARLEY_WORKERS"] = "3";
  life.sources.settings = {"logging.level=error"};
  const auto origins = life.check().layers.origins;
  CHECK(origins.size() == 3);
  CHECK(origins.at("workers").place == "PARLEY_WORKERS");
  CHECK(origins.at("logging.level").place == "--set logging.level");
  CHECK(origins.at("store.path").place == "parley.yaml:1:15");
}
