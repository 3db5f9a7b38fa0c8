#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parley::testing {

/// What happens to an assistant from outside.
enum class Act {
  kSay,         ///< An utterance; what stages and skills make of it follows from the step's dice.
  kStop,        ///< "stop" or "stop everything".
  kAnswer,      ///< What one says when asked.
  kCommand,     ///< What a skill takes word for word, whoever has asked something.
  kPass,        ///< Time.
  kSetClock,    ///< The wall clock is set, forwards or back.
  kConnect,     ///< A remote skill comes…
  kDisconnect,  ///< …and goes, in the midst of whatever it does.
  kRegister,
  kWithdraw,
  kSync,         ///< `ovos.session.sync` of a client.
  kStopMessage,  ///< `ovos.stop`, as somebody puts it on the bus.
  kSpeakLate,    ///< A skill speaks in a turn it has kept.
  kNonsense,     ///< An utterance without words, with an id in use, or with a session that is none.
};

struct Step {
  Step(Act what, std::uint64_t number) : act(what), dice(number) {}
  Act act;
  std::uint64_t dice;  ///< All that is random about it, so that it stays itself when others are left out.
};

using Program = std::vector<Step>;

Program program_of(std::uint64_t seed);
std::string to_string(const Program& program);

/// Leaves out what is not needed for `fails` to hold.
Program shrunk(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace parley::testing
