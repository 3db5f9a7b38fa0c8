#include <algorithm>
#include <parley/speech.hpp>

#include "../policy.hpp"

namespace parley::guide {
namespace {

/// Requirements that are read aloud in one go.
constexpr std::size_t kPage = 5;

Screen screen_of(const TaskMap& task, const State& state, const World& world) {
  Screen screen;
  screen.title = task.title;
  screen.subtitle = task.summary;
  screen.picture = task.picture;
  for (const Requirement& one : task.requirements) screen.list.emplace_back(spoken(one, state, world));
  return screen;
}

Outcome tell_page(State state, const TaskMap& task, const World& world) {
  if (state.page * kPage >= task.requirements.size()) state.page = 0;
  const std::size_t from = state.page * kPage;
  const std::size_t to = std::min(from + kPage, task.requirements.size());
  std::vector<std::string> names;
  for (std::size_t at = from; at < to; ++at) names.push_back(spoken(task.requirements[at], state, world));
  ++state.page;
  const std::size_t left = task.requirements.size() - to;
  Reply reply = saying(from == 0 ? "you_need" : "you_also_need", {{"things", say_list(names, task.lang)}});
  if (left > 0) {
    if (left == 1) reply.say("one_more_needed");
    if (left > 1) reply.say("more_needed", {{"count", std::to_string(left)}});
    reply.offer({"option_more", "option_start"});
  } else {
    reply.say("shall_we_start").offer({"option_start"});
  }
  reply.screen = screen_of(task, state, world);
  return answer(std::move(state), std::move(reply));
}

Outcome enter(State state, const TaskMap& task, const World& world) {
  state.page = 0;
  Reply reply;
  reply.say("chosen", {{"title", task.title}}).read(task.summary);
  const std::string time = say_duration(task.time, task.lang, Precision::kMinutes);
  if (task.time.count() > 0 && task.serves > 0) {
    reply.say("takes_and_serves", {{"time", time}, {"count", std::to_string(task.serves)}});
  } else if (task.time.count() > 0) {
    reply.say("takes", {{"time", time}});
  }
  reply.say("needs_or_start").offer({"option_requirements", "option_start"});
  reply.screen = screen_of(task, state, world);
  return answer(std::move(state), std::move(reply));
}

}  // namespace

Outcome validation(State state, const Heard& heard, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (task == nullptr) {
    state.task.clear();
    return go_to(std::move(state), Phase::kPlanning, Heard::as("repeat"));
  }
  if ((heard.text.empty() && heard.meanings.empty()) || heard.is("repeat"))
    return enter(std::move(state), *task, world);
  if (auto instead = substitute(state, *task, heard, world)) {
    instead->offer({"option_start"});
    instead->screen = screen_of(*task, state, world);
    return answer(std::move(state), std::move(*instead));
  }
  if (heard.is("where")) {
    const auto count = std::to_string(progress(*task, state).of);
    return answer(std::move(state), saying("not_begun", {{"count", count}}).offer({"option_start"}));
  }
  if (heard.is("requirements")) {
    state.page = 0;
    return tell_page(std::move(state), *task, world);
  }
  if (heard.is("more")) return tell_page(std::move(state), *task, world);
  if (heard.among({"start", "begin", "next", "go_on"}) != nullptr || agrees(heard, world)) {
    state.at = 0;
    return go_to(std::move(state), Phase::kExecuting, Heard::nothing());
  }
  if (world.says("no", heard.text) || heard.among({"none_of_these", "previous"}) != nullptr) {
    state.task.clear();
    return go_to(std::move(state), Phase::kPlanning, Heard::as("repeat"));
  }
  if (heard.is("confused")) return answer(std::move(state), saying("help_validation"));
  if (auto told = answer_about(state, heard, world)) return answer(std::move(state), std::move(*told));
  return unsure(std::move(state), saying("help_validation"));
}

}  // namespace parley::guide
