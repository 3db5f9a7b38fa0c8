#include "bench_skill.hpp"

namespace parley::bench {
namespace {

class BenchSkill final : public Skill {
 public:
  void start() override { on_intent("greet", &BenchSkill::greet); }

 private:
  Task<> greet(Turn turn) {
    turn.speak_dialog("greeting");
    co_return;
  }
};

}  // namespace

std::unique_ptr<Skill> make_bench_skill() {
  return std::make_unique<BenchSkill>();
}

std::filesystem::path bench_skill_folder() {
  return PARLEY_BENCH_SKILL;
}

}  // namespace parley::bench
