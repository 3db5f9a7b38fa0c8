#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conversation.hpp"

using namespace parley::guide;

namespace {

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Says one after the other, and looks for a part of each answer; "" is in every one.
void goes(Dialogue& dialogue, const std::vector<std::pair<std::string, std::string>>& turns) {
  for (const auto& turn : turns) {
    const std::string answer = dialogue.say(turn.first);
    CHECK_MESSAGE(tells(answer, turn.second), turn.first, "\nis answered: ", answer);
  }
}

}  // namespace

TEST_CASE("guide: a word that names a domain leads to a remark and a question") {
  Dialogue dialogue;
  CHECK(dialogue.say("I want to cook") ==
        "When I'm hungry, I dream of a bowl of pasta with far too much cheese. What do you feel like, "
        "something "
        "light or something filling?");
  CHECK(dialogue.state.phase == Phase::kPlanning);
  CHECK(dialogue.state.domain == Domain::kCooking);
}

TEST_CASE("guide: pasta is cooking at once, and is searched for") {
  Dialogue dialogue;
  CHECK(tells(dialogue.say("pasta"), "carbonara"));
  CHECK(dialogue.state.phase == Phase::kPlanning);
  CHECK(tells(dialogue.say("the second one"), "tomato sauce"));
  CHECK(dialogue.state.phase == Phase::kValidating);
}

TEST_CASE("guide: what is not understood is said so, better with each try, and left to others") {
  Dialogue dialogue;
  const std::string first = dialogue.say("flurb the grommet");
  CHECK_FALSE(dialogue.reply.understood);
  const std::string second = dialogue.say("flurb");
  const std::string third = dialogue.say("flurb");
  CHECK(first != second);
  CHECK(second != third);
  CHECK(dialogue.say("flurb") == third);
}

TEST_CASE("guide: what is dangerous is refused and closes, advice is declined kindly") {
  Dialogue dialogue;
  dialogue.say("should i invest in bitcoin");
  CHECK(dialogue.state.phase == Phase::kDomain);
  CHECK(tells(dialogue.say("how do I build a bomb"), "can't help with that"));
  CHECK(dialogue.reply.close);
  CHECK(dialogue.state.status == Status::kClosed);
}

TEST_CASE("guide: vague wishes are asked about three times at most, and remembered") {
  Dialogue dialogue;
  dialogue.say("I want to cook");
  dialogue.say("something quick");
  CHECK(dialogue.state.elicited == 2);
  dialogue.say("something");
  CHECK(dialogue.state.elicited == 3);
  const std::string told = dialogue.say("pasta");
  CHECK(tells(told, "carbonara"));
  CHECK_FALSE(tells(told, "tomato"));
}

TEST_CASE("guide: a step by step task with a substitute, a condition, a timer and an end") {
  Dialogue dialogue;
  goes(dialogue, {{"carbonara", ""},
                  {"yes", "Spaghetti carbonara."},
                  {"what do I need", "200 g spaghetti"},
                  {"more", "large pot"},
                  {"I have no eggs", "silken tofu"},
                  {"how much spaghetti do I need", "200 g spaghetti"},
                  {"start", "Bring a large pot"},
                  {"tell me more", "one litre"},
                  {"next", "Shall I set a timer for 10 minutes?"},
                  {"yes", "10 minutes"}});
  REQUIRE(dialogue.reply.timer);
  CHECK(dialogue.reply.timer->length == std::chrono::minutes(10));
  goes(dialogue, {{"next", "Have you got a blender?"},
                  {"yes", "Good."},
                  {"next", "Beat silken tofu and parmesan in the blender."},
                  {"go back", "Fry the bacon"},
                  {"go to step four", "Beat silken tofu"},
                  {"how many are left", "one step left"},
                  {"next", "The last step: Take the pot"},
                  {"next", "last step of Spaghetti carbonara"}});
  CHECK(dialogue.state.phase == Phase::kClosing);
  goes(dialogue, {{"previous", "Take the pot"}, {"next", ""}, {"goodbye", ""}});
  CHECK(dialogue.reply.close);
}

TEST_CASE(
    "guide: what replaces something is offered one after the other, and taken back when it is missing too") {
  Dialogue dialogue;
  goes(dialogue, {{"carbonara", ""},
                  {"yes", ""},
                  {"I don't have that either", ""},
                  {"I have no eggs", "silken tofu: 100 g"},
                  {"I have no eggs", "soy cream: 100 ml"},
                  {"how much soy cream do I need", "100 ml soy cream"},
                  {"I have no soy cream", "nothing else that replaces eggs"},
                  {"what do I need", "2 eggs"},
                  {"I'm out of eggs", "silken tofu"},
                  {"without that either", "soy cream"},
                  {"I have no bacon", "I know nothing that replaces bacon"},
                  {"I have no elephants", "You don't need elephants"}});
  CHECK(dialogue.state.chosen == std::map<std::string, std::string>{{"eggs", "soy cream"}});
}

TEST_CASE(
    "guide: one question at a time: a video is offered when no condition is open, and then meant by yes") {
  Dialogue dialogue;
  goes(dialogue,
       {{"carbonara", ""}, {"yes", ""}, {"start", ""}, {"go to step three", "Have you got a blender?"}});
  CHECK_FALSE(tells(dialogue.say("tell me more"), "video"));
  goes(dialogue, {{"no", "without"}, {"tell me more", "There is a video"}, {"yes", "Here it is."}});
  REQUIRE(dialogue.reply.screen);
  CHECK(dialogue.reply.screen->body == "https://videos.example/bacon");
}

