// Options of plugins: read from the file without loading it, checked, printed.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "config/config.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/error.hpp"
#include "plugin/library.hpp"
#include "settings/reader.hpp"
#include "support/mapped.hpp"

using namespace parley;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string kStages = PARLEY_TEST_PLUGINS "/other_stages";
const std::string kSkills = PARLEY_TEST_PLUGINS "/skills/options";
const fs::path kStage = fs::path(kStages) / "libparley_stage_options.so";

/// With a stage and a skill of somebody else, beside those that come along.
ConfigSources with_others() {
  ConfigSources sources;
  sources.settings = {"plugins.directories=[stages, " + kStages + "]",
                      "skills.directories=[" + kSkills + "]"};
  return sources;
}

std::vector<std::string> problems_of(const std::string& yaml) {
  std::vector<std::string> lines;
  for (const auto& problem : check_config_text(yaml, "parley.yaml", with_others()).problems)
    lines.push_back(to_string(problem));
  return lines;
}

const char* text_or_null(const char* text) {
  return text == nullptr ? "(null)" : text;
}

void check_same(OptionTable read, OptionTable loaded) {
  REQUIRE(read.size() == loaded.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    const Option& a = read.begin()[i];
    const Option& b = loaded.begin()[i];
    CAPTURE(b.key);
    CHECK(std::string(a.key) == b.key);
    CHECK(std::string(text_or_null(a.fallback)) == text_or_null(b.fallback));
    CHECK(std::string(a.help) == b.help);
    CHECK(std::string(text_or_null(a.words)) == text_or_null(b.words));
    CHECK(std::string(text_or_null(a.limit)) == text_or_null(b.limit));
    CHECK(a.low == b.low);
    CHECK(a.high == b.high);
    CHECK(a.type == b.type);
    CHECK(a.form == b.form);
    CHECK(a.in_match == b.in_match);
  }
}

}  // namespace

TEST_CASE("options: a file is described without being loaded, as the loaded library describes itself") {
  const PluginDescription read(kStage, PluginKind::kStage);
  CHECK_FALSE(testing::is_mapped(kStage.filename().string()));
  CHECK(read.name() == "options");
  const PluginLibrary library(kStage, PluginKind::kStage);
  check_same(read.tables().options, library.tables().options);
  check_same(read.tables().entry_options, library.tables().entry_options);
  CHECK(std::string(read.tables().about) == "Says what it was told.");
  REQUIRE(read.tables().entries.size() == 2);
  const DefaultEntry& second = read.tables().entries.begin()[1];
  CHECK(std::string(second.name) == "options_low");
  CHECK(std::string(second.options) == "{sure: false}");
  CHECK(second.place == 2000);
}

TEST_CASE("options: a file that is cut off or of another kind has no description") {
  CHECK_THROWS_AS(PluginDescription(kStage, PluginKind::kSkill), PluginError);
  CHECK_THROWS_AS(PluginDescription(fs::path(kStages) / "none.so", PluginKind::kStage), PluginError);
}

TEST_CASE("options: a stage that is installed joins the default stages and pipeline in its place") {
  const auto checked = check_config(with_others());
  REQUIRE(checked.problems.empty());
  const auto& config = checked.config;
  CHECK(config.stages.size() == 8);
  CHECK(config.pipeline.at(1) == "options_high");
  CHECK(config.pipeline.back() == "options_low");
  CHECK(config.stages.at("options").entries.at("options_low") == json{{"sure", false}});
  CHECK(config.stages.at("options").options == json{{"loud", false},
                                                    {"depth", 3},
                                                    {"weight", 0.5},
                                                    {"greeting", "hello"},
                                                    {"colour", "red"},
                                                    {"pause", "250ms"},
                                                    {"patience", "12s"},
                                                    {"room", "4KiB"},
                                                    {"friends", {"ann", "bob"}},
                                                    {"ranks", {{"ann.x", 1}}}});
  CHECK_FALSE(testing::is_mapped(kStage.filename().string()));
}

