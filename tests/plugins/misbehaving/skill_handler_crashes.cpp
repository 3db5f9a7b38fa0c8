#include <cstdlib>
#include <parley/skill.hpp>
#include <string>

namespace {

/// Goes deeper until the stack is full, with a frame that nobody can optimise away.
int fall(volatile char* above, int depth) {
  volatile char here[4096];  // NOLINT(cppcoreguidelines-avoid-c-arrays): what a stack is made of
  here[0] = above == nullptr ? 'x' : *above;
  return depth < 0 ? here[0] : fall(here, depth + 1) + here[0];
}

/// Ends the process in the way it was told to: "go handler crashes by abort".
class HandlerCrashes final : public parley::Skill {
 public:
  void start() override { on_intent("go", &HandlerCrashes::go); }

 private:
  parley::Task<> go(parley::Turn turn) {
    const std::string how = turn.slot("how").value_or("");
    co_await turn.sleep(std::chrono::milliseconds(5));  // so that it is resumed by somebody else
    if (how == "abort") std::abort();
    if (how == "null") *null_ = 1;
    if (how == "exit") {
      std::atexit([] { std::_Exit(3); });  // whoever listens to it must do so before
      std::exit(0);                        // NOLINT(concurrency-mt-unsafe): what it is for
    }
    if (how == "overflow") turn.speak(std::to_string(fall(nullptr, 0)));
  }

  int* volatile null_ = nullptr;
};

}  // namespace

PARLEY_SKILL(HandlerCrashes, SKILL_ID)
