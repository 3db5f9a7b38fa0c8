#include <array>
#include <parley/skill.hpp>
#include <string>

namespace {

using namespace std::chrono_literals;
using parley::Option;

/// A skill of somebody else with settings: says what it was told.
class Options final : public parley::Skill {
 public:
  static constexpr const char* kAbout = "Says what it was told.";
  static constexpr std::array kSettings{
      Option::integer("cups", "4", 1, 20, "How many cups a pot holds."),
      Option::duration("warm", "30min", 1s, 24h, "How long it is kept warm.")};

  void start() override { on_intent("go", &Options::go); }

 private:
  parley::Task<> go(parley::Turn turn) {
    turn.speak(std::to_string(settings().integer("cups")) + " cups, " +
               std::to_string(settings().duration("warm").count()) + " ms");
    co_return;
  }
};

}  // namespace

PARLEY_SKILL(Options, SKILL_ID)
