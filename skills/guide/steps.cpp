#include <parley/speech.hpp>

#include "policy.hpp"

namespace parley::guide {

Progress progress(const TaskMap& task, const State& state) {
  Progress told;
  for (std::size_t at = 0; at < task.order.size(); ++at) {
    if (!task.on_the_way(task.order[at], state.known)) continue;
    ++told.of;
    if (at <= state.at) ++told.number;
  }
  return told;
}

std::optional<std::size_t> next_position(const TaskMap& task, const State& state, std::size_t at) {
  for (; at < task.order.size(); ++at)
    if (task.on_the_way(task.order[at], state.known)) return at;
  return std::nullopt;
}

std::optional<std::size_t> previous_position(const TaskMap& task, const State& state, std::size_t at) {
  while (at-- > 0)
    if (task.on_the_way(task.order[at], state.known)) return at;
  return std::nullopt;
}

namespace {

/// The condition that decides whether what comes next is on the way, and was not asked; empty: none.
std::string next_condition(const TaskMap& task, const State& state, std::size_t from) {
  for (std::size_t at = from; at < task.order.size(); ++at) {
    const auto open = task.open_conditions(task.order[at], state.known);
    if (!open.empty()) return open.front();
    if (task.on_the_way(task.order[at], state.known)) return {};
  }
  return {};
}

}  // namespace

Reply tell_step(State& state, const World& world, bool again) {
  const TaskMap& task = *task_of(state, world);
  state.asked.clear();
  state.timer_offered = state.video_offered = false;
  Reply reply;
  const Step& step = task.steps[task.order[state.at]];
  // What this very step depends on is asked before it is told.
  const std::string before = next_condition(task, state, state.at);
  if (!before.empty() && !task.open_conditions(task.order[state.at], state.known).empty()) {
    state.asked = before;
    reply.read(task.conditions.at(before).ask).offer({"option_yes", "option_no"});
    return reply;
  }
  const Progress where = progress(task, state);
  const std::string text = filled_in(step.say, state.chosen);
  reply.say(where.number == where.of ? "last_step" : "step",
            {{"number", std::to_string(where.number)}, {"count", std::to_string(where.of)}});
  reply.read(text);
  Screen screen;
  screen.title = task.title;
  screen.body = text;
  screen.picture = step.picture.empty() ? task.picture : step.picture;
  Screen::Step count;
  count.number = static_cast<int>(where.number);
  count.of = static_cast<int>(where.of);
  screen.step = count;
  reply.screen = std::move(screen);
  const std::string condition = next_condition(task, state, state.at + 1);
  if (!condition.empty()) {
    state.asked = condition;
    reply.read(task.conditions.at(condition).ask).offer({"option_yes", "option_no"});
  } else if (step.timer && step.time.count() > 0) {
    state.timer_offered = true;
    reply.say("offer_timer", {{"time", say_duration(step.time, task.lang)}}).offer({"option_timer"});
  } else if (!again) {
    extra_info(state, reply, world);
  }
  reply.offer({"option_next", "option_previous"});
  return reply;
}

}  // namespace parley::guide
