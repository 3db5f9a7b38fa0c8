// A skill that is loaded anew while it runs.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "registry/registry.hpp"
#include "skill/skill_host.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace fs = std::filesystem;

namespace {

using VersionTexts = std::vector<std::string>;

/// An assistant with the skill versions.test, whose files lie in a folder of the test's own.
class Workshop : public EndToEnd {
 public:
  Workshop() : EndToEnd(Time::kReal) {
    install("versions_one");
    locale_file("which.intent", "which one are you\n");
    locale_file("ask.intent", "ask me something\n");
    locale_file("who.dialog", "Who are you?\n");
    locale_file("go.intent", "go somewhere\n");
    locale_file("only_one.intent", "polish the silver\n");
    locale_file("only_two.intent", "water the plants\n");
    config.skills.directories = {(folder.path() / "skills").string()};
    start();
    REQUIRE(problems().empty());
  }

  /// As an installation does it: another file takes the place of the one that is there.
  void install(const std::string& plugin) const {
    const fs::path where = folder.path() / "skills/versions";
    fs::create_directories(where);
    const std::string name = "libparley_skill_" + plugin + ".so";
    fs::copy_file(fs::path(PARLEY_TEST_PLUGINS) / "skills" / plugin / name, where / "new");
    fs::rename(where / "new", library());
  }
  fs::path library() const { return folder.path() / "skills/versions/libparley_skill_versions.so"; }
  void locale_file(const std::string& name, std::string_view text) const {
    folder.write("skills/versions/locale/en-US/" + name, text);
  }

  std::shared_ptr<std::optional<Reloaded>> begin_reload(const std::string& id = "versions.test") {
    auto answer = std::make_shared<std::optional<Reloaded>>();
    assistant().reload_skill(id, [answer](const Reloaded& how) { *answer = how; });
    return answer;
  }
  /// Why it was not loaded; empty: it was.
  std::string reload(const std::string& id = "versions.test") {
    const auto answer = begin_reload(id);
    REQUIRE(until([&] { return answer->has_value(); }));
    return (*answer)->reason;
  }
  using Change = void (Assistant::*)(const std::string&, std::function<void(const Reloaded&)>);
  /// Why it was not enabled or disabled; empty: it was.
  std::string change(Change what) {
    const auto answer = std::make_shared<std::optional<Reloaded>>();
    (assistant().*what)("versions.test", [answer](const Reloaded& how) { *answer = how; });
    REQUIRE(until([&] { return answer->has_value(); }));
    return (*answer)->reason;
  }
  std::string which() { return say("which one are you").speech_text(); }
  /// Asks in a session of its own and comes back once the question is there.
  Pending begin_question(const std::string& session_id) {
    const auto asked = count("ovos.listen") + spoken().size();
    auto turn = begin("ask me something", session(session_id));
    REQUIRE(until([&] { return count("ovos.listen") + spoken().size() > asked; }));
    return turn;
  }
  /// How many versions of it are in memory.
  static std::size_t mapped() {
    std::ifstream maps("/proc/self/maps");
    std::set<std::string> names;
    for (std::string line; std::getline(maps, line);) {
      if (line.find("libparley_skill_versions") == line.npos) continue;
      std::istringstream parts(line);
      std::string address, rights, offset, device, inode;
      parts >> address >> rights >> offset >> device >> inode;
      names.insert(device + inode);
    }
    return names.size();
  }
};

}  // namespace

TEST_CASE("reload: the new version takes over what it registers, and the old one is gone") {
  Workshop run;
  CHECK(run.which() == "version one");
  CHECK(run.say("polish the silver").speech_text() == "only in one");
  CHECK(run.say("something nobody knows").speech_text() == "whatever");
  CHECK(Workshop::mapped() == 1);
  run.install("versions_two");
  CHECK(run.which() == "version one");
  CHECK(run.reload().empty());
  CHECK(run.which() == "version two");
  CHECK(run.say("water the plants").speech_text() == "only in two");
  CHECK(run.say("polish the silver").status == TurnStatus::kUnmatched);
  CHECK(run.say("something nobody knows").status == TurnStatus::kUnmatched);
  CHECK(run.until([] { return Workshop::mapped() == 1; }));
  CHECK(run.assistant().registry().intents().size() == 3);
  CHECK(run.count("ovos.skill.deregister") == 0);
  run.install("versions_one");
  CHECK(run.reload().empty());
  CHECK(run.which() == "version one");
  CHECK(run.say("something nobody knows").speech_text() == "whatever");
}

