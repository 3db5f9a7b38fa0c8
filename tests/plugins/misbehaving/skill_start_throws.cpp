#include <parley/skill.hpp>
#include <stdexcept>

namespace {

/// Throws when half of it is registered already.
class StartThrows final : public parley::Skill {
 public:
  void start() override {
    on_intent("go", [](parley::Turn turn) -> parley::Task<> {
      turn.speak("This must not be heard.");
      co_return;
    });
    throw std::runtime_error("the coffee machine is not plugged in");
  }
};

}  // namespace

PARLEY_SKILL(StartThrows, SKILL_ID)
