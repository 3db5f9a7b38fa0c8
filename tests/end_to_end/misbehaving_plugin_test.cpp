// Plugins that load and then misbehave: what people read, and that everything else goes on meanwhile.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include "support/end_to_end.hpp"
#include "support/mapped.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// Takes back what was left in memory, for the tests after this one.
void unmap(const std::string& file) {
  void* handle = dlopen((PARLEY_BUILD_FOLDER "/" + file).c_str(), RTLD_LAZY | RTLD_NOLOAD);
  REQUIRE(handle != nullptr);
  dlclose(handle);
  dlclose(handle);
  CHECK_FALSE(is_mapped(file.substr(file.rfind('/') + 1)));
}

void wait_for_first_word(EndToEnd& run) {
  REQUIRE(run.until([&run] { return !run.spoken().empty(); }));
}

}  // namespace

TEST_CASE("U-5 match throws: it is a decline, the log says what was thrown, and the next stage is asked") {
  for (const auto& stage : std::vector<std::pair<std::string, std::string>>{
           {"match_throws", "threw: no idea what that means"},
           {"match_throws_int", "threw: int was thrown, which is not a std::exception"}}) {
    const std::string& name = stage.first;
    const std::string& words = stage.second;
    CAPTURE(name);
    EndToEnd run;
    run.plugin_skill("echo");
    run.plugin_stage(name);
    run.start();
    CHECK(run.problems().empty());
    check_echo(run);
    CHECK(run.log.count("[orchestrator] stage '" + name + "' " + words + "; the next stage is asked") == 1);
    for (int i = 0; i < 9; ++i) check_echo(run);
    CHECK(run.log.count("stage '" + name + "' " + words) == 5);
    CHECK(run.log.count("stage '" + name + "' failed 5 times in a row and is skipped for 60 s") == 1);
    CHECK(run.assistant().counters().of("parley_stage_tripped_total{stage=\"" + name + "\"}") == 1);
    run.assistant().run_for(std::chrono::seconds(61));
    check_echo(run);  // it gets another chance, and wastes it
    CHECK(run.log.count("stage '" + name + "' " + words) == 6);
    run.destroy();
    CHECK_FALSE(is_mapped("libparley_stage_" + name + ".so"));
  }
}

TEST_CASE("U-5 match never returns: after its bound it is a decline, and other utterances go on meanwhile") {
  EndToEnd run;
  run.plugin_skill("echo");
  run.plugin_stage("match_never_returns");
  run.start();
  const auto began = run.assistant().clock().now();
  const auto stuck = run.begin("repeat after me I had to wait", session("stuck"));

  Session impatient("impatient");
  impatient.pipeline = {"intent_high"};
  const TurnResult quick = run.say("repeat after me I did not", std::make_shared<const Session>(impatient));
  CHECK(quick.speech_text() == "You said I did not");
  CHECK(run.assistant().clock().now() == began);
  CHECK_FALSE(stuck->has_value());

  CHECK(run.finish(stuck).speech_text() == "You said I had to wait");
  CHECK(run.assistant().clock().now() - began == std::chrono::seconds(10));
  CHECK(run.log.has("stage 'match_never_returns' gave no answer within 10000 ms; the next stage is asked"));
  CHECK(run.count("ovos.utterance.handled") == 2);
  check_echo(run);
}

TEST_CASE("plugin boundary: an assistant that dies while a match never returns unloads everything") {
  EndToEnd run;
  run.plugin_skill("echo");
  run.plugin_stage("match_never_returns");
  run.start();
  const auto stuck = run.begin("repeat after me nothing");
  run.assistant().run_for(std::chrono::seconds(1));
  CHECK_FALSE(stuck->has_value());
  run.destroy();
  CHECK_FALSE(is_mapped("libparley_stage_match_never_returns.so"));
  CHECK_FALSE(is_mapped("libparley_stage_intent.so"));
  CHECK_FALSE(is_mapped("libparley_skill_echo.so"));
}

TEST_CASE("D-5 handler throws: the turn ends as an error with its words, and the others go on") {
  EndToEnd run;
  for (const auto* name : {"echo", "handler_throws", "handler_throws_int"}) run.plugin_skill(name);
  run.start();
  check_echo(run);
  const TurnResult thrown = run.say("go handler throws", session("a"));
  CHECK(thrown.status == TurnStatus::kError);
  CHECK(thrown.error == "spilled the coffee");
  CHECK(thrown.speech_text() == "Here it comes.");
  CHECK(thrown.skill_id == "handler_throws.test");
  const TurnResult number = run.say("go handler throws int", session("a"));
  CHECK(number.status == TurnStatus::kError);
  CHECK(number.error == "int was thrown, which is not a std::exception");
  check_echo(run);
  CHECK(run.say("go handler throws").error == "spilled the coffee");  // and it is asked again
  CHECK(run.count("ovos.intent.handler.error") == 3);
  CHECK(run.count("ovos.intent.handler.complete") == 2);
  CHECK(run.count("ovos.utterance.handled") == 5);
}

TEST_CASE("D-6 handler never returns: its bound ends the turn, and other skills answer meanwhile") {
  EndToEnd run;
  run.plugin_skill("echo");
  run.plugin_skill("handler_never_returns");
  run.start();
  const auto began = run.assistant().clock().now();
  const auto stuck = run.begin("go handler never returns", session("a"));
  wait_for_first_word(run);
  check_echo(run);
  CHECK(run.assistant().clock().now() == began);
  CHECK_FALSE(stuck->has_value());
  const TurnResult ended = run.finish(stuck);
  CHECK(ended.status == TurnStatus::kError);
  CHECK(ended.error == "timeout: the handler did not end within 60000 ms");
  CHECK(ended.speech_text() == "One moment.");
  CHECK(run.assistant().clock().now() - began == std::chrono::seconds(60));
  check_echo(run);
}

