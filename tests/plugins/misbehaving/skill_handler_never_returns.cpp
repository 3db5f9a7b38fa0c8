#include <chrono>
#include <parley/skill.hpp>

namespace {

class HandlerNeverReturns final : public parley::Skill {
 public:
  void start() override { on_intent("go", &HandlerNeverReturns::go); }

 private:
  parley::Task<> go(parley::Turn turn) {
    turn.speak("One moment.");
    for (;;) co_await turn.sleep(std::chrono::hours(24));
  }
};

}  // namespace

PARLEY_SKILL(HandlerNeverReturns, SKILL_ID)
