#include "dialogue.hpp"

#include <doctest/doctest.h>

#include <string>

using parley::script::Claim;
using parley::script::compare;
using parley::script::Dialogue;
using parley::script::GiveAnswer;
using parley::script::NewSession;
using parley::script::Outcome;
using parley::script::parse_dialogue;
using parley::script::Say;
using parley::script::SetClock;
using parley::script::SetLanguage;
using parley::script::SetRandom;
using parley::script::SetSession;
using parley::script::Step;
using parley::script::topics_of;
using parley::script::updated;
using parley::script::Wait;

namespace {

Dialogue parsed(std::string_view text) {
  auto result = parse_dialogue(text, "test.parley");
  for (const auto& fault : result.faults) FAIL_CHECK(std::to_string(fault.line) << ": " << fault.message);
  return std::move(result.dialogue);
}

std::string only_fault(std::string_view text) {
  const auto result = parse_dialogue(text, "test.parley");
  REQUIRE(result.faults.size() == 1);
  return std::to_string(result.faults[0].line) + ": " + result.faults[0].message;
}

template <class Action>
std::vector<std::size_t> lines_of(const Dialogue& dialogue) {
  std::vector<std::size_t> out;
  for (const auto& step : dialogue.steps) {
    if (std::holds_alternative<Action>(step.action)) out.push_back(step.line);
  }
  return out;
}

std::size_t index_of_turn(const Dialogue& dialogue, int number) {
  for (std::size_t i = 0; i < dialogue.steps.size(); ++i) {
    if (std::holds_alternative<Say>(dialogue.steps[i].action) && number-- == 0) return i;
  }
  FAIL("no such turn");
  return 0;
}

const Step& turn(const Dialogue& dialogue, int number = 0) {
  return dialogue.steps[index_of_turn(dialogue, number)];
}

Outcome answered(std::vector<std::string> speech) {
  Outcome outcome;
  outcome.speech = std::move(speech);
  outcome.matched = true;
  outcome.pipeline_id = "intent";
  outcome.pipeline_entry = "intent_high";
  outcome.skill_id = "timer.parley";
  outcome.intent_name = "set";
  return outcome;
}

std::string update_first(std::string_view text, Outcome outcome) {
  const auto dialogue = parsed(text);
  return updated(dialogue, {{index_of_turn(dialogue, 0), std::move(outcome)}});
}

}  // namespace

TEST_CASE("dialogue: utterances, answers and expectations are read with their lines") {
  const auto dialogue = parsed(
      "# hello\n> set a timer\n< {For how long}*\n@ skill timer.parley\n@ stage intent\n@ intent set\n");
  const auto& step = turn(dialogue);
  CHECK(std::get<Say>(step.action).utterance == "set a timer");
  CHECK(step.line == 2);
  REQUIRE(step.expected.size() == 4);
  CHECK(step.expected[0].claim == Claim::kSays);
  CHECK(step.expected[0].line == 3);
  CHECK(step.expected[1].claim == Claim::kSkill);
  CHECK(step.expected[1].text == "timer.parley");
  CHECK(step.expected[3].claim == Claim::kIntent);
}

TEST_CASE("dialogue: a blank line begins a new session, several count as one, and so do those at the ends") {
  const auto dialogue = parsed("\n\n> one\n> two\n\n\n# remark\n> three\n\n");
  CHECK(lines_of<NewSession>(dialogue).size() == 2);
  CHECK(lines_of<Say>(dialogue) == std::vector<std::size_t>{3, 4, 8});
}

TEST_CASE("dialogue: what is set before the first utterance holds for every session, the rest for its own") {
  const auto dialogue =
      parsed("@ lang de-DE\n@ session {\"site_id\": \"a\"}\n\n> eins\n@ lang en-US\n\n> zwei\n");
  CHECK(lines_of<SetLanguage>(dialogue) == std::vector<std::size_t>{1, 5, 1});
  CHECK(lines_of<SetSession>(dialogue) == std::vector<std::size_t>{2, 2});
}

