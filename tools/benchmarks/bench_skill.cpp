#include "bench_skill.hpp"

namespace parley::bench {
namespace {

class BenchSkill final : public Skill {
 public:
  void start() override {
    on_intent("greet", &BenchSkill::greet);
    on_intent("ask", &BenchSkill::ask);
  }

 private:
  Task<> greet(Turn turn) {
    turn.speak_dialog("greeting");
    co_return;
  }
  Task<> ask(Turn turn) {
    AskOptions patient;
    patient.timeout = std::chrono::hours(1);
    const auto wish = co_await turn.ask("what", Slots(), patient);
    turn.speak(wish ? *wish : std::string("nothing"));
  }
};

/// Was active lately, and takes nothing of what is said.
class Listener final : public Skill {
 public:
  void start() override {
    on_converse([](const Query&) { return ConverseAnswer(false); }, [](Turn) -> Task<> { co_return; });
  }
};

}  // namespace

std::unique_ptr<Skill> make_bench_skill() {
  return std::make_unique<BenchSkill>();
}

std::unique_ptr<Skill> make_listener() {
  return std::make_unique<Listener>();
}

std::filesystem::path bench_skill_folder() {
  return PARLEY_BENCH_SKILL;
}

}  // namespace parley::bench
