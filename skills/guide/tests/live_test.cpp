#include <doctest/doctest.h>

#include <string>

#include "conversation.hpp"

using namespace parley::guide;

namespace {

/// What is meant by what is said where a dialogue is; empty: nothing.
std::string meant(Dialogue& dialogue, const std::string& said, Talk::Beside beside) {
  const auto heard = dialogue.talk.hear_live(dialogue.state, said, dialogue.lang, dialogue.now, beside);
  return heard ? heard->meanings.front().name : std::string();
}

}  // namespace

TEST_CASE("guide: what is offered is asked about and begun in whatever words") {
  Dialogue dialogue;
  dialogue.say("carbonara");
  constexpr auto kPlain = Talk::Beside::kNothing;
  CHECK(meant(dialogue, "okay then, with the carbonara, first step", kPlain) == "begin");
  CHECK(meant(dialogue, "alright now start with that carbonara please", kPlain) == "begin");
  CHECK(meant(dialogue, "so what goes in it then", kPlain) == "requirements");
  CHECK(meant(dialogue, "and how many eggs was that again", kPlain) == "amount");
  CHECK(meant(dialogue, "next", kPlain) == "begin");
  const Heard begun =
      *dialogue.talk.hear_live(dialogue.state, "now the first step", dialogue.lang, dialogue.now, kPlain);
  const Outcome outcome = route(dialogue.state, begun, dialogue.talk.world(dialogue.lang, dialogue.now));
  CHECK(outcome.state.phase == Phase::kExecuting);
}

TEST_CASE("guide: what is of other matters is left to others while a step is told") {
  Dialogue dialogue;
  dialogue.say("carbonara");
  dialogue.say("yes");
  dialogue.say("start");
  constexpr auto kStory = Talk::Beside::kStory;
  CHECK(meant(dialogue, "the dog barked, what was the step again", kStory) == "repeat");
  CHECK(meant(dialogue, "in which step of the carbonara am i", kStory) == "where");
  CHECK(meant(dialogue, "the next episode of my series", kStory).empty());
  CHECK(meant(dialogue, "my sister asked what was our door code again", kStory).empty());
  CHECK(meant(dialogue, "how much is left for the spaghetti", kStory).empty());
  CHECK(meant(dialogue, "what do eggs cost, how many", kStory).empty());
}

TEST_CASE("guide: the word alone that others stop by ends nothing") {
  Dialogue dialogue;
  dialogue.say("carbonara");
  const auto ends = [&](const std::string& said) {
    return dialogue.talk.means_to_end(dialogue.state, said, dialogue.lang, dialogue.now);
  };
  CHECK(ends("stop"));
  CHECK(ends("okay stop now please"));
  CHECK_FALSE(ends("billy stop licking your fingers"));
  CHECK_FALSE(ends("stop the music"));
}

TEST_CASE("guide: a thing that is lacking is found in more words than its name") {
  Dialogue dialogue;
  dialogue.say("carbonara");
  dialogue.say("yes");
  const std::string told = dialogue.say("we've got no eggs what can we use now");
  CHECK_MESSAGE(told.find("silken tofu") != std::string::npos, told);
  dialogue.say("we've got no idea what you're saying today");
  CHECK_FALSE(dialogue.reply.understood);
}