TEST_CASE("dialogue: clock and wait are read as times") {
  const auto dialogue = parsed("@ clock 2026-01-03T12:00:00Z\n> set a timer\n@ wait 10min\n< Time is up.\n");
  using namespace std::chrono_literals;
  CHECK(std::get<SetClock>(dialogue.steps[1].action).time ==
        std::chrono::sys_days(std::chrono::year(2026) / 1 / 3) + 12h);
  const auto& wait = dialogue.steps.back();
  CHECK(std::get<Wait>(wait.action).time == 10min);
  REQUIRE(wait.expected.size() == 1);
  CHECK(wait.expected[0].text == "Time is up.");
}

TEST_CASE("dialogue: CRLF, a byte order mark and a missing last line end change nothing") {
  const auto dialogue = parsed("\xEF\xBB\xBF> one\r\n< two\r\n\r\n> three");
  CHECK(dialogue.crlf);
  CHECK(std::get<Say>(turn(dialogue).action).utterance == "one");
  CHECK(std::get<Say>(turn(dialogue, 1).action).utterance == "three");
}

TEST_CASE("dialogue: every fault is reported, with its line and what was expected") {
  const auto result = parse_dialogue("hello\n>\n> x\n<\n@ stag y\n", "f");
  REQUIRE(result.faults.size() == 4);
  CHECK(result.faults[0].line == 1);
  CHECK(result.faults[0].message.find("expected a line that starts with '#', '>', '<', '@' or '~'") !=
        std::string::npos);
  CHECK(result.faults[1].line == 2);
  CHECK(result.faults[2].line == 4);
  CHECK(result.faults[3].message.find("did you mean 'stage'?") != std::string::npos);
}

TEST_CASE("dialogue: bad values name what would be right") {
  CHECK(only_fault("< nothing was said\n").starts_with("1: '<' says what is expected of a turn"));
  CHECK(only_fault("> a\n\n< b\n").starts_with("3: "));
  CHECK(only_fault("@ unmatched\n").starts_with("1: '@ unmatched'"));
  CHECK(only_fault("> a\n@ unmatched now\n").find("takes nothing after it") != std::string::npos);
  CHECK(only_fault("> a\n@ stage\n").find("needs a name") != std::string::npos);
  CHECK(only_fault("@ wait soon\n").find("500ms, 10s or 5min") != std::string::npos);
  CHECK(only_fault("@ wait 0s\n").find("'@ wait'") != std::string::npos);
  CHECK(only_fault("@ wait 10min\n@ stage intent\n").find("after it only") != std::string::npos);
  CHECK(only_fault("@ clock 2026-02-30T12:00:00Z\n").find("2026-01-03T12:00:00Z") != std::string::npos);
  CHECK(only_fault("@ clock noon\n").find("got 'noon'") != std::string::npos);
  CHECK(only_fault("@ random\n").find("like 48 65") != std::string::npos);
  CHECK(only_fault("@ random 3 x\n").find("got '3 x'") != std::string::npos);
  CHECK(only_fault("~ GET https://a.test/b 200\n").find("'~ GET https://… → 200 FILE'") != std::string::npos);
  CHECK(only_fault("~ GET https://a.test/b → 20\n").find("got 'GET https://a.test/b → 20'") !=
        std::string::npos);
  CHECK(only_fault("~ GET a.test/b → 200\n").find("must begin with http:// or https://") !=
        std::string::npos);
  CHECK(only_fault("~ FETCH http://a.test/b → 200\n").find("the method must be GET") != std::string::npos);
  CHECK(only_fault("@ lang !\n").find("de-DE") != std::string::npos);
  CHECK(only_fault("@ session [1]\n").find("JSON object") != std::string::npos);
  CHECK(only_fault("@ session {\"session_id\": \"x\"}\n").find("session_id") != std::string::npos);
  const std::string deep = "@ session {\"x\": " + std::string(50'000, '[') + std::string(50'000, ']') + "}\n";
  CHECK(only_fault(deep).find("nested deeper than 200 levels") != std::string::npos);
  CHECK(only_fault("> a\n< {b\n").find("column 1") != std::string::npos);
  CHECK(only_fault("> a\xFF\n").find("not UTF-8") != std::string::npos);
  CHECK(only_fault(std::string_view("> a\0b\n", 6)).find("NUL") != std::string::npos);
  CHECK(only_fault("> a\n@ message\n") ==
        "2: '@ message' needs a topic after it, such as ovos.utterance.speak, got ''");
  CHECK(only_fault("> a\n@ message a.b [1]\n") ==
        "2: '@ message' takes an object of what the message has, like {\"lang\": \"de-DE\"}, got '[1]'");
  CHECK(only_fault("> a\n@ message a.b {\"x\": }\n").find("2: '@ message': ") == 0);
  CHECK(only_fault("@ message a.b\n").find("1: '@ message' says what is expected of a turn") == 0);
}

TEST_CASE("dialogue: a turn that went as expected shows no difference") {
  const auto dialogue = parsed(
      "> x\n< For *\n< How *\n@ stage intent_high\n@ stage intent\n@ skill timer.parley\n@ intent "
      "timer.parley:set\n");
  CHECK(compare(turn(dialogue), answered({"For how long?", "How so?"})).empty());
}

TEST_CASE("dialogue: answers are compared in order, missing and surplus ones are differences") {
  const auto dialogue = parsed("> x\n< one\n< two\n");
  const auto wrong = compare(turn(dialogue), answered({"two", "one"}));
  REQUIRE(wrong.size() == 2);
  CHECK(wrong[0].line == 2);
  CHECK(wrong[0].expected == "one");
  CHECK(wrong[0].got == "two");
  const auto missing = compare(turn(dialogue), answered({"one"}));
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].got.empty());
  const auto surplus = compare(turn(dialogue), answered({"one", "two", "three"}));
  REQUIRE(surplus.size() == 1);
  CHECK(surplus[0].expected.empty());
  CHECK(surplus[0].got == "three");
}

