// A skill in a child process: it behaves as it does here, and what it does to itself is its own.
#include <doctest/doctest.h>
#include <signal.h>  // kill

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "app/inventory.hpp"
#include "runtime/http.hpp"
#include "skill/skill_host.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

using TextList = std::vector<std::string>;
constexpr const char* kSkill = "isolated.test";

/// An assistant with the skills isolated.test, in a child or here, and echo.test, which is always here.
class Isolation : public EndToEnd {
 public:
  explicit Isolation(SkillPlacement placement = SkillPlacement::kProcess, Time time = Time::kJumping)
      : EndToEnd(time) {
    options.program = PARLEY_BUILD_FOLDER "/bin/parley";
    take_skills(fs() / "skills", {"isolated", "echo"});
    of_skill().placement = placement;
  }
  static std::filesystem::path fs() { return PARLEY_TEST_PLUGINS; }
  SkillOptions& of_skill() { return config.skills.options[kSkill]; }

  std::string state() {
    const auto* const skill = assistant().skills().find(kSkill);
    return skill == nullptr ? "gone" : std::string(skill->state());
  }
  bool is_back() {
    return until([this] { return state() == "running"; });
  }
  /// The process the skill runs in.
  pid_t process() {
    pid_t id = 0;
    const auto hears = assistant().bus().subscribe(
        "isolated.answer", [&](const Message& answer) { id = answer.data().at("process").get<pid_t>(); });
    REQUIRE(until([&] {
      if (id == 0) assistant().bus().publish(Message("isolated.question"));
      return id != 0;
    }));
    return id;
  }
  /// What was said, and how it ended: "one | two | error: three".
  std::string told(Conversation& conversation, const std::string& text) {
    const TurnResult turn = EndToEnd::say(conversation, text);
    return of(turn);
  }
  std::string told(const std::string& text, const std::string& id = "kitchen") {
    return of(EndToEnd::say(text, session(id)));
  }

 private:
  static std::string of(const TurnResult& turn) {
    std::string all;
    for (const auto& speech : turn.speech) all += (all.empty() ? "" : " | ") + speech.utterance;
    if (!turn.error.empty()) all += (all.empty() ? "error: " : " | error: ") + turn.error;
    return all;
  }
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr bool kMaySanitize = true;  ///< What has no memory then ends the process instead of throwing.
#else
constexpr bool kMaySanitize = false;
#endif

constexpr std::array kBoth{SkillPlacement::kHere, SkillPlacement::kProcess};

}  // namespace

TEST_CASE("placement: handlers speak, fail, wait, ask and keep things in a child as they do here") {
  for (const auto placement : kBoth) {
    CAPTURE(static_cast<int>(placement));
    Isolation run(placement);
    const auto answers = std::make_shared<GivenAnswers>();
    answers->give("GET", "https://example.org/tea", 200, "green");
    run.options.http = answers;
    run.start();
    REQUIRE(run.problems().empty());
    CHECK(run.told("please say hello") == "Hello. | Again.");
    CHECK(run.told("please tell") == "tea");
    CHECK(run.told("please draw") == "0");
    CHECK(run.told("please fetch") == "200 green");
    CHECK(run.told("please count", "a") == "1 of a");
    CHECK(run.told("please count", "b") == "2 of b");
    CHECK(run.told("please misuse") == "error: a key has 1 to 256 bytes, not 0");
    CHECK(run.told("please throw") == "error: as it was told");
    CHECK(run.told("please do something") == "error: nobody can do something");
    CHECK(run.told("please look around") == "nobody");
    CHECK(run.told("please start a thread") == "done twice");
    CHECK(run.told("this is gibberish") == "That is gibberish.");
    const auto began = run.assistant().clock().now();
    CHECK(run.told("please wait") == "That was five seconds.");
    CHECK(run.assistant().clock().now() - began == 5s);
    CHECK(run.assistant().counters().of("parley_skill_faults_total{skill=\"isolated.test\"}") == 3);
    CHECK(run.state() == "running");
  }
}

