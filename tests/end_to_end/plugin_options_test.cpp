// What a stage and a skill of somebody else are told reaches them, and what is wrong keeps them out.
#include <doctest/doctest.h>

#include "support/end_to_end.hpp"
#include "support/mapped.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

constexpr const char* kLibrary = "libparley_stage_options.so";

void add_stage(EndToEnd& run) {
  run.config.plugins.directories.emplace_back(PARLEY_TEST_PLUGINS "/other_stages");
  run.config.stages["options"].plugin = "options";
  run.config.pipeline.insert(run.config.pipeline.begin(), "options");
}

}  // namespace

TEST_CASE(
    "plugin options: a stage gets every option, configured or by default, as numbers where they count") {
  EndToEnd run;
  add_stage(run);
  run.config.stages["options"].options = {
      {"depth", 7}, {"pause", "2s"}, {"room", "8KiB"}, {"hours", {9, 17}}};
  run.start();
  CHECK(run.problems().empty());
  const Json told = Json::parse(run.say("what were you told").speech_text());
  CHECK(told == Json{{"loud", false},
                     {"depth", 7},
                     {"weight", 0.5},
                     {"greeting", "hello"},
                     {"colour", "red"},
                     {"pause", 2000},
                     {"patience", 12000},
                     {"room", 8192},
                     {"friends", {"ann", "bob"}},
                     {"ranks", {{"ann.x", 1}}},
                     {"hours", {9, 17}}});
}

TEST_CASE("plugin options: a stage that is told something wrong is not started, and its library goes again") {
  EndToEnd run;
  add_stage(run);
  run.config.stages["options"].options = {{"depth", 70}, {"colour", "pink"}};
  run.config.stages["options"].entries["options"] = {{"shure", true}};
  run.start();
  const std::string said = run.problems();
  CAPTURE(said);
  CHECK(contains(said, "stages.options: 'depth' must be a whole number between 1 and 9; found '70'"));
  CHECK(contains(said, "stages.options: 'colour' must be one of red, green, blue; found 'pink'"));
  CHECK(contains(said, "stage options: is not started until 'stages.options' is right"));
  CHECK_FALSE(is_mapped(kLibrary));
  CHECK(run.say("what were you told").skill_id != "options");
}

TEST_CASE("plugin options: a skill gets every setting, and one that is told something wrong is not started") {
  EndToEnd run;
  run.plugin_skill("options");
  run.config.skills.settings["options.test"] = {{"warm", "2s"}};
  run.start();
  CHECK(run.problems().empty());
  CHECK(run.say("go options").speech_text() == "4 cups, 2000 ms");
  EndToEnd wrong;
  wrong.plugin_skill("options");
  wrong.config.skills.settings["options.test"] = {{"warm", 2}};
  wrong.start();
  CHECK(contains(wrong.problems(),
                 "skills.settings.options.test: 'warm' must be a duration such as 500ms, 5s or "
                 "30min, between 1s and 1d; found '2'"));
  CHECK(wrong.assistant().loaded_skills().empty());
}