TEST_CASE("dialogue: stage, skill, intent, unmatched and silent are compared") {
  const auto dialogue = parsed("> x\n@ stage fallback\n@ skill other\n@ intent get\n@ unmatched\n@ silent\n");
  CHECK(compare(turn(dialogue), answered({"hello"})).size() == 5);
  CHECK(compare(turn(dialogue), Outcome()).size() == 3);
}

TEST_CASE("dialogue: a failed turn is a difference unless it is expected") {
  Outcome failed = answered({});
  failed.error = "no such city";
  CHECK(compare(turn(parsed("> x\n")), failed).size() == 1);
  CHECK(compare(turn(parsed("> x\n@ error\n")), failed).empty());
  CHECK(compare(turn(parsed("> x\n@ error no such *\n")), failed).empty());
  CHECK(compare(turn(parsed("> x\n@ error out of *\n")), failed).size() == 1);
  CHECK(compare(turn(parsed("> x\n@ error\n")), answered({})).size() == 1);
}

TEST_CASE("dialogue: an update changes only what differs and keeps comments and spacing") {
  const std::string before = "# intro\n\n> x\n# why\n<   one\n< two*\n@ stage  intent\n\n> y\n< z\n";
  CHECK(update_first(before, answered({"ONE", "three * 2"})) ==
        "# intro\n\n> x\n# why\n<   one\n< three \\* 2\n@ stage  intent\n\n> y\n< z\n");
  CHECK(update_first(before, answered({"one", "two!"})) == before);
}

TEST_CASE("dialogue: an update adds and removes answers") {
  CHECK(update_first("> x\n< one\n@ skill timer.parley\n", answered({"one", "two"})) ==
        "> x\n< one\n< two\n@ skill timer.parley\n");
  CHECK(update_first("> x\n< one\n< two\n", answered({"one"})) == "> x\n< one\n");
  CHECK(update_first("> x\n< one\n", answered({})) == "> x\n@ silent\n");
  CHECK(update_first("> x\n@ silent\n", answered({"one"})) == "> x\n< one\n");
}

TEST_CASE("dialogue: an update records a turn nothing was expected of") {
  CHECK(update_first("> x\n> y\n", answered({"one", "two"})) == "> x\n< one\n< two\n> y\n");
  CHECK(update_first("> x\n@ skill timer.parley\n", answered({"one"})) == "> x\n@ skill timer.parley\n");
}

