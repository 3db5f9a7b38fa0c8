#include <parley/speech.hpp>

#include "../policy.hpp"

namespace parley::guide {
namespace {

/// "Set the timer": for the step that is told. Without a step that has one it is not for us.
std::optional<Outcome> timer(const State& state, const Heard& heard, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (task == nullptr || state.phase != Phase::kExecuting || state.at >= task->order.size())
    return std::nullopt;
  const Step& step = task->steps[task->order[state.at]];
  const bool agreed = state.timer_offered && state.asked.empty() && agrees(heard, world);
  if (step.time.count() == 0 || (!heard.is("set_timer") && !agreed)) return std::nullopt;
  State next = state;
  next.timer_offered = false;
  Reply reply = saying("timer_set", {{"time", say_duration(step.time, task->lang)}});
  reply.timer = WantedTimer{step.time};
  reply.offer({"option_next"});
  return answer(std::move(next), std::move(reply));
}

Outcome help(const State& state) {
  Reply reply = saying("help_" + std::string(to_string(state.phase)));
  return answer(state, std::move(reply));
}

Outcome cancel(State state) {
  if (state.phase == Phase::kValidating) {
    state.task.clear();
    return go_to(std::move(state), Phase::kPlanning, Heard::as("repeat"));
  }
  state.phase = Phase::kClosing;
  state.status = Status::kClosed;
  Reply reply = saying("cancelled");
  reply.close = true;
  return answer(std::move(state), std::move(reply));
}

}  // namespace

std::optional<Outcome> intents(const State& state, const Heard& heard, const World& world) {
  if (state.status != Status::kRunning) return std::nullopt;
  if (auto set = timer(state, heard, world)) return set;
  if (heard.is("help")) return help(state);
  if (heard.is("cancel")) return cancel(state);
  return std::nullopt;
}

}  // namespace parley::guide
