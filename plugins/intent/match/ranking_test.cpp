#include <doctest/doctest.h>

#include "match/test_support.hpp"

using namespace parley;
using namespace parley::intent;
using namespace parley::intent::test;

TEST_CASE_FIXTURE(IndexFixture, "T-0 ranking: fewest words in open slots come first") {
  add(template_intent("a", "any", {"play {what}"}));
  add(template_intent("z", "radio", {"play the radio {station}"}));
  add(template_intent("y", "exact", {"play the radio now"}));
  CHECK(winner("play the radio now") == "y:exact");
  CHECK(winner("play the radio one") == "z:radio");
  CHECK(winner("play the drums") == "a:any");
  const auto found = candidates("play the radio now");
  REQUIRE(found.size() == 3);
  CHECK(found[1].intent->skill_id == "z");
  CHECK(found[2].intent->skill_id == "a");
}

TEST_CASE_FIXTURE(IndexFixture, "T-0 ranking: with equally many open words, most literal words come first") {
  add(template_intent("a", "listed", {"play {song}"}));
  add(entity("a", "song", {"the radio"}));
  add(template_intent("z", "literal", {"play the radio"}));
  const auto found = candidates("play the radio");
  REQUIRE(found.size() == 2);
  CHECK(found[0].open_words == 0);
  CHECK(found[1].open_words == 0);
  CHECK(winner("play the radio") == "z:literal");
}

TEST_CASE_FIXTURE(IndexFixture, "T-0 ranking: a listed value beats an open slot") {
  add(template_intent("a", "open", {"play {what}"}));
  add(template_intent("z", "listed", {"play {song}"}));
  add(entity("z", "song", {"yesterday"}));
  CHECK(winner("play yesterday") == "z:listed");
  CHECK(winner("play tomorrow") == "a:open");
}

TEST_CASE_FIXTURE(IndexFixture, "T-0 ranking: a template comes before a keyword intent that covers as much") {
  add(keyword_intent("a", "keyword", {{"what time"}, {"is it"}}));
  add(template_intent("z", "template", {"what time is it"}));
  CHECK(winner("what time is it") == "z:template");
  CHECK(winner("tell me what time is it") == "a:keyword");
}

TEST_CASE_FIXTURE(
    IndexFixture,
    "X-2 ranking: of two alike that a context gates, the one whose context was set later wins; no "
    "context outranks none") {
  add(template_intent("b", "cancel", {"cancel it"}));
  add(template_intent("z", "cancel", {"cancel it"}));
  CHECK(winner("cancel it") == "b:cancel");
  policy.recent = {{"b", 2}, {"z", 4}};
  CHECK(winner("cancel it") == "z:cancel");
  policy.recent = {{"b", 4}, {"z", 2}};
  CHECK(winner("cancel it") == "b:cancel");
  policy.recent = {{"z", 4}};
  CHECK(winner("cancel it") == "b:cancel");
  add(keyword_intent("b", "drop", {{"drop"}}));
  add(keyword_intent("z", "drop", {{"drop"}}));
  policy.recent = {{"b", 2}, {"z", 4}};
  CHECK(winner("drop it") == "z:drop");
}

TEST_CASE_FIXTURE(IndexFixture, "T-0 ranking: words that no keyword covers count as open") {
  add(keyword_intent("a", "keyword", {{"timer"}}));
  add(template_intent("z", "template", {"set a timer for {time}"}));
  CHECK(winner("set a timer for five minutes") == "z:template");
  CHECK(winner("cancel my timer") == "a:keyword");
}

TEST_CASE_FIXTURE(
    IndexFixture,
    "ranking: of keyword intents the one that covers most wins, then the one with more keywords") {
  add(keyword_intent("a", "light", {{"light"}}));
  add(keyword_intent("z", "red", {{"light"}, {"red"}}));
  add(keyword_intent("y", "both", {{"red light"}}));
  CHECK(winner("a red light") == "z:red");
  CHECK(winner("a green light") == "a:light");
}

TEST_CASE_FIXTURE(IndexFixture,
                  "T-0 ranking: what is equal otherwise goes by skill, then by name, whoever came first") {
  add(template_intent("b", "one", {"good morning"}));
  add(template_intent("a", "two", {"good morning"}));
  add(template_intent("a", "one", {"good morning"}));
  CHECK(winner("good morning") == "a:one");
  policy.disabled = {"one"};
  CHECK(winner("good morning") == "a:two");
}

TEST_CASE_FIXTURE(IndexFixture, "ranking: of an intent's templates the best reading counts") {
  add(template_intent("a", "play", {"{verb} yesterday now", "play {song} [now]"}));
  const auto found = candidates("play yesterday now");
  REQUIRE(found.size() == 1);
  CHECK(found.front().open_words == 1);
  CHECK(found.front().literal_words == 2);
}

TEST_CASE_FIXTURE(IndexFixture, "U-3 ranking: a vetoed candidate stands behind all others, with its reason") {
  add(template_intent("a", "exact", {"play music"}));
  add(template_intent("z", "open", {"play {what}"}));
  policy.disabled = {"exact"};
  const auto found = candidates("play music");
  REQUIRE(found.size() == 2);
  CHECK(found[0].intent->skill_id == "z");
  CHECK_FALSE(found[0].veto);
  CHECK(found[1].veto.kind == Veto::Kind::kDisabled);
}
