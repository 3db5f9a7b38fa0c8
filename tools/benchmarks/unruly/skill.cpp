#include <unistd.h>

#include <csignal>
#include <parley/skill.hpp>
#include <string>
#include <vector>

namespace {

/// Answers as a rule, and now and then does what no skill should.
class Unruly final : public parley::Skill {
 public:
  void start() override { on_intent("go", &Unruly::go); }

 private:
  parley::Task<> go(parley::Turn turn) {
    const std::size_t drawn = random(10'000);
    if (drawn < 3) hang();
    if (drawn < 200) std::raise(SIGSEGV);
    if (drawn < 700) eat();
    if (drawn < 1'200) multiply();
    turn.speak("That went well.");
    co_return;
  }

  [[noreturn]] static void hang() {
    for (;;) pause();
  }
  /// Until there is no more.
  static void eat() {
    constexpr std::size_t kBite = std::size_t{8} << 20U;
    std::vector<std::vector<char>> eaten;
    for (;;) eaten.emplace_back(kBite, 'x');
  }
  static void multiply() {
    for (int i = 0; i < 100; ++i)
      if (fork() == 0) hang();
  }
};

}  // namespace

PARLEY_SKILL(Unruly, "unruly.bench")
