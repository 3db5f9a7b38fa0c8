#include "policy.hpp"

namespace parley::guide {
namespace {

constexpr int kMostRoutes = 5;

Outcome by_phase(State state, const Heard& heard, const World& world) {
  if (state.status != Status::kRunning) return resume(std::move(state), heard, world);
  switch (state.phase) {
    case Phase::kDomain:
      return domain(std::move(state), heard, world);
    case Phase::kPlanning:
      return planning(std::move(state), heard, world);
    case Phase::kValidating:
      return validation(std::move(state), heard, world);
    case Phase::kExecuting:
      return execution(std::move(state), heard, world);
    case Phase::kClosing:
      return farewell(std::move(state), heard, world);
  }
  return farewell(std::move(state), heard, world);
}

}  // namespace

Outcome route(State state, Heard heard, const World& world) {
  if (state.status == Status::kRunning && state.last_turn != 0 &&
      world.now - state.last_turn > State::kIdleAfter)
    state.status = Status::kPaused;
  if (auto refused = safety(state, heard, world)) return std::move(*refused);
  if (auto stopped = stop(state, heard, world)) return std::move(*stopped);
  for (int routed = 0; routed <= kMostRoutes; ++routed) {
    if (auto caught = intents(state, heard, world)) {
      if (caught->reply) return std::move(*caught);
      state = std::move(caught->state);
      heard = std::move(caught->heard);
      continue;
    }
    Outcome outcome = by_phase(std::move(state), heard, world);
    if (outcome.reply) return outcome;
    state = std::move(outcome.state);
    heard = std::move(outcome.heard);
  }
  state.start_afresh();
  return answer(std::move(state), saying("lost"));
}

}  // namespace parley::guide
