#include "../policy.hpp"

namespace parley::guide {

Outcome resume(State state, const Heard& heard, const World& world) {
  const bool under_way = state.phase == Phase::kExecuting && task_of(state, world) != nullptr;
  state.status = Status::kRunning;
  state.last_turn = world.now;
  if (!under_way) {
    state.start_afresh();
    return go_to(std::move(state), Phase::kDomain, heard);
  }
  // What is asked for now is to be done with the last step in mind: that comes first.
  if (heard.among({"go_on", "next", "repeat", "where", "previous", "start", "more"}) != nullptr ||
      agrees(heard, world))
    return go_to(std::move(state), Phase::kExecuting, Heard::as("repeat"));
  return go_to(std::move(state), Phase::kExecuting, heard);
}

}  // namespace parley::guide