TEST_CASE("placement: a question is answered, taken back, left open for what is no answer, and runs out") {
  for (const auto placement : kBoth) {
    CAPTURE(static_cast<int>(placement));
    Isolation run(placement);
    run.start();
    Conversation talk(run.assistant(), session("talk"));
    CHECK(run.told(talk, "please ask") == "What is your name?");
    CHECK(run.told(talk, "Anna") == "Hello Anna");
    CHECK(run.told(talk, "please confirm") == "Shall I?");
    // No such answer, and something that another skill takes word for word: the question stays open (C-1).
    CHECK(run.told(talk, "repeat after me well") == "You said well");
    CHECK(run.told(talk, "yes") == "I shall.");
    CHECK(run.told(talk, "please ask") == "What is your name?");
    CHECK(run.told(talk, "never mind") == "You keep it to yourself.");
    run.heard.clear();
    CHECK(run.told(talk, "please confirm") == "Shall I?");
    REQUIRE(run.until([&] { return run.spoken().size() == 3; }));
    CHECK(run.spoken() == TextList{"Shall I?", "Shall I?", "Nobody said."});
  }
}

TEST_CASE("placement: timers, the schedule, the session, converse and stop") {
  for (const auto placement : kBoth) {
    CAPTURE(static_cast<int>(placement));
    Isolation run(placement);
    run.start();
    Conversation talk(run.assistant(), session("talk"));
    CHECK(run.told(talk, "please tick") == "In three seconds.");
    CHECK(run.assistant().skills().due().contains(kSkill));
    run.assistant().run_for(2900ms);
    CHECK(run.spoken().back() == "In three seconds.");
    run.assistant().run_for(200ms);
    CHECK(run.spoken().back() == "Tick.");
    CHECK(run.told(talk, "please remind me") == "I will.");
    run.assistant().run_for(10min);
    CHECK(run.spoken().back() == "Ring.");
    CHECK(run.told(talk, "please remember") == "Kitchen.");
    CHECK(talk.session()->site_id == "kitchen");
    CHECK(run.told(talk, "more") == "There is more.");
    CHECK(run.told(talk, "please hum") == "Hmm.");
    CHECK(run.told(talk, "stop").empty());

    const auto waiting = run.begin(talk, "please wait long");
    REQUIRE(run.until([&] { return run.spoken().back() == "I wait."; }));
    CHECK(run.told(talk, "stop").empty());
    CHECK(contains(run.finish(waiting).error, "stop"));
    run.assistant().run_for(2h);
    CHECK(run.spoken().back() == "I wait.");
  }
}

TEST_CASE("placement: a trace tells the same, in the same order") {
  std::array<TextList, 2> told;
  for (const auto placement : kBoth) {
    Isolation run(placement);
    run.start();
    Conversation talk(run.assistant(), session("talk"));
    for (const char* const text : {"please ask", "Anna", "please throw"}) {
      TurnInput input(text);
      input.trace = true;
      std::optional<TurnResult> result;
      talk.say(std::move(input), [&](TurnResult turn) { result = std::move(turn); });
      REQUIRE(run.until([&] { return result.has_value(); }));
      for (const auto& trace : {result->trace, result->resumed_trace}) {
        if (!trace) continue;
        for (const auto& step : trace->at("steps"))
          told.at(static_cast<std::size_t>(placement))
              .push_back(step.at("kind").get<std::string>() + " " + step.at("subject").get<std::string>() +
                         " " + step.at("text").get<std::string>());
      }
    }
  }
  CHECK(told[0].size() > 20);
  CHECK(told[0] == told[1]);
  CHECK(std::count(told[1].begin(), told[1].end(), "ask isolated.test What is your name?") > 0);
  CHECK(std::count(told[1].begin(), told[1].end(), "speak isolated.test Hello Anna") > 0);
}

