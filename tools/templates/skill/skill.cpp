#include <array>
#include <parley/skill.hpp>

namespace {

/// Says hello, to somebody by name when it is told who is there.
class MySkill final : public parley::Skill {
 public:
  // What the configuration may set under skills.settings.my_skill.example.
  static constexpr std::array kSettings{
      parley::Option::flag("asks_name", "false", "Ask who is there when nobody said so.")};

  void start() override { on_intent("greet", &MySkill::greet); }  // locale/<lang>/greet.intent

 private:
  parley::Task<> greet(parley::Turn turn) {
    auto name = turn.slot("name");
    if (!name && settings().flag("asks_name")) {
      if (auto answer = co_await turn.ask("who_is_there")) name = *answer;
    }
    if (name) co_return turn.speak_dialog("hello_name", {{"name", *name}});
    turn.speak_dialog("hello");  // locale/<lang>/hello.dialog
  }
};

}  // namespace

PARLEY_SKILL(MySkill, "my_skill.example")
