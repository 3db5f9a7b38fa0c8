// The skill as a whole, over an end of the process.
#include <chrono>
#include <fstream>

#include "test_guide_run.hpp"

using namespace parley::guide;
using namespace std::chrono_literals;
using parley::testing::contains;

TEST_CASE("guide: after a restart the task goes on where it was, and \"let's go on\" repeats its last step") {
  GuideRun kept;
  kept.say("carbonara");
  kept.say("yes");
  kept.say("I have no eggs");
  kept.say("start");
  kept.say("next");
  const std::string step = kept.say("next");
  CHECK(contains(step, "Step 3: Fry the bacon until it is crisp."));
  kept.restart();
  CHECK(kept.say("let's go on") == step);
  kept.restart(24h);
  CHECK(kept.say("let's go on") == step);
  CHECK(contains(kept.say("yes"), "Good."));
  kept.restart();
  CHECK(contains(kept.say("next"), "Beat silken tofu and parmesan in the blender."));
  CHECK(kept.say("what time is it") != "");
  CHECK(contains(kept.say("next"), "The last step"));
}

TEST_CASE("guide: the next day the task goes on in another session of its owner") {
  GuideRun kept;
  kept.say("paper plane");
  kept.say("yes");
  const std::string step = kept.say("next");
  kept.restart(24h);
  CHECK(kept.say("let's go on", "kitchen") == step);
  CHECK(contains(kept.say("next", "kitchen"), "The last step"));
}

TEST_CASE("guide: in any other phase \"let's go on\" starts afresh after a restart; answers are understood") {
  GuideRun kept;
  kept.say("something with pasta");
  kept.restart();
  CHECK(contains(kept.say("the second one"), "Pasta with tomato sauce"));
  kept.restart();
  CHECK(contains(kept.say("what do I need"), "400 g penne"));
  kept.restart();
  CHECK(kept.say("let's go on") == "Would you like to cook or to fix something?");
  CHECK_FALSE(contains(kept.say("what do I need"), "penne"));
}

TEST_CASE("guide: the timer that a step offered rings after a restart") {
  GuideRun kept;
  for (const char* const said : {"carbonara", "yes", "start", "next"}) kept.say(said);
  CHECK(kept.say("yes") == "I'm setting a timer for 10 minutes.");
  kept.wait(1min);
  kept.restart(2min);
  CHECK(kept.turn("how long is left on the timer").skill_id == "timer.parley");
  CHECK_FALSE(kept.heard("time is up"));
  kept.wait(8min);
  CHECK(kept.heard("time is up"));
  CHECK(contains(kept.say("next"), "Step 3"));
}

TEST_CASE("guide: sixty turns through all phases, with a restart in the middle") {
  GuideRun kept;
  std::ifstream file(PARLEY_GUIDE_FOLDER "/tests/sixty_turns.txt");
  std::string answer;
  int turns = 0, restarts = 0, number = 0;
  for (std::string line; std::getline(file, line);) {
    CAPTURE(++number);
    if (line.starts_with("> ")) {
      CAPTURE(line);
      answer = kept.say(line.substr(2));
      CHECK(!answer.empty());
      ++turns;
    } else if (line.starts_with("< ")) {
      CHECK_MESSAGE(fits(answer, line.substr(2)), line, "\nbut was: ", answer);
    } else if (line == "@ restart") {
      kept.restart();
      ++restarts;
    } else if (line == "@ restart the next day") {
      kept.restart(24h);
      ++restarts;
    } else {
      CHECK_MESSAGE((line.empty() || line.starts_with("#")), line);
    }
  }
  CHECK(turns >= 60);
  CHECK(restarts == 2);
}
