#include "../policy.hpp"

namespace parley::guide {
namespace {

/// Steps without anything extra before there is something again.
constexpr int kQuiet = 2;

}  // namespace

void extra_info(State& state, Reply& reply, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (task == nullptr || state.quiet_steps++ < kQuiet) return;
  // The task's own before those that fit any.
  const Elicitation& any = world.shelf->elicitation();
  const std::pair<const char*, const std::vector<std::string>*> kinds[] = {{"tip", &task->tips},
                                                                           {"fact", &task->facts},
                                                                           {"joke", &task->jokes},
                                                                           {"fact", &any.facts},
                                                                           {"joke", &any.jokes}};
  for (const auto& [dialog, all] : kinds) {
    for (const std::string& one : *all) {
      if (state.extra.contains(one) || !is_safe(one, world)) continue;
      state.extra.insert(one);
      state.quiet_steps = 0;
      reply.say(dialog).read(one);
      return;
    }
  }
}

}  // namespace parley::guide