TEST_CASE("reload: what is said differently is heard, and what was changed on disk is known") {
  Workshop run;
  CHECK(run.assistant().changed_skills().empty());
  run.locale_file("which.intent", "tell me your version\n");
  CHECK(run.assistant().changed_skills() == VersionTexts{"versions.test"});
  CHECK(run.reload().empty());
  CHECK(run.assistant().changed_skills().empty());
  CHECK(run.say("tell me your version").speech_text() == "version one");
  CHECK(run.say("which one are you").speech_text() == "whatever");
}

TEST_CASE("reload: who looks at the registry finds the intents of one version, never of none or of both") {
  Workshop run;
  VersionTexts wrong;
  std::size_t looks = 0;
  const auto look = [&] {
    bool one = false, two = false, which = false;
    for (const auto& intent : run.assistant().registry().intents()) {
      one = one || intent->intent_name == "only_one";
      two = two || intent->intent_name == "only_two";
      which = which || intent->intent_name == "which";
    }
    ++looks;
    if (one == two || !which) wrong.emplace_back(one ? "both" : "none");
  };
  for (const auto* version : {"versions_two", "versions_one", "versions_two"}) {
    run.install(version);
    const auto answer = run.begin_reload();
    do {
      look();
      const auto turn = run.begin("which one are you", session("s"));
      REQUIRE(run.until([&] {
        look();
        return turn->has_value();
      }));
      const std::string said = (*turn)->speech_text();
      if (said != "version one" && said != "version two") wrong.push_back(said);
    } while (!answer->has_value());
    CHECK((*answer)->reason.empty());
  }
  CHECK(wrong == VersionTexts());
  CHECK(looks > 6);
}

TEST_CASE("reload: a question that is open is answered to the version that asked it") {
  Workshop run;
  const auto turn = run.begin_question("s");
  run.install("versions_two");
  CHECK(run.reload().empty());
  CHECK(Workshop::mapped() == 2);
  CHECK(run.which() == "version two");
  run.say("Anna", run.finish(turn).session);
  CHECK(run.until([&] {
    const VersionTexts spoken = run.spoken();
    return std::find(spoken.begin(), spoken.end(), "one hears Anna") != spoken.end();
  }));
  CHECK(run.until([] { return Workshop::mapped() == 1; }));
}

TEST_CASE("reload: of five versions the oldest loses the turn that waits for the user") {
  Workshop run;
  std::vector<EndToEnd::Pending> turns;
  for (std::size_t i = 0; i < SkillHost::kMostVersions; ++i) {
    turns.push_back(run.begin_question("s" + std::to_string(i)));
    CHECK(run.count("ovos.intent.handler.error") == 0);
    CHECK(run.reload().empty());
  }
  CHECK(run.until([&] { return run.count("ovos.intent.handler.error") == 1; }));
  CHECK(run.until([] { return Workshop::mapped() == SkillHost::kMostVersions; }));
  const auto error = std::find_if(run.heard.begin(), run.heard.end(), [](const auto& message) {
    return message.type() == "ovos.intent.handler.error";
  });
  REQUIRE(error != run.heard.end());
  CHECK(error->session_id() == "s0");
  CHECK(contains(error->data().dump(), "the skill 'versions.test' was replaced by a newer version"));
  CHECK(run.which() == "version one");
  run.assistant().stop();
  CHECK(Workshop::mapped() == 0);
}

TEST_CASE(
    "reload: a version that refuses to start, is broken, or is another skill leaves the old one as it was") {
  Workshop run;
  struct Case {
    const char* plugin;
    const char* reason;
  };
  for (const auto& [plugin, reason] :
       {Case{"versions_refused",
             "refused to start, the earlier one goes on: the coffee machine is not plugged in"},
        Case{"wrong_abi", "was built for plugin ABI"}, Case{"no_manifest", "exports no 'parley_plugin'"},
        Case{"echo", "holds the skill 'echo.test' now"}}) {
    const std::string named(plugin);  // clang captures no binding
    CAPTURE(named);
    run.install(plugin);
    const std::string said = run.reload();
    CAPTURE(said);
    CHECK(contains(said, reason));
    CHECK(contains(said, "the earlier one goes on"));
    CHECK(run.which() == "version one");
    CHECK(run.assistant().changed_skills() == VersionTexts{"versions.test"});
  }
  CHECK(run.say("polish the silver").speech_text() == "only in one");
  CHECK(run.until([] { return Workshop::mapped() == 1; }));
  run.install("versions_two");
  CHECK(run.reload().empty());
  CHECK(run.which() == "version two");
}

