#include "intent_cases.hpp"

#include <doctest/doctest.h>

using namespace parley::command;

namespace {

IntentCase only(std::string_view text) {
  const IntentCases read = read_intent_cases("f", text);
  REQUIRE(read.problems.empty());
  REQUIRE(read.cases.size() == 1);
  return read.cases.front();
}

std::string problem(std::string_view text) {
  const IntentCases read = read_intent_cases("f", text);
  CHECK(read.cases.empty());
  REQUIRE(read.problems.size() == 1);
  return read.problems.front();
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

using Slots = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("intent cases: a case is an intent, its slots, and what is said") {
  const IntentCase one =
      only("\n# why\n  a.b:play {what=Rock, Pop, and Jazz , who = me} | play it | loud \r\n");
  CHECK(one.line == 3);
  CHECK(one.expected.intent == "a.b:play");
  CHECK(one.slots_matter);
  CHECK(one.expected.slots == Slots{{"what", "Rock, Pop, and Jazz"}, {"who", "me"}});
  CHECK(one.utterance == "play it | loud");
  CHECK(to_text(one.expected) == "a.b:play {what=Rock, Pop, and Jazz, who=me}");
}

TEST_CASE("intent cases: without braces the slots do not matter, with empty ones there must be none") {
  CHECK_FALSE(only("a:b | x").slots_matter);
  CHECK(only("a:b {} | x").slots_matter);
  CHECK(only("a:b {} | x").expected.slots.empty());
  CHECK(only("- | x").expected.intent.empty());
}

TEST_CASE("intent cases: a language holds until the next one") {
  const IntentCases read =
      read_intent_cases("f", "a:b | x\n@ lang de-DE\na:b | y\n- | z\n@lang fr-FR\n- | q");
  REQUIRE(read.cases.size() == 4);
  CHECK(read.cases[0].lang.empty());
  CHECK(read.cases[1].lang == "de-DE");
  CHECK(read.cases[2].lang == "de-DE");
  CHECK(read.cases[3].lang == "fr-FR");
}

TEST_CASE("intent cases: what can't be read is named with its place and what was expected") {
  CHECK(contains(problem("\nplay music"), "f:2: expected `skill:intent {slot=value} | what is said`"));
  CHECK(contains(problem("play | music"), "f:1: 'play' is no intent"));
  CHECK(contains(problem("a:b |  "), "nothing is said"));
  CHECK(contains(problem("a:b {x=1 | go"), "'{' is never closed"));
  CHECK(contains(problem("a:b {x} | go"), "'x' is no slot: expected slot=value"));
  CHECK(contains(problem("@ lang nonsense language"), "as in `@ lang de-DE`"));
  CHECK(contains(problem("- | \xff"), "UTF-8"));
}

TEST_CASE("intent cases: totals and confusions are counted, the most frequent first") {
  IntentTally tally;
  const IntentCase play = only("a:play {what=x} | play x");
  const IntentCase nobody = only("- | flurb");
  IntentOutcome right = play.expected;
  CHECK(tally.add(play, right).empty());
  CHECK(tally.all_good());
  right.slots["what"] = "y";
  CHECK(tally.add(play, right) == "    expected  a:play {what=x}\n    got       a:play {what=y}\n");
  CHECK(tally.add(play, IntentOutcome()) == "    expected  a:play {what=x}\n    got       -\n");
  CHECK_FALSE(tally.add(nobody, right).empty());
  CHECK_FALSE(tally.add(nobody, right).empty());
  CHECK_FALSE(tally.all_good());
  CHECK(tally.report(Paint(false)) ==
        "5 cases: 1 as expected, 3 with another intent, 1 with other slots\n"
        "\n"
        "EXPECTED      GOT     TIMES\n"
        "-         ->  a:play  2\n"
        "a:play    ->  -       1\n");
}