TEST_CASE("dialogue: an update corrects who matched") {
  CHECK(update_first("> x\n@ stage fallback\n@ skill a\n@ intent b\n", answered({})) ==
        "> x\n@ stage intent\n@ skill timer.parley\n@ intent set\n");
  CHECK(update_first("> x\n@ stage fallback\n@ skill a\n", Outcome()) == "> x\n@ unmatched\n");
  CHECK(update_first("> x\n@ unmatched\n", answered({})) == "> x\n@ intent timer.parley:set\n");
  Outcome failed = answered({});
  failed.error = "broken";
  CHECK(update_first("> x\n", failed) == "> x\n@ error\n");
  CHECK(update_first("> x\n@ error other\n", failed) == "> x\n@ error broken\n");
  CHECK(update_first("> x\n@ error\n", answered({})) == "> x\n");
}

TEST_CASE("dialogue: after an update the script is as expected") {
  for (const auto& outcome : {answered({}), answered({"a", "b*{c"}), Outcome()}) {
    const auto text = update_first("> x\n< one\n@ stage q\n@ unmatched\n", outcome);
    CAPTURE(text);
    CHECK(compare(turn(parsed(text)), outcome).empty());
  }
}

TEST_CASE("dialogue: an update keeps CRLF") {
  CHECK(update_first("> x\r\n< one\r\n", answered({"two"})) == "> x\r\n< two\r\n");
}

TEST_CASE("dialogue: a message is expected with all the fields that are named, and may have more") {
  Outcome outcome = answered({"one"});
  outcome.messages.emplace_back("pot.on", R"({"cups": 2, "size": {"unit": "ml", "value": 250}})");
  outcome.messages.emplace_back("pot.on", R"({"cups": 3, "size": {"unit": "ml", "value": 125}})");
  for (const auto* met :
       {"pot.on", "pot.on {}", R"(pot.on {"cups": 2})", R"(pot.on {"size": {"value": 125}})"}) {
    CAPTURE(met);
    CHECK(compare(turn(parsed(std::string("> x\n@ message ") + met + "\n")), outcome).empty());
  }
  const auto cups = compare(turn(parsed("> x\n@ message pot.on {\"cups\": 4}\n")), outcome);
  REQUIRE(cups.size() == 1);
  CHECK(cups[0].subject == "message");
  CHECK(cups[0].got == R"({"cups":3,"size":{"unit":"ml","value":125}})");
  const auto both = R"(pot.on {"cups": 2, "size": {"value": 125}})";  // of two messages
  CHECK(compare(turn(parsed(std::string("> x\n@ message ") + both + "\n")), outcome).size() == 1);
  CHECK(compare(turn(parsed("> x\n@ message pot.off\n")), outcome).front().got == "no such message");
  CHECK(topics_of(parsed("> x\n@ message pot.off\n@ wait 1s\n@ message pot.on {\"cups\": 4}\n")) ==
        std::set<std::string>{"pot.off", "pot.on"});
  CHECK(update_first("> x\n< one\n@ message pot.on {\"size\": {\"value\": 1}}\n@ message pot.off\n",
                     outcome) == "> x\n< one\n@ message pot.on {\"size\":{\"value\":125}}\n");
}

TEST_CASE("dialogue: what servers answer and what is drawn is given before the turn") {
  const auto dialogue = parsed(
      "~ GET https://a.test/b?c=d → 200 weather.json\n~ POST http://a.test/ -> 503\n@ random 7 0 12\n> a\n");
  REQUIRE(dialogue.steps.size() == 5);
  const auto& weather = std::get<GiveAnswer>(dialogue.steps[1].action);
  CHECK(weather.method == "GET");
  CHECK(weather.url == "https://a.test/b?c=d");
  CHECK(weather.status == 200);
  CHECK(weather.file == "weather.json");
  CHECK(std::get<GiveAnswer>(dialogue.steps[2].action).status == 503);
  CHECK(std::get<GiveAnswer>(dialogue.steps[2].action).file.empty());
  CHECK(std::get<SetRandom>(dialogue.steps[3].action).numbers == std::vector<std::size_t>{7, 0, 12});
}
