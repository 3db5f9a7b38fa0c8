#include <algorithm>
#include <parley/speech.hpp>

#include "policy.hpp"

namespace parley::guide {

Reply tell_choices(const State& state, const World& world, const std::string& dialog) {
  Reply reply;
  Screen screen;
  std::vector<std::string> titles;
  for (std::size_t at = state.first_shown; at < state.found.size() && titles.size() < 3; ++at) {
    const TaskMap* const task = world.shelf->task(state.found[at]);
    if (task == nullptr) continue;
    titles.push_back(task->title);
    screen.list.emplace_back(task->title);
    reply.options.push_back("=" + task->title);
  }
  if (titles.empty()) return saying("what_else");
  if (titles.size() == 1) {
    reply.say("choices_one", {{"titles", titles.front()}});
  } else {
    reply.say(dialog, {{"titles", say_choice(titles, world.shelf->lang())}});
  }
  reply.screen = std::move(screen);
  if (state.first_shown + 3 < state.found.size()) reply.offer({"option_more"});
  return reply;
}

}  // namespace parley::guide
