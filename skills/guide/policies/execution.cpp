#include <algorithm>
#include <cmath>
#include <parley/numbers.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>
#include <span>

#include "../policy.hpp"

namespace parley::guide {
namespace {

Outcome tell(State state, const World& world, bool again = false) {
  Reply reply = tell_step(state, world, again);
  return answer(std::move(state), std::move(reply));
}

Outcome forward(State state, const TaskMap& task, const World& world) {
  const auto at = next_position(task, state, state.at + 1);
  if (!at) return go_to(std::move(state), Phase::kClosing, Heard::nothing());
  state.at = *at;
  return tell(std::move(state), world);
}

Outcome back(State state, const TaskMap& task, const World& world) {
  const auto at = previous_position(task, state, state.at);
  if (!at) return answer(std::move(state), saying("first_step"));
  state.at = *at;
  return tell(std::move(state), world);
}

/// "Go to step four": counted as they are told.
Outcome go_to_step(State state, const TaskMap& task, const Heard& heard, const World& world) {
  const auto said = words(heard.slot("goto", "number"), world.lang);
  const auto number = leading_number(std::span(said), world.lang);
  const Progress where = progress(task, state);
  if (!number || number->value < 1 || number->value > static_cast<double>(where.of) ||
      number->value != std::floor(number->value))
    return answer(std::move(state), saying("no_such_step", {{"count", std::to_string(where.of)}}));
  auto left = static_cast<std::size_t>(number->value);
  for (std::size_t at = 0; at < task.order.size(); ++at) {
    if (!task.on_the_way(task.order[at], state.known) || --left > 0) continue;
    state.at = at;
    break;
  }
  return tell(std::move(state), world);
}

Outcome details(State state, const Step& step) {
  Reply reply;
  if (step.details.empty()) {
    reply.say("no_details");
  } else {
    reply.read(filled_in(step.details, state.chosen));
  }
  // One question at a time: the one about a condition stands.
  if (!step.video.empty()) reply.offer({"option_video"});
  if (!step.video.empty() && state.asked.empty()) {
    state.video_offered = true;
    state.timer_offered = false;
    reply.say("offer_video");
  }
  return answer(std::move(state), std::move(reply));
}

Outcome video(State state, const TaskMap& task, const Step& step) {
  if (step.video.empty()) return answer(std::move(state), saying("no_video"));
  state.video_offered = false;
  Reply reply = saying("video");
  Screen screen;
  screen.title = task.title;
  screen.subtitle = filled_in(step.say, state.chosen);
  screen.body = step.video;
  reply.screen = std::move(screen);
  return answer(std::move(state), std::move(reply));
}

Outcome how_many_left(State state, const TaskMap& task) {
  const Progress where = progress(task, state);
  const std::size_t left = where.of - where.number;
  return answer(std::move(state), left == 0   ? saying("none_left")
                                  : left == 1 ? saying("one_left")
                                              : saying("steps_left", {{"count", std::to_string(left)}}));
}

Outcome pause(State state) {
  state.status = Status::kPaused;
  return answer(std::move(state), saying("paused"));
}

}  // namespace

Outcome execution(State state, const Heard& heard, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (task == nullptr || task->order.empty()) {
    state.start_afresh();
    return answer(std::move(state), saying("task_gone"));
  }
  state.at = std::min(state.at, task->order.size() - 1);
  if (auto judged = condition(state, heard, world)) return std::move(*judged);
  const Step& step = task->steps[task->order[state.at]];
  if (heard.text.empty() && heard.meanings.empty()) {
    state.at = next_position(*task, state, 0).value_or(0);
    return tell(std::move(state), world);
  }
  if (heard.among({"repeat", "where", "go_on", "begin"}) != nullptr)
    return tell(std::move(state), world, true);
  if (auto instead = substitute(state, *task, heard, world))
    return answer(std::move(state), std::move(*instead));
  // "Étape suivante" is no number.
  if (heard.is("goto") && heard.among({"next", "previous"}) == nullptr)
    return go_to_step(std::move(state), *task, heard, world);
  if (heard.is("previous")) return back(std::move(state), *task, world);
  if (heard.is("video") || (state.video_offered && agrees(heard, world)))
    return video(std::move(state), *task, step);
  if (heard.among({"next", "start", "skip"}) != nullptr || agrees(heard, world))
    return forward(std::move(state), *task, world);
  if (heard.among({"details", "more"}) != nullptr) return details(std::move(state), step);
  if (heard.is("left")) return how_many_left(std::move(state), *task);
  if (heard.is("how_long")) {
    if (step.time.count() == 0) return answer(std::move(state), saying("no_time"));
    const std::string time = say_duration(step.time, task->lang);
    return answer(std::move(state), saying("takes", {{"time", time}}));
  }
  if (heard.is("pause")) return pause(std::move(state));
  if (heard.is("confused")) return answer(std::move(state), saying("help_execution"));
  if (auto told = answer_about(state, heard, world)) return answer(std::move(state), std::move(*told));
  if (world.says("no", heard.text)) {
    state.timer_offered = state.video_offered = false;
    return answer(std::move(state), saying("take_your_time"));
  }
  return unsure(std::move(state), saying("help_execution"));
}

}  // namespace parley::guide