TEST_CASE("options: what somebody else's plugins are told is checked like what ours are, with its place") {
  const auto lines = problems_of(R"(stages:
  options:
    lod: true
    depth: 12
    weight: heavy
    greeting: ""
    colour: gren
    pause: 20s
    room: 1MB
    friends: [ann, ann]
    ranks: {ann: first}
    hours: [9, 5]
    entries: {options_high: {shure: true}}
skills:
  settings:
    options.test: {cups: 30, warm: cold, cup: 1}
pipeline: [options_high]
)");
  REQUIRE(lines.size() == 13);
  const std::vector<std::string> expected{
      "3:5: unknown key 'stages.options.lod'; did you mean 'stages.options.loud'?",
      "4:12: 'stages.options.depth' must be a whole number between 1 and 9; found '12'",
      "5:13: 'stages.options.weight' must be a number between 0 and 1; found 'heavy'",
      "6:15: 'stages.options.greeting' must be text that is not empty; found ''",
      "7:13: 'stages.options.colour' must be one of red, green, blue; found 'gren'; did you mean 'green'?",
      "9:11: 'stages.options.room' must be a size such as 4096, 64KiB or 1MiB, between 1KiB and 64KiB; found "
      "'1MB'",
      "10:20: 'stages.options.friends' names 'ann' twice",
      "11:18: 'stages.options.ranks.ann' must be a whole number; found 'first'",
      "12:12: 'stages.options.hours' must begin with the smaller number; found [9, 5]",
      "13:30: unknown key 'stages.options.entries.options_high.shure'; did you mean "
      "'stages.options.entries.options_high.sure'?",
      "16:26: 'skills.settings.\"options.test\".cups' must be a whole number between 1 and 20; found '30'",
      "16:36: 'skills.settings.\"options.test\".warm' must be a duration such as 500ms, 5s or 30min, between "
      "1s and "
      "1d; found 'cold'",
      "16:42: unknown key 'skills.settings.\"options.test\".cup'; did you mean "
      "'skills.settings.\"options.test\".cups'?"};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(lines[i] == "parley.yaml:" + expected[i]);
}

TEST_CASE("options: relations between a stage's own options hold as well") {
  const std::string head = "pipeline: [options_high]\nstages: {options: {";
  CHECK(problems_of(head + "pause: 13s}}\n") ==
        std::vector<std::string>{
            "parley.yaml:2:27: 'stages.options.pause' must not be longer than its patience, "
            "12s; found 13s"});
  CHECK(problems_of(head + "match_timeout: 5s}}\n") ==
        std::vector<std::string>{
            "parley.yaml:2:10: the match_timeout of 'stages.options' is 5s; patience needs at least 12s"});
  CHECK(problems_of(head + "pause: 12s, match_timeout: 12s}}\n").empty());
}

TEST_CASE("options: a value with dots is set from outside where the option is a map") {
  ConfigSources sources = with_others();
  sources.settings.emplace_back("stages.options.ranks.bob.y=7");
  const auto checked = check_config(sources);
  REQUIRE(checked.problems.empty());
  CHECK(checked.config.stages.at("options").options.at("ranks") == json{{"bob.y", 7}});
}

TEST_CASE("options: the help and the file with all defaults have those of every plugin that is installed") {
  const std::string help = config_help(with_others());
  for (const char* const text :
       {"\nstages.<options>.depth: 3\n    How deep it goes.\n    a whole number between 1 and 9\n",
        "\nstages.<options>.hours: not set\n", "\nstages.<options>.entries.<name>.sure: true\n",
        "\nskills.settings.\"options.test\".warm: 30min\n    How long it is kept warm.\n"}) {
    CAPTURE(text);
    CHECK(help.find(text) != std::string::npos);
  }
  const std::string file = default_config(with_others());
  for (const char* const text :
       {"  # Says what it was told.\n  options:\n    loud: false                 # Whether it shouts.\n",
        "    depth: 3                    # How deep it goes.\n", "      options_low: {sure: false}\n",
        "  # options.test:\n"}) {
    CAPTURE(text);
    CHECK(file.find(text) != std::string::npos);
  }
}

TEST_CASE("options: the file with all defaults says what nobody saying anything means") {
  const auto read = check_config_text(default_config(with_others()), "all.yaml", with_others());
  for (const auto& problem : read.problems) FAIL_CHECK(to_string(problem));
  CHECK(read.config == check_config(with_others()).config);
}

TEST_CASE("options: every default fits its own option, of everything that is installed") {
  Catalogue all({fs::path(PARLEY_STAGES), fs::path(kStages)},
                {fs::path(PARLEY_STAGES) / "../skills", fs::path(kSkills)});
  int options = 0;
  const auto check = [&options](const std::string& owner, OptionTable table) {
    for (const Option& option : table) {
      ++options;
      CAPTURE(owner);
      CAPTURE(option.key);
      CHECK_NOTHROW(config::default_of(option));
      CHECK(std::string(option.help).ends_with('.'));
    }
  };
  for (const auto* const stage : all.stages()) {
    check(stage->name(), stage->tables().options);
    check(stage->name(), stage->tables().entry_options);
  }
  for (const auto* const skill : all.skills()) check(skill->name(), skill->tables().options);
  CHECK(all.stages().size() >= 6);
  CHECK(options > 40);
}
