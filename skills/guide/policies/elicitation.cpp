#include "../policy.hpp"

namespace parley::guide {

Outcome elicitation(State state, const Heard&, const World& world) {
  const auto& all = world.shelf->elicitation().conversations;
  const auto found = all.find(state.domain.value_or(Domain::kCooking));
  ++state.elicited;
  state.found.clear();
  if (found == all.end() || found->second.questions.empty() || found->second.prompts.empty())
    return answer(std::move(state), saying("what_else"));
  Reply reply;
  // A remark of its own comes with the first question only.
  if (state.elicited == 1) {
    reply.read(pick(found->second.prompts, world));
    reply.read(pick(found->second.questions, world));
  } else {
    reply.say("narrow_down").read(pick(found->second.questions, world));
  }
  reply.offer({"option_categories"});
  return answer(std::move(state), std::move(reply));
}

}  // namespace parley::guide
