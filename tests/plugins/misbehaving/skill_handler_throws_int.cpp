#include <parley/skill.hpp>

namespace {

class HandlerThrowsInt final : public parley::Skill {
 public:
  void start() override { on_intent("go", &HandlerThrowsInt::go); }

 private:
  /// No coroutine: throws before there is anything to await.
  parley::Task<> go(parley::Turn /*turn*/) { throw 42; }
};

}  // namespace

PARLEY_SKILL(HandlerThrowsInt, SKILL_ID)
