#include "../policy.hpp"

namespace parley::guide {
namespace {

/// Those that were not asked yet; all of them when all were.
std::vector<std::string> not_told(const std::vector<std::string>& all, const State& state) {
  std::vector<std::string> left;
  for (const std::string& one : all)
    if (!state.extra.contains(one)) left.push_back(one);
  return left.empty() ? all : left;
}

}  // namespace

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
  } else {
    reply.say("narrow_down");
  }
  const std::string question = pick(not_told(found->second.questions, state), world);
  state.extra.insert(question);
  reply.read(question);
  reply.offer({"option_categories"});
  return answer(std::move(state), std::move(reply));
}

}  // namespace parley::guide
