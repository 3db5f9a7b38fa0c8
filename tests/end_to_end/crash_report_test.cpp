// Plugins that take the whole process with them: what is said on the way down, by a child that dies of it.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "runtime/crash_report.hpp"
#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

struct Death {
  Death() = default;
  int signal = 0;
  int code = 0;
  std::string said;     ///< On stderr.
  std::string suspect;  ///< For the supervisor.
};

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::read(fd, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  ::close(fd);
  return text;
}

/// In the child: says it with these plugins, and ends.
[[noreturn]] void live(const std::function<void(EndToEnd&)>& plugins, const std::string& text) {
  {
    EndToEnd run;
    plugins(run);
    run.start();
    report_exits();
    Context context;
    context.utterance_id = "turn-7";
    run.assistant().bus().publish(
        Message("ovos.utterance.handle", {{"utterances", {text}}}, std::move(context)));
    run.until([&] { return run.count("ovos.utterance.handled") == 1; });
  }
  ::_exit(0);
}

Death death_of(const std::function<void(EndToEnd&)>& plugins, const std::string& text) {
  std::array<int, 2> errors{};
  std::array<int, 2> names{};
  REQUIRE(::pipe(errors.data()) == 0);
  REQUIRE(::pipe(names.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(errors[1], STDERR_FILENO);
    report_crashes(names[1]);
    live(plugins, text);
  }
  ::close(errors[1]);
  ::close(names[1]);
  Death death;
  death.said = read_all(errors[0]);
  death.suspect = read_all(names[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) death.signal = WTERMSIG(status);
  if (WIFEXITED(status)) death.code = WEXITSTATUS(status);
  CAPTURE(death.said);
  return death;
}

}  // namespace

TEST_CASE(
    "a skill that crashes the process: the report names it, its turn and its library, and the signal stays") {
  struct Case {
    const char* how;
    int signal;
    const char* words;
  };
  for (const Case& one :
       {Case{"abort", SIGABRT, "crash: SIGABRT"},
        Case{"null", SIGSEGV, "crash: SIGSEGV (a bad address, or a stack that is full) at 0x0"},
        Case{"overflow", SIGSEGV, "crash: SIGSEGV"}}) {
    CAPTURE(one.how);
    const Death death = death_of([](EndToEnd& run) { run.plugin_skill("handler_crashes"); },
                                 std::string("go handler crashes by ") + one.how);
    CAPTURE(death.said);
    CHECK(death.signal == one.signal);
    CHECK(contains(death.said, one.words));
    CHECK(contains(death.said, "\n  in: skill handler_crashes.test (" + death.suspect + ")\n"));
    CHECK(contains(death.said, "\n  turn: turn-7 (skill handler_crashes.test)\n  stack:\n"));
    CHECK(death.suspect.ends_with("/libparley_skill_handler_crashes.so"));
  }
}

TEST_CASE("a stage that crashes the process is named, with the turn it was asked about") {
  const Death death =
      death_of([](EndToEnd& run) { run.plugin_stage("match_crashes"); }, "whatever this may be");
  CAPTURE(death.said);
  CHECK(death.signal == SIGABRT);
  CHECK(contains(death.said, "\n  in: stage match_crashes (" + death.suspect + ")\n"));
  CHECK(contains(death.said, "\n  turn: turn-7 (stage match_crashes)\n  stack:\n"));
  CHECK(death.suspect.ends_with("/libparley_stage_match_crashes.so"));
}

TEST_CASE("a skill that ends the process with exit() is named, and the process fails") {
  const Death death =
      death_of([](EndToEnd& run) { run.plugin_skill("handler_crashes"); }, "go handler crashes by exit");
  CAPTURE(death.said);
  CHECK(death.signal == 0);
  CHECK(death.code == kExitOfPlugin);
  CHECK(contains(death.said, "parley: exit: a plugin ended the process"));
  CHECK(contains(death.said, "\n  in: skill handler_crashes.test (" + death.suspect + ")\n"));
  CHECK(contains(death.said, "\n  turn: turn-7 (skill handler_crashes.test)\n  stack:\n"));
  CHECK(death.suspect.ends_with("/libparley_skill_handler_crashes.so"));
}

TEST_CASE("a crash report says nothing while nothing crashes") {
  const Death death = death_of([](EndToEnd& run) { run.plugin_stage("match_crashes"); }, "go on");
  CHECK(death.signal == 0);
  CHECK(death.said.find("crash:") == std::string::npos);
  CHECK(death.suspect.empty());
}
