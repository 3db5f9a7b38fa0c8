#include <parley/skill.hpp>
#include <string>

namespace {

const char* const kVersion = VERSION;

/// One of several versions of a skill: what each says names it, and each has an intent that no other has.
class Versions final : public parley::Skill {
 public:
  void start() override {
    on_intent("which", [](parley::Turn turn) -> parley::Task<> {
      turn.speak(std::string("version ") + kVersion);
      co_return;
    });
    on_intent("ask", &Versions::ask);
    on_intent(std::string("only_") + kVersion, [](parley::Turn turn) -> parley::Task<> {
      turn.speak(std::string("only in ") + kVersion);
      co_return;
    });
    on_event("test.shout", [](const parley::Message&) {});
    if (std::string(kVersion) == "one")
      on_fallback(
          50, [](const parley::Query&) { return true; },
          [](parley::Turn turn) -> parley::Task<> {
            turn.speak("whatever");
            co_return;
          });
  }

 private:
  parley::Task<> ask(parley::Turn turn) {
    parley::AskOptions patient;
    patient.retries = 0;
    const auto name = co_await turn.ask("who", parley::Slots(), patient);
    turn.speak(std::string(kVersion) + (name ? " hears " + *name : " hears nothing"));
  }
};

}  // namespace

PARLEY_SKILL(Versions, "versions.test")
