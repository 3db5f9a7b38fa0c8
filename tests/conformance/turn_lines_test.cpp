// What the log tells of turns.
#include "message/log.hpp"
#include "support/assistant_fixture.hpp"

using namespace parley;
using namespace parley::testing;
using namespace std::chrono_literals;

namespace {

/// The lines that part "turn" of the program writes from a level on.
struct TurnLines {
  explicit TurnLines(LogLevel level)
      : listener(
            [this](LogLevel of, std::string_view who, std::string_view text) {
              if (who == "turn" && of >= least) lines.emplace_back(text);
            },
            level),
        least(level) {}
  std::vector<std::string> lines;
  LogListener listener;
  LogLevel least;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

void give_tea(TestAssistant& test) {
  test.stage_at_once("one", declines());
  test.stage_at_once("two", [](const MatchRequest& request) {
    if (request.utterance() == "fog") return std::optional<Match>();
    return std::optional(Match("tea.test", "brew", request.lang(), request.utterance()));
  });
  test.handler("tea.test", "brew", [](Turn turn) -> Task<> {
    co_await turn.sleep(20ms);
    if (turn.text() == "burn") throw std::runtime_error("too hot");
  });
  test.start();
}

}  // namespace

TEST_CASE("log: at level info each turn is one line, with who took it, how it ended and how long it took") {
  TestAssistant test;
  give_tea(test);
  const TurnLines log(LogLevel::kInfo);
  test.say("tea\nplease", kitchen());
  test.say("burn", kitchen());
  test.say("fog", kitchen());
  REQUIRE(log.lines.size() == 3);
  CHECK(has(log.lines[0],
            "\"tea\\nplease\" (en-US, session 'kitchen') → tea.test:brew by two: complete after 20"));
  CHECK(has(log.lines[1], "tea.test:brew by two: error after"));
  CHECK(log.lines[2] == "not understood, in en-US: \"fog\"");
}

TEST_CASE("log: at level debug there is what each stage said") {
  TestAssistant test;
  give_tea(test);
  const TurnLines log(LogLevel::kDebug);
  const TurnResult turn = test.say("tea", kitchen());
  REQUIRE(log.lines.size() == 3);
  CHECK(log.lines[0] == turn.utterance_id + ": one declines");
  CHECK(log.lines[1] == turn.utterance_id + ": two claims it for tea.test:brew");
}

TEST_CASE("log: a line that nobody wants is not made") {
  CHECK_FALSE(is_logged(LogLevel::kDebug));
  {
    const TurnLines log(LogLevel::kDebug);
    CHECK(is_logged(LogLevel::kDebug));
    CHECK(is_logged(LogLevel::kInfo));
  }
  CHECK_FALSE(is_logged(LogLevel::kInfo));
}