TEST_CASE("reload: a skill that is no more on disk goes in one step, and finishes what it has begun") {
  Workshop run;
  const auto turn = run.begin_question("s");
  fs::remove(run.library());
  CHECK(run.assistant().changed_skills() == VersionTexts{"versions.test"});
  const auto answer = run.begin_reload();
  REQUIRE(run.until([&] { return answer->has_value(); }));
  CHECK((*answer)->end == Reloaded::End::kGone);
  CHECK(run.assistant().registry().intents().empty());
  CHECK(run.assistant().loaded_skills().empty());
  CHECK(run.assistant().changed_skills().empty());
  CHECK(run.say("which one are you").status == TurnStatus::kUnmatched);
  CHECK(run.until([] { return Workshop::mapped() == 0; }));
  CHECK(run.count("ovos.intent.handler.error") == 0);
  CHECK(contains(run.reload(), "none is where skills are looked for"));
  run.install("versions_two");
  CHECK(run.assistant().changed_skills() == VersionTexts{"versions.test"});
  CHECK(run.reload().empty());
  CHECK(run.which() == "version two");
}

TEST_CASE("reload: a skill that has come since the start takes part; one that can't be loaded says why") {
  Workshop run;
  const auto put = [&](const std::string& plugin) {
    const std::string name = "libparley_skill_" + plugin + ".so";
    fs::create_directories(run.folder.path() / "skills/later");
    fs::copy_file(fs::path(PARLEY_TEST_PLUGINS) / "skills" / plugin / name,
                  run.folder.path() / "skills/later/libparley_skill_later.so",
                  fs::copy_options::overwrite_existing);
  };
  CHECK(contains(run.reload("echo.test"), "none is where skills are looked for"));
  put("wrong_abi");
  CHECK(run.assistant().changed_skills().empty());
  CHECK(contains(run.reload("echo.test"), "none is where skills are looked for"));
  put("echo");
  run.folder.write("skills/later/locale/en-US/say.intent", "repeat after me {words}\n");
  run.folder.write("skills/later/locale/en-US/said.dialog", "You said {words}\n");
  CHECK(run.assistant().changed_skills() == VersionTexts{"echo.test"});
  CHECK(run.reload("echo.test").empty());
  CHECK(run.assistant().changed_skills().empty());
  CHECK(run.assistant().loaded_skills().size() == 2);
  CHECK(run.say("repeat after me cheese").speech_text() == "You said cheese");
  CHECK(run.which() == "version one");
}

TEST_CASE("reload: a skill whose library has moved goes on from there") {
  Workshop run;
  const fs::path there = run.folder.path() / "skills/elsewhere";
  fs::rename(run.folder.path() / "skills/versions", there);
  CHECK(run.reload().empty());
  CHECK(run.which() == "version one");
  REQUIRE(run.assistant().loaded_skills().size() == 1);
  CHECK(run.assistant().loaded_skills().front().file == (there / "libparley_skill_versions.so").string());
  CHECK(run.assistant().changed_skills().empty());
}

TEST_CASE("reload: skills that are unknown, linked in, or being loaded are told of") {
  Workshop run;
  CHECK(contains(run.reload("tea.test"), "no skill 'tea.test' is loaded"));
  const auto first = run.begin_reload();
  CHECK(contains(run.reload(), "is being loaded already"));
  CHECK(run.until([&] { return first->has_value(); }));
  CHECK((*first)->reason.empty());
  EndToEnd other;
  other.skill("tea.test", [](LambdaSkill&) {});
  other.start();
  std::string why;
  other.assistant().reload_skill("tea.test", [&](const Reloaded& how) { why = how.reason; });
  CHECK(contains(why, "is part of the program"));
}

TEST_CASE("reload: a skill that is unloaded while it is loaded anew is gone") {
  Workshop run;
  const auto answer = run.begin_reload();
  CHECK(run.unload("versions.test"));
  REQUIRE(run.until([&] { return answer->has_value(); }));
  CHECK(contains((*answer)->reason, "unloaded"));
  CHECK(run.say("which one are you").status == TurnStatus::kUnmatched);
  CHECK(run.until([] { return Workshop::mapped() == 0; }));
}