TEST_CASE("D-6 handler bound: a skill's own bound goes before the general one") {
  EndToEnd run;
  run.plugin_skill("handler_never_returns");
  run.config.skills.options["handler_never_returns.test"].handler_timeout = std::chrono::milliseconds(1500);
  run.start();
  const auto began = run.assistant().clock().now();
  CHECK(run.say("go handler never returns").error == "timeout: the handler did not end within 1500 ms");
  CHECK(run.assistant().clock().now() - began == std::chrono::milliseconds(1500));
}

TEST_CASE("D-6 handler ignores its cancellation: it is not heard any more, and can be unloaded") {
  EndToEnd run;
  run.plugin_skill("echo");
  run.plugin_skill("handler_ignores_cancel");
  run.start();
  const TurnResult ended = run.say("go handler ignores cancel", session("a"));
  CHECK(ended.status == TurnStatus::kError);
  CHECK(contains(ended.error, "timeout"));
  run.assistant().run_for(std::chrono::hours(72));
  CHECK(run.spoken() == std::vector<std::string>{"One moment."});
  CHECK(run.assistant().counters().of(
            "parley_late_messages_dropped_total{skill=\"handler_ignores_cancel.test\"}") == 1);
  check_echo(run);
  CHECK(run.unload("handler_ignores_cancel.test"));
  CHECK_FALSE(is_mapped("libparley_skill_handler_ignores_cancel.so"));
  check_echo(run);
}

TEST_CASE("unload while a handler runs: its turn ends as an error, its code is gone, the others go on") {
  for (const std::string name : {"handler_never_returns", "handler_ignores_cancel"}) {
    CAPTURE(name);
    EndToEnd run;
    run.plugin_skill("echo");
    run.plugin_skill(name);
    run.start();
    const auto turn =
        run.begin(name == "handler_never_returns" ? "go handler never returns" : "go handler ignores cancel");
    wait_for_first_word(run);
    REQUIRE(is_mapped("libparley_skill_" + name + ".so"));

    std::optional<bool> gone;
    run.assistant().unload_skill(name + ".test", [&](bool is_gone) { gone = is_gone; });
    check_echo(run);
    REQUIRE(run.until([&] { return gone.has_value(); }));
    CHECK(*gone);
    CHECK_FALSE(is_mapped("libparley_skill_" + name + ".so"));

    const TurnResult ended = run.finish(turn);
    CHECK(ended.status == TurnStatus::kError);
    CHECK(ended.error == "the skill '" + name + ".test' was unloaded");
    CHECK(run.spoken() == std::vector<std::string>{"One moment.", "You said all is well"});
    CHECK(run.say("go handler never returns").status == TurnStatus::kUnmatched);
    CHECK(run.assistant().loaded_skills().size() == 1);
    check_echo(run);
  }
}

TEST_CASE("plugin boundary: unloading a skill nobody knows, or twice, is no harm") {
  EndToEnd run;
  run.plugin_skill("echo");
  run.start();
  CHECK(run.unload("nobody.test"));
  CHECK(run.unload("echo.test"));
  CHECK(run.unload("echo.test"));
  CHECK(run.say("repeat after me anything").status == TurnStatus::kUnmatched);
}

TEST_CASE("plugin boundary: with unload: never, code stays in memory and everything still ends") {
  EndToEnd run;
  run.plugin_skill("handler_throws_int");
  run.plugin_stage("echo");
  run.config.plugins.unload = PluginUnload::kNever;
  run.start();
  CHECK(run.say("echo never mind").speech_text() == "never mind");
  CHECK_FALSE(run.unload("handler_throws_int.test"));
  CHECK(is_mapped("libparley_skill_handler_throws_int.so"));
  CHECK(run.say("go handler throws int").status == TurnStatus::kUnmatched);
  run.destroy();
  CHECK(is_mapped("libparley_stage_echo.so"));
  for (const auto* file :
       {"lib/parley/stages/libparley_stage_intent.so", "lib/parley/stages/libparley_stage_fallback.so",
        "tests/plugins/stages/libparley_stage_echo.so",
        "tests/plugins/skills/handler_throws_int/libparley_skill_handler_throws_int.so"}) {
    unmap(file);
  }
}

TEST_CASE(
    "plugin boundary: twenty assistants come and go, each with a handler under way, and leave no code") {
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    EndToEnd run;
    run.config.language.enabled = {"en-US"};
    for (const auto* name : {"handler_never_returns", "handler_ignores_cancel", "handler_throws"}) {
      run.plugin_skill(name);
    }
    run.plugin_stage("match_throws");
    run.start();
    REQUIRE(run.problems().empty());
    const auto first = run.begin("go handler never returns", session("a"));
    const auto second = run.begin("go handler ignores cancel", session("b"));
    REQUIRE(run.until([&run] { return run.spoken().size() == 2; }));
    CHECK(run.say("go handler throws").error == "spilled the coffee");
    run.destroy();
    for (const auto* file :
         {"libparley_skill_handler_never_returns.so", "libparley_skill_handler_ignores_cancel.so",
          "libparley_skill_handler_throws.so", "libparley_stage_match_throws.so", "libparley_stage_intent.so",
          "libparley_stage_fallback.so"}) {
      CAPTURE(file);
      CHECK_FALSE(is_mapped(file));
    }
  }
}
