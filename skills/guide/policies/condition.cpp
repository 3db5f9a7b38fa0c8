#include "../policy.hpp"

namespace parley::guide {

std::optional<Outcome> condition(const State& state, const Heard& heard, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (state.asked.empty() || task == nullptr || heard.text.empty()) return std::nullopt;
  const auto found = task->conditions.find(state.asked);
  if (found == task->conditions.end()) return std::nullopt;
  const bool yes = heard.is("yes_i_have") || agrees(heard, world);
  const bool no = heard.is("no_i_have_not") || world.says("no", heard.text);
  State next = state;
  // Whoever goes on without an answer gave neither; whoever asks for something else still may.
  if (!yes && !no && heard.among({"next", "skip"}) == nullptr) return std::nullopt;
  next.known[state.asked] = yes || (!no && found->second.by_default);
  next.asked.clear();
  if (!yes && !no) return go_to(std::move(next), Phase::kExecuting, heard);
  // The step that waited for the answer, if there is one, else what was told stands.
  const bool waited = !task->open_conditions(task->order[state.at], state.known).empty();
  if (waited) {
    const auto at = next_position(*task, next, next.at);
    if (at) next.at = *at;
    return go_to(std::move(next), Phase::kExecuting, Heard::as("repeat"));
  }
  Reply reply = saying(yes ? "condition_yes" : "condition_no");
  reply.offer({"option_next"});
  return answer(std::move(next), std::move(reply));
}

}  // namespace parley::guide