TEST_CASE("disable: all it registered goes in one step, its questions end, and then its code is gone") {
  Workshop run;
  const auto turn = run.begin_question("s");
  CHECK(run.change(&Assistant::disable_skill).empty());
  CHECK(run.assistant().registry().intents().empty());
  CHECK(run.count("ovos.skill.deregister") == 1);
  CHECK(run.until([&] {
    const VersionTexts spoken = run.spoken();
    return std::find(spoken.begin(), spoken.end(), "one hears nothing") != spoken.end();
  }));
  CHECK(run.until([] { return Workshop::mapped() == 0; }));
  CHECK(run.count("ovos.intent.handler.error") == 0);
  CHECK(run.say("which one are you").status == TurnStatus::kUnmatched);
  CHECK(run.say("something nobody knows").status == TurnStatus::kUnmatched);
  CHECK(run.assistant().disabled_skills().size() == 1);
  CHECK(run.change(&Assistant::disable_skill).empty());
  CHECK(contains(run.reload(), "no skill 'versions.test' is loaded"));
  run.install("versions_two");
  CHECK(run.change(&Assistant::enable_skill).empty());
  CHECK(run.which() == "version two");
  CHECK(run.change(&Assistant::enable_skill).empty());
  CHECK(run.assistant().disabled_skills().empty());
  CHECK(Workshop::mapped() == 1);
}

TEST_CASE("disable: one that can't be loaded again stays disabled, and says why") {
  Workshop run;
  CHECK(run.change(&Assistant::disable_skill).empty());
  run.install("versions_refused");
  const std::string said = run.change(&Assistant::enable_skill);
  CHECK(contains(said, "stays disabled: it refused to start: the coffee machine is not plugged in"));
  CHECK(run.assistant().disabled_skills().size() == 1);
  CHECK(run.assistant().loaded_skills().empty());
  run.install("versions_one");
  CHECK(run.change(&Assistant::enable_skill).empty());
  CHECK(run.which() == "version one");
}

TEST_CASE("disable: everything can end while a skill finishes its turns, or is being enabled") {
  Workshop run;
  CHECK(run.change(&Assistant::disable_skill).empty());
  run.assistant().enable_skill("versions.test", [](const Reloaded&) {});
  run.assistant().stop();
  CHECK(Workshop::mapped() <= 1);
}

TEST_CASE("settings: what is set here wins until it is taken back, also over what a reload brings") {
  static constexpr std::array kPot{Option::integer("cups", "4", 1, 20, "How many."),
                                   Option::duration("rest", "1s", 1ms, 1h, "Pause.").at_most("work"),
                                   Option::duration("work", "1min", 1ms, 1h, "Work.")};
  EndToEnd run;
  std::int64_t at_start = 0;
  LambdaSkill& pot = run.skill(
      "pot.test", [&](LambdaSkill& self) { at_start = self.settings().integer("cups"); }, kPot);
  run.config.skills.settings["pot.test"] = {{"cups", 7}};
  run.start();
  CHECK(at_start == 7);
  const auto set = [&](const Json& values) {
    std::optional<SettingsChanged> how;
    run.assistant().change_settings("pot.test", values, [&](const SettingsChanged& end) { how = end; });
    run.assistant().run_until_idle();
    REQUIRE(how.has_value());
    return *how;
  };
  CHECK(set({{"cups", 9}}).takes == SettingsChanged::Takes::kWithReload);
  CHECK(pot.settings().integer("cups") == 9);
  pot.when_set = [&pot] { CHECK(pot.settings().integer("cups") > 0); };
  CHECK(set({{"cups", 10}}).takes == SettingsChanged::Takes::kAtOnce);
  run.config.skills.settings["pot.test"] = {{"cups", 3}, {"work", "2min"}};
  run.assistant().reconfigure(run.config);
  run.assistant().run_until_idle();
  CHECK(pot.settings().integer("cups") == 10);
  CHECK(pot.settings().duration("work") == 2min);
  const auto together = set({{"rest", "3min"}});
  CHECK(together.end == SettingsChanged::End::kInvalid);
  CHECK(together.faults.size() == 1);
  const auto wrong = set({{"rest", "soon"}, {"cups", 21}, {"saucers", 1}});
  CHECK(wrong.faults.size() == 3);
  CHECK(set({{"cups", nullptr}}).end == SettingsChanged::End::kDone);
  CHECK(pot.settings().integer("cups") == 3);
  CHECK(run.assistant().layers().changes == SkillChanges());
}