TEST_CASE("placement: settings change while it runs") {
  for (const auto placement : kBoth) {
    CAPTURE(static_cast<int>(placement));
    Isolation run(placement);
    run.start();
    std::optional<SettingsChanged> changed;
    run.assistant().change_settings(kSkill, {{"word", "coffee"}},
                                    [&](const SettingsChanged& how) { changed = how; });
    REQUIRE(run.until([&] { return changed.has_value(); }));
    CHECK(changed->end == SettingsChanged::End::kDone);
    CHECK(run.told("please tell") == "coffee");
    CHECK(run.assistant().loaded_skills().back().languages == TextList{"en-US"});
  }
}

TEST_CASE("isolation: it dies of a signal: its turn says so, nobody else notices, and it is back") {
  Isolation run;
  run.start();
  CHECK(run.told("please crash") ==
        "Goodbye. | error: the process of the skill 'isolated.test' died of SIGSEGV (Segmentation fault)");
  check_echo(run);
  REQUIRE(run.is_back());
  CHECK(placement_of(run.assistant(), kSkill) == "process");
  CHECK(state_of(run.assistant(), kSkill) == "running");
  CHECK(run.told("please say hello") == "Hello. | Again.");
  CHECK(run.assistant().counters().of("parley_skill_deaths_total{skill=\"isolated.test\"}") == 1);
  CHECK(
      run.log.has("[skill isolated.test] the process of the skill 'isolated.test' died of SIGSEGV "
                  "(Segmentation fault); it is started again"));
  CHECK(run.told("please leave") ==
        "error: the process of the skill 'isolated.test' ended itself with exit code 3");
  // Who comes before it is back waits for that.
  CHECK(run.told("please tell") == "tea");
  CHECK(run.log.has("ended itself with exit code 3; it is started again in 100 ms"));
}

TEST_CASE("isolation: on the machine's clock it is back within 500 ms of its death") {
  Isolation run(SkillPlacement::kProcess, EndToEnd::Time::kReal);
  run.start();
  const pid_t before = run.process();
  REQUIRE(::kill(before, SIGKILL) == 0);
  REQUIRE(run.until([&] { return run.state() == "restarting"; }));
  const auto died = std::chrono::steady_clock::now();
  REQUIRE(run.is_back());
  const auto took = std::chrono::steady_clock::now() - died;
  MESSAGE("back after ", std::chrono::duration_cast<std::chrono::milliseconds>(took).count(), " ms");
  CHECK(took < 30s);  // what is promised is for a machine that has nothing else to do
  CHECK(run.process() != before);
  CHECK(run.told("please tell") == "tea");
}

TEST_CASE("isolation: after five deaths within ten minutes it is given up, and a reload brings it back") {
  Isolation run;
  run.start();
  for (int i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(contains(run.told("please crash"), "Goodbye. | error: "));
    REQUIRE(run.is_back());
  }
  CHECK(contains(run.told("please crash"), "Goodbye. | error: "));
  CHECK(run.state() == "given_up");
  CHECK(run.log.has("5 times within 10 minutes is too often, so it stays down until it is loaded anew"));
  CHECK(run.assistant().counters().of("parley_skills_given_up_total{skill=\"isolated.test\"}") == 1);
  CHECK(run.say("please tell", session("s")).status == TurnStatus::kUnmatched);
  check_echo(run);
  std::optional<Reloaded> reloaded;
  run.assistant().reload_skill(kSkill, [&](const Reloaded& how) { reloaded = how; });
  REQUIRE(run.until([&] { return reloaded.has_value(); }));
  CHECK(reloaded->reason.empty());
  CHECK(run.told("please tell") == "tea");
  CHECK(run.state() == "running");
}

TEST_CASE("isolation: deaths that are far apart are not counted together") {
  Isolation run;
  run.start();
  for (int i = 0; i < 7; ++i) {
    CAPTURE(i);
    CHECK(contains(run.told("please crash"), "Goodbye. | error: "));
    REQUIRE(run.is_back());
    run.assistant().run_for(3min);
  }
  CHECK(run.told("please tell") == "tea");
}

