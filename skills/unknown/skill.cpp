#include <parley/skill.hpp>

namespace parley {
namespace {

/// Answers whatever nobody else does, so that nothing said goes without a word.
class Unknown final : public Skill {
 public:
  void start() override { on_fallback(100, &Unknown::always, &Unknown::admit); }

 private:
  bool always(const Query&) { return true; }

  Task<> admit(Turn turn) {
    turn.not_understood();
    turn.speak_dialog("unknown");
    co_return;
  }
};

}  // namespace
}  // namespace parley

PARLEY_SKILL(parley::Unknown, "unknown.parley")
