#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <parley/skill.hpp>
#include <stdexcept>
#include <string>

namespace {

/// Blocks its thread in opening the FIFO of its setting `gate` until the other end is opened for writing.
/// Says `handler_blocks.test.blocking` on the bus before that.
class HandlerBlocks final : public parley::Skill {
 public:
  static constexpr std::array kSettings{parley::Option::text("gate", "", "A FIFO to wait at.")};

  void start() override { on_intent("go", &HandlerBlocks::go); }

 private:
  parley::Task<> go(parley::Turn turn) {
    turn.emit("handler_blocks.test.blocking", parley::Json::object());
    const int gate = open(settings().text("gate").c_str(), O_RDONLY | O_CLOEXEC);
    if (gate < 0) throw std::runtime_error("the setting 'gate' names no FIFO: " + settings().text("gate"));
    close(gate);
    turn.speak("The gate is open.");
    co_return;
  }
};

}  // namespace

PARLEY_SKILL(HandlerBlocks, SKILL_ID)