TEST_CASE("isolation: memory, files, network, programs and other processes are out of reach") {
  Isolation run;
  run.of_skill().memory = std::size_t{256} << 20U;
  run.of_skill().open_files = 64;
  run.start();
  CHECK(run.told("please connect") == "Permission denied");
  CHECK(run.told("please fork") == "Operation not permitted");
  CHECK(run.told("please signal") == "Operation not permitted");
  CHECK(run.told("please open many") == "few");
  if (!kMaySanitize) CHECK(run.told("please eat") == "error: std::bad_alloc");
  CHECK(run.told("please forge") == "forged");
  CHECK(run.log.has("dropped 'ovos.utterance.handled' of its process: only the core says this"));
  if (!run.log.has("is not held to a limit: writes"))  // where the kernel has Landlock
    CHECK(run.told("please write") == "Permission denied");
  CHECK(run.state() == "running");
  CHECK(run.told("please tell") == "tea");
}

TEST_CASE("isolation: what it is let do, it can") {
  Isolation run;
  run.of_skill().network = true;
  run.of_skill().programs = true;
  const auto folder = Isolation::fs() / "skills/isolated";
  run.of_skill().writes = {folder.string()};
  run.options.config_file = "parley.yaml";  // beside which nothing is
  run.start();
  CHECK(run.told("please write") == "done");
  CHECK(std::filesystem::remove(folder / "written"));
  CHECK(run.told("please connect") == "done");
  CHECK(run.told("please fork") == "done");
  CHECK(run.told("please tell") == "tea");
}

TEST_CASE("isolation: a handler that never comes back costs its own turn, and in the end its process") {
  Isolation run(SkillPlacement::kProcess, EndToEnd::Time::kReal);
  run.of_skill().handler_timeout = 300ms;
  run.start();
  const auto hung = run.begin("please hang", session("hung"));
  REQUIRE(run.until([&] { return run.count("isolated.hangs") == 1; }));
  check_echo(run);
  CHECK(contains(run.finish(hung).error, "300"));
  check_echo(run);
  REQUIRE(run.until([&] { return run.state() != "running"; }));
  REQUIRE(run.is_back());
  CHECK(run.told("please tell") == "tea");
  CHECK(run.log.has("was ended: it did not answer within 10 s after a turn of it was ended"));
}

TEST_CASE("isolation: a skill that refuses to start is told of like one here, and its process is gone") {
  for (const auto placement : kBoth) {
    CAPTURE(static_cast<int>(placement));
    Isolation run(placement);
    run.config.skills.settings[kSkill] = {{"word", "refuse"}};
    run.start();
    CHECK(run.problems() == "skill isolated.test: refused to start: the word is refuse\n");
    CHECK(run.state() == "gone");
    check_echo(run);
  }
}

TEST_CASE("isolation: what can't be started names the program, and everything else goes on") {
  Isolation run;
  run.options.program = "/nowhere/parley";
  run.start();
  CHECK(contains(run.problems(), "skill isolated.test: refused to start: starting /nowhere/parley: "));
  check_echo(run);
}

TEST_CASE("placement: it is reloaded, disabled, enabled and unloaded in a child as it is here") {
  for (const auto placement : kBoth) {
    CAPTURE(static_cast<int>(placement));
    Isolation run(placement, EndToEnd::Time::kReal);
    run.start();
    const auto asks = run.begin("please ask", session("asks"));
    const SessionPtr asked = run.finish(asks).session;
    const pid_t before = run.process();
    std::optional<Reloaded> how;
    const auto note = [&](const Reloaded& done) { how = done; };
    run.assistant().reload_skill(kSkill, note);
    REQUIRE(run.until([&] { return how.has_value(); }));
    CHECK(how->reason.empty());
    CHECK((run.process() != before) == (placement == SkillPlacement::kProcess));
    run.say("Anna", asked);  // to the version that asked
    CHECK(run.until([&] { return run.spoken().back() == "Hello Anna"; }));
    const auto is_there = [before] { return ::kill(before, 0) == 0; };
    if (placement == SkillPlacement::kProcess) CHECK(run.until([&] { return !is_there(); }));
    how.reset();
    run.assistant().disable_skill(kSkill, note);
    REQUIRE(run.until([&] { return how.has_value(); }));
    CHECK(run.say("please tell", session("s")).status == TurnStatus::kUnmatched);
    how.reset();
    run.assistant().enable_skill(kSkill, note);
    REQUIRE(run.until([&] { return how.has_value(); }));
    CHECK(run.told("please tell") == "tea");
    CHECK(run.unload(kSkill));
    CHECK(run.log.count("[skill isolated.test] stopped in good order") ==
          3);  // one for each time it was loaded
    CHECK(run.say("please tell", session("s")).status == TurnStatus::kUnmatched);
  }
}

