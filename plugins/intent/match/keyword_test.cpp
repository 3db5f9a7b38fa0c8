#include <doctest/doctest.h>

#include "match/test_support.hpp"

using namespace parley;
using namespace parley::intent;
using namespace parley::intent::test;

namespace {

KeywordIntent& keywords(IntentRegistration& intent) {
  return std::get<KeywordIntent>(intent.pattern);
}

}  // namespace

TEST_CASE_FIXTURE(IndexFixture, "R-4 keywords: every required vocabulary has to occur, in any order") {
  add(keyword_intent("lamp", "on", {{"light", "lamp"}, {"turn on", "switch on"}}));
  CHECK(winner("turn on the light") == "lamp:on");
  CHECK(winner("the lamp, please switch on!") == "lamp:on");
  CHECK(winner("turn the light on") == "-");
  CHECK(winner("light") == "-");
  CHECK(winner("turn on the lights") == "-");
}

TEST_CASE_FIXTURE(IndexFixture, "R-4 keywords: one of each group suffices, several bind") {
  auto intent = keyword_intent("volume", "change", {{"volume"}});
  keywords(intent).one_of = {vocabularies({{"up", "louder"}, {"down"}}), vocabularies({{"now"}, {"later"}})};
  add(intent);
  CHECK(winner("volume up now") == "volume:change");
  CHECK(slots("volume LOUDER later") == Slots{{"volume", "volume"}, {"up", "LOUDER"}, {"later", "later"}});
  CHECK(slots("volume up and down later").size() == 4);
  CHECK(winner("volume up") == "-");
  CHECK(winner("volume now") == "-");
  CHECK(winner("up now") == "-");
}

TEST_CASE_FIXTURE(IndexFixture, "R-4 keywords: a group alone is enough of a constraint") {
  auto intent = keyword_intent("greeter", "hello", {});
  keywords(intent).one_of = {vocabularies({{"hello"}, {"good morning"}})};
  add(intent);
  CHECK(winner("good morning everybody") == "greeter:hello");
  CHECK(winner("good evening") == "-");
}

TEST_CASE_FIXTURE(IndexFixture, "R-4 keywords: optional ones bind, excluded ones veto") {
  auto intent = keyword_intent("lamp", "on", {{"light"}});
  keywords(intent).optional = vocabularies({{"kitchen", "living room"}});
  keywords(intent).excluded = vocabularies({{"how", "why"}});
  add(intent);
  CHECK(slots("light in the Living Room") == Slots{{"light", "light"}, {"kitchen", "Living Room"}});
  CHECK(winner("kitchen") == "-");
  const auto found = candidates("why is the light off");
  REQUIRE(found.size() == 1);
  CHECK(found.front().veto.kind == Veto::Kind::kExcluded);
  CHECK(to_text(found.front().veto) == "excluded vocabulary 'how' occurs");
}

TEST_CASE_FIXTURE(IndexFixture, "keywords: a vocabulary binds its longest phrase, then its first") {
  add(keyword_intent("alarm", "set", {{"set", "set [up] an alarm"}}));
  CHECK(slots("set it: Set up an ALARM") == Slots{{"set", "Set up an ALARM"}});
  add(keyword_intent("bell", "ring", {{"ring"}}));
  const auto found = candidates("ring the ring");
  REQUIRE(found.size() == 1);
  CHECK(found.front().bound == std::vector{Bound("ring", 0, 1, true)});
  CHECK(found.front().literal_words == 2);
}

TEST_CASE_FIXTURE(IndexFixture, "keywords: samples are templates") {
  add(keyword_intent("lamp", "on", {{"(turn|switch) [it] on"}, {"light[s]"}}));
  CHECK(winner("switch it on, the lights") == "lamp:on");
  CHECK(winner("turn on light") == "lamp:on");
}

TEST_CASE_FIXTURE(IndexFixture, "keywords: counters start afresh with every utterance") {
  add(keyword_intent("lamp", "on", {{"light"}, {"on"}}));
  CHECK(winner("light") == "-");
  CHECK(winner("on") == "-");
  CHECK(winner("light on") == "lamp:on");
  CHECK(winner("light") == "-");
}

TEST_CASE_FIXTURE(IndexFixture,
                  "U-3 keywords: a required slot is a vocabulary that occurs or comes from the context") {
  auto intent = keyword_intent("lamp", "on", {{"light"}});
  keywords(intent).optional = vocabularies({{"kitchen"}});
  intent.required_slots = {"kitchen"};
  add(intent);
  CHECK(veto("light") == Veto::Kind::kSlotMissing);
  CHECK(winner("kitchen light") == "lamp:on");
  policy.context["kitchen"] = "cellar";
  CHECK(slots("light") == Slots{{"light", "light"}, {"kitchen", "cellar"}});
}

TEST_CASE_FIXTURE(IndexFixture, "keywords: one skill's vocabulary does not meet another's constraint") {
  add(keyword_intent("lamp", "on", {{"light"}, {"on"}}));
  add(keyword_intent("music", "on", {{"music"}, {"on"}}));
  CHECK(candidates("music on").size() == 1);
  CHECK(winner("music on") == "music:on");
  CHECK(candidates("music light").empty());
}
