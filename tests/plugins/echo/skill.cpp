#include <parley/skill.hpp>

namespace {

/// Says what it is told to say.
class Echo final : public parley::Skill {
 public:
  void start() override { on_intent("say", &Echo::say); }

 private:
  parley::Task<> say(parley::Turn turn) {
    turn.speak_dialog("said", turn.slots());
    co_return;
  }
};

}  // namespace

PARLEY_SKILL(Echo, SKILL_ID)