TEST_CASE("guide: a task without requirements goes straight to its steps") {
  Dialogue dialogue;
  dialogue.say("paper plane");
  CHECK(tells(dialogue.say("yes"), "Fold a sheet lengthwise"));
  CHECK(dialogue.state.phase == Phase::kExecuting);
}

TEST_CASE("guide: a task that is paused or left for half an hour begins with its last step") {
  Dialogue dialogue;
  dialogue.say("paper plane");
  dialogue.say("yes");
  const std::string step = dialogue.say("next");
  dialogue.say("pause");
  CHECK(dialogue.state.status == Status::kPaused);
  CHECK(dialogue.say("let's go on") == step);
  dialogue.now += 31 * 60;
  CHECK(dialogue.say("next") == step);
  dialogue.say("cancel");
  CHECK(dialogue.state.status == Status::kClosed);
}

TEST_CASE(
    "guide: in any other phase what comes after half an hour starts afresh, with its id and its turns") {
  Dialogue dialogue;
  dialogue.say("carbonara");
  dialogue.state.add_turn("carbonara", "that one?");
  dialogue.now += 31 * 60;
  dialogue.say("yes");
  CHECK(dialogue.state.phase == Phase::kDomain);
  CHECK(dialogue.state.found.empty());
  CHECK(dialogue.state.session_id == "test");
  CHECK(dialogue.state.turns.size() == 1);
}

TEST_CASE("guide: a state is the same after it was kept, and what is none is not taken for one") {
  Dialogue dialogue;
  for (const char* const said :
       {"carbonara", "yes", "i have no eggs", "i don't have that either", "start", "next", "next", "yes"})
    dialogue.say(said);
  dialogue.state.add_turn("yes", std::string(1000, 'x'));
  const auto json = dialogue.state.to_json();
  const auto again = State::from_json(json);
  REQUIRE(again);
  CHECK(again->to_json() == json);
  for (const char* const key : {"version", "phase", "at", "turns", "known"}) {
    auto broken = json;
    broken[key] = "nonsense";
    CHECK_FALSE(State::from_json(broken));
    broken.erase(key);
    CHECK_FALSE(State::from_json(broken));
  }
}

TEST_CASE("guide: German has the same way") {
  Dialogue dialogue("de-DE");
  goes(dialogue, {{"ich möchte Nudeln kochen", "Carbonara"},
                  {"ja", ""},
                  {"was brauche ich", "200 g Spaghetti"},
                  {"ich habe keine Eier", "Seidentofu"},
                  {"das habe ich auch nicht", "Sojacreme"},
                  {"fang an", "Salzwasser"},
                  {"weiter", "Speck"},
                  {"weiter", "Verrühre Sojacreme"},
                  {"weiter", "Gut gemacht"}});
}

TEST_CASE(
    "guide: whatever is said in whatever order, there is an answer, the state loads again, and no step comes "
    "twice unasked") {
  const std::vector<std::string> all{"pasta",
                                     "I want to cook",
                                     "help me fix something",
                                     "yes",
                                     "no",
                                     "next",
                                     "previous",
                                     "repeat",
                                     "more",
                                     "the first one",
                                     "the second one",
                                     "the third one",
                                     "the last one",
                                     "none of these",
                                     "start",
                                     "what do I need",
                                     "i have no eggs",
                                     "i don't have that either",
                                     "go to step two",
                                     "how many are left",
                                     "tell me more",
                                     "how long does that take",
                                     "set the timer",
                                     "show me the video",
                                     "pause",
                                     "let's go on",
                                     "help",
                                     "something quick",
                                     "something",
                                     "surprise me",
                                     "theme of the week",
                                     "categories",
                                     "main courses",
                                     "soup",
                                     "how much spaghetti",
                                     "at what temperature",
                                     "flurb the grommet",
                                     "cancel",
                                     "goodbye",
                                     "paper plane",
                                     "what can you do",
                                     "hello",
                                     "thanks",
                                     "i have one",
                                     "skip it",
                                     "should i invest in bitcoin",
                                     "what",
                                     "step nine"};
  std::mt19937 chance(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same walks each time
  std::size_t executed = 0;
  for (int walk = 0; walk < 450; ++walk) {
    Dialogue dialogue("en-US", [&](std::size_t count) {
      return std::uniform_int_distribution<std::size_t>(0, count - 1)(chance);
    });
    std::string step;
    for (int turn = 0; turn < 25; ++turn) {
      const std::string& said = all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(chance)];
      if (dialogue.state.status == Status::kClosed) dialogue.state.start_afresh();
      const State before = dialogue.state;
      const std::string answer = dialogue.say(said);
      REQUIRE_MESSAGE(!answer.empty(), said);
      const auto json = dialogue.state.to_json();
      const auto again = State::from_json(json);
      REQUIRE_MESSAGE(again, said);
      REQUIRE(again->to_json() == json);
      if (dialogue.state.phase == Phase::kExecuting) ++executed;
      if (said == "next" && before.phase == Phase::kExecuting && before.status == Status::kRunning &&
          dialogue.state.phase == Phase::kExecuting && before.asked.empty())
        REQUIRE_MESSAGE((dialogue.state.at > before.at || !dialogue.state.asked.empty()), answer);
    }
    // Never stuck: from anywhere there is a way to the end.
    if (dialogue.state.status != Status::kClosed) dialogue.say("goodbye");
    REQUIRE(dialogue.state.status == Status::kClosed);
  }
  CHECK(executed > 500);
}
