// Sentences that two skills claim, as an author is told of them.
#include "app/collisions.hpp"

#include <doctest/doctest.h>

#include "support/end_to_end.hpp"

using namespace parley;
using namespace parley::testing;

namespace {

/// Two skills that both want "lights on".
struct Rivals : EndToEnd {
  Rivals() {
    locale("hall.test", "en-US/on.intent", "hall lights on\nlights on\n");
    locale("lamp.test", "en-US/on.intent", "# the usual one\nlights (on|out)\n");
    for (const char* id : {"hall.test", "lamp.test"}) {
      skill(id, [](LambdaSkill& skill) { skill.on_intent("on", does([](Turn&) {})); });
    }
    start();
  }
};

}  // namespace

TEST_CASE("T-0 collisions: the sentence is named, with the line of either side") {
  Rivals run;
  const Json report = collisions_of(run.assistant(), std::nullopt);
  CHECK(report.at("complete") == true);
  REQUIRE(report.at("collisions").size() == 1);
  const Json& one = report.at("collisions").at(0);
  CHECK(one.at("sentence") == "lights on");
  CHECK(one.at("tie") == true);
  CHECK(one.at("claims").at(0).at("skill_id") == "hall.test");
  CHECK(
      one.at("claims").at(0).at("place").get<std::string>().ends_with("hall.test/locale/en-US/on.intent:2"));
  CHECK(
      one.at("claims").at(1).at("place").get<std::string>().ends_with("lamp.test/locale/en-US/on.intent:2"));
  CHECK(run.say("lights on", session("s")).skill_id == "hall.test");  // as was foretold
}

TEST_CASE("T-0 collisions: a tie is a warning that names both places") {
  Rivals run;
  warn_of_collisions(run.assistant(), std::nullopt);
  CHECK(run.log.count("[intents] \"lights on\" (en-US) is claimed by hall.test:on (") == 1);
  CHECK(run.log.has("lamp.test/locale/en-US/on.intent:2)"));
}
