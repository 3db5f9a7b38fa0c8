#include <chrono>
#include <parley/skill.hpp>

namespace {

constexpr std::chrono::hours kLong{24};

/// Swallows its cancellation, goes on talking, and waits again: it must not be heard, and the second wait
/// must not hold.
class HandlerIgnoresCancel final : public parley::Skill {
 public:
  void start() override { on_intent("go", &HandlerIgnoresCancel::go); }

 private:
  parley::Task<> go(parley::Turn turn) {
    turn.speak("One moment.");
    try {
      co_await turn.sleep(kLong);
    } catch (const parley::Cancelled&) {
      turn.speak("I'm not done.");
    }
    co_await turn.sleep(kLong);
    turn.speak("Now I'm done.");
  }
};

}  // namespace

PARLEY_SKILL(HandlerIgnoresCancel, SKILL_ID)