TEST_CASE("isolation: 'auto' is here, until the backend has crashed in it") {
  for (const bool crashed : {false, true}) {
    CAPTURE(crashed);
    Isolation run(SkillPlacement::kAuto);
    const auto file = run.folder.path() / "skills/isolated/libparley_skill_isolated.so";
    if (crashed) run.options.held_out.push_back(file);
    run.start();
    CHECK(run.problems().empty());
    CHECK(run.told("please tell") == "tea");
    CHECK(run.assistant().skills().find(kSkill)->placement() == (crashed ? "process" : "here"));
    CHECK(run.log.has("runs in a process of its own, because the backend crashed in its code") == crashed);
  }
}

namespace {

/// Says things to isolated.test that end badly, one after the other.
class Havoc {
 public:
  explicit Havoc(Isolation& run) : run_(run) {}

  void go_on() {
    if (run_.state() == "given_up" && !reloading_) {
      reloading_ = true;
      run_.assistant().reload_skill(kSkill, [this](const Reloaded&) { reloading_ = false; });
    }
    if (turn_ && !turn_->has_value()) return;
    constexpr std::array kActs{"crash", "leave", "eat", "fork", "hang", "open many", "throw", "crash"};
    turn_ = run_.begin(std::string("please ") + kActs.at(dice_() % kActs.size()), session("havoc"));
    ++turns;
  }
  void finish() {
    if (turn_) run_.finish(turn_);
    run_.until([this] { return !reloading_; });
  }

  int turns = 0;

 private:
  Isolation& run_;
  EndToEnd::Pending turn_;
  bool reloading_ = false;
  std::minstd_rand dice_{1};
};

/// Turns of echo.test, and how long the slowest hundredth of them took at least.
Duration slowest_of(Isolation& run, int turns, const std::function<void()>& meanwhile) {
  std::vector<Duration> took;
  int lost = 0;
  for (int i = 0; i < turns; ++i) {
    meanwhile();
    const auto began = std::chrono::steady_clock::now();
    const TurnResult said = run.say("repeat after me all is well", session("echo"));
    took.emplace_back(std::chrono::steady_clock::now() - began);
    if (said.speech_text() != "You said all is well") ++lost;
    if (i % 100 == 0) run.heard.clear();
  }
  CHECK(lost == 0);
  std::sort(took.begin(), took.end());
  return took[took.size() * 99 / 100];
}

}  // namespace

TEST_CASE("isolation: 10,000 turns beside a skill that crashes, hangs, eats and forks at random lose none") {
  Isolation run(SkillPlacement::kProcess, EndToEnd::Time::kReal);
  run.of_skill().memory = std::size_t{64} << 20U;
  run.of_skill().handler_timeout = 100ms;
  run.start();
  const Duration alone = slowest_of(run, 2'000, [] {});
  Havoc havoc(run);
  const Duration beside = slowest_of(run, 10'000, [&] { havoc.go_on(); });
  havoc.finish();
  MESSAGE("99 of 100 turns take up to ", alone.count() / 1000, " us alone, ", beside.count() / 1000,
          " us beside ", havoc.turns, " turns that end badly, with ",
          run.assistant().counters().of("parley_skill_deaths_total{skill=\"isolated.test\"}"), " deaths");
  CHECK(havoc.turns > 10);
}
