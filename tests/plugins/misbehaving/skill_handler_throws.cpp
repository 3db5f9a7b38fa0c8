#include <parley/skill.hpp>
#include <stdexcept>

namespace {

/// Its type and its destructor are code of the plugin.
class Spilled final : public std::runtime_error {
 public:
  Spilled() : std::runtime_error("spilled the coffee") {}
};

class HandlerThrows final : public parley::Skill {
 public:
  void start() override { on_intent("go", &HandlerThrows::go); }

 private:
  parley::Task<> go(parley::Turn turn) {
    turn.speak("Here it comes.");
    if (turn.cancelled()) co_return;
    throw Spilled();
  }
};

}  // namespace

PARLEY_SKILL(HandlerThrows, SKILL_ID)
