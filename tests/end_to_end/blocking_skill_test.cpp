// A skill whose handler blocks its thread, with real threads and real time.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>

#include "support/end_to_end.hpp"
#include "support/mapped.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

constexpr const char* kSkill = "handler_blocks.test";
constexpr const char* kLibrary = "libparley_skill_handler_blocks.so";

/// The FIFO the skill blocks at.
class Gate {
 public:
  explicit Gate(const std::filesystem::path& file) : file_(file.string()) {
    if (mkfifo(file_.c_str(), 0600) != 0) throw std::runtime_error("can't create " + file_);
  }
  const std::string& file() const noexcept { return file_; }

  /// Lets the handler pass, and waits until it has: until its end of the FIFO is closed.
  void open() const {
    const int end = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
    if (end < 0) throw std::runtime_error("can't open " + file_);
    pollfd closed{end, 0, 0};
    ::poll(&closed, 1, 60'000);
    ::close(end);
    if ((closed.revents & POLLERR) == 0) throw std::runtime_error("nobody came through " + file_);
  }

 private:
  std::string file_;
};

/// An assistant with one worker thread, and a skill that blocks it.
struct Blocking {
  explicit Blocking(bool own_thread) {
    run.config.workers = 1;
    run.plugin_skill("echo");
    run.plugin_skill("handler_blocks");
    run.config.skills.settings[kSkill] = {{"gate", gate.file()}};
    if (own_thread) run.config.skills.options[kSkill].threads = SkillThreads::kOwn;
    run.start();
    REQUIRE(run.problems().empty());
  }

  EndToEnd::Pending block() {
    auto turn = run.begin("go handler blocks", session("a"));
    REQUIRE(run.until([this] { return run.count("handler_blocks.test.blocking") > 0; }));
    return turn;
  }
  void check_echo() {
    CHECK(run.say("repeat after me all is well", session("b")).speech_text() == "You said all is well");
  }

  EndToEnd run{EndToEnd::Time::kReal};
  Gate gate{run.folder.path() / "gate"};
};

}  // namespace

TEST_CASE("handler blocks its thread: other skills answer meanwhile, and it goes on when it can") {
  for (const bool own_thread : {false, true}) {
    CAPTURE(own_thread);
    Blocking blocking(own_thread);
    blocking.check_echo();
    const auto turn = blocking.block();
    for (int i = 0; i < 3; ++i) blocking.check_echo();
    CHECK_FALSE(turn->has_value());
    blocking.gate.open();
    const TurnResult ended = blocking.run.finish(turn);
    CHECK(ended.status == TurnStatus::kAnswered);
    CHECK(ended.speech_text() == "The gate is open.");
    blocking.check_echo();
    CHECK(blocking.run.unload(kSkill));
    CHECK_FALSE(is_mapped(kLibrary));
  }
}

TEST_CASE("D-6 handler blocks past its bound: its turn ends, and what it says later is not heard") {
  Blocking blocking(false);
  auto& run = blocking.run;
  run.destroy();
  run.config.skills.options[kSkill].handler_timeout = std::chrono::milliseconds(50);
  run.start();
  const auto turn = blocking.block();
  const TurnResult ended = run.finish(turn);
  CHECK(ended.status == TurnStatus::kError);
  CHECK(ended.error == "timeout: the handler did not end within 50 ms");
  blocking.gate.open();
  const std::string dropped = std::string("parley_late_messages_dropped_total{skill=\"") + kSkill + "\"}";
  CHECK(run.until([&] {
    run.assistant().post([] {});
    return run.assistant().counters().of(dropped) == 1;
  }));
  blocking.check_echo();
  CHECK(run.spoken() == std::vector<std::string>{"You said all is well"});
}

TEST_CASE("unload while a handler blocks its thread: it stays in memory, is named, and the others go on") {
  Blocking blocking(false);
  auto& run = blocking.run;
  const auto turn = blocking.block();
  CHECK_FALSE(run.unload(kSkill));
  CHECK(is_mapped(kLibrary));
  CHECK(run.log.has(
      "[skill handler_blocks.test] did not come to an end within 2 s: its code stays loaded and its "
      "thread is left behind until the process ends"));
  CHECK(run.assistant().counters().of("parley_skills_stuck_total{skill=\"handler_blocks.test\"}") == 1);
  CHECK(run.finish(turn).error == "the skill 'handler_blocks.test' was unloaded");
  CHECK(run.say("go handler blocks").status == TurnStatus::kUnmatched);
  blocking.check_echo();
  blocking.gate.open();
  blocking.check_echo();
  CHECK(run.count("ovos.intent.handler.error") == 1);
  CHECK(run.spoken() == std::vector<std::string>{"You said all is well", "You said all is well"});
}

TEST_CASE("plugin boundary: an assistant dies while a handler blocks its thread, which may come back later") {
  for (const bool own_thread : {false, true}) {
    CAPTURE(own_thread);
    Blocking blocking(own_thread);
    blocking.block();
    blocking.run.destroy();
    CHECK(is_mapped(kLibrary));
    EndToEnd other(EndToEnd::Time::kReal);
    other.plugin_skill("echo");
    other.start();
    CHECK(other.say("repeat after me all is well").speech_text() == "You said all is well");
    blocking.gate.open();
    CHECK(other.say("repeat after me it still is").speech_text() == "You said it still is");
  }
}
