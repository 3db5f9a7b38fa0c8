#include "../policy.hpp"

namespace parley::guide {

std::optional<Outcome> stop(const State& state, const Heard& heard, const World& world) {
  if (!heard.is("leave")) return std::nullopt;
  State closing = state;
  closing.phase = Phase::kClosing;
  closing.status = Status::kRunning;
  return farewell(std::move(closing), heard, world);
}

}  // namespace parley::guide
