#include <algorithm>

#include "../policy.hpp"

namespace parley::guide {
namespace {

Reply ask_domain(const std::string& dialog) {
  Reply reply = saying(dialog);
  reply.offer({"option_cook", "option_diy"});
  return reply;
}

/// The domain that the words themselves name: "cook", "repair".
std::optional<Domain> named_domain(const Heard& heard, const World& world) {
  if (heard.is("cook")) return Domain::kCooking;
  if (heard.is("diy")) return Domain::kDiy;
  if (world.says("cooking", heard.text)) return Domain::kCooking;
  if (world.says("diy", heard.text)) return Domain::kDiy;
  return std::nullopt;
}

/// The domain of the task that fits best, or of the category that was named.
std::optional<Domain> found_domain(const Heard& heard, const World& world) {
  const std::string query = heard.is("search") ? heard.slot("search", "query") : heard.text;
  for (const auto& [domain, conversation] : world.shelf->elicitation().conversations)
    if (conversation.named(query, world.lang) != nullptr) return domain;
  const Wanted wanted = world.shelf->words().read(query);
  // "Something quick", "vegetarian": so one talks of what is to be cooked.
  if (wanted.stems.empty()) return wanted.filters.any() ? std::optional(Domain::kCooking) : std::nullopt;
  const auto hits = world.shelf->search().find(query, std::nullopt, 1);
  if (hits.empty()) return std::nullopt;
  return world.shelf->tasks()[hits.front().task].domain;
}

}  // namespace

Outcome domain(State state, const Heard& heard, const World& world) {
  if (heard.text.empty() && heard.meanings.empty()) return answer(std::move(state), ask_domain("what_to_do"));
  for (const char* const advice : {"medical", "financial", "legal"}) {
    if (world.mentions(advice, heard.text)) return answer(std::move(state), ask_domain("no_advice"));
  }
  // "What recipes do you know": some are told at once.
  if (heard.is("recipes")) {
    state.domain = Domain::kCooking;
    return go_to(std::move(state), Phase::kPlanning, Heard::as("surprise"));
  }
  if (const auto named = named_domain(heard, world)) {
    state.domain = named;
    return go_to(std::move(state), Phase::kPlanning, Heard::as("vague"));
  }
  if (heard.among({"search"}) == nullptr && heard.among({"guide", "go_on"}) != nullptr)
    return answer(std::move(state), ask_domain("what_to_do"));
  if (heard.is("greet")) return answer(std::move(state), ask_domain("hello"));
  if (heard.is("abilities")) return answer(std::move(state), ask_domain("help_domain"));
  if (world.says("no", heard.text)) return go_to(std::move(state), Phase::kClosing, Heard::as("leave"));
  if (heard.is("theme")) {
    state.domain = Domain::kCooking;
    return go_to(std::move(state), Phase::kPlanning, heard);
  }
  if (const auto found = found_domain(heard, world)) {
    state.domain = found;
    return go_to(std::move(state), Phase::kPlanning, heard);
  }
  if (heard.is("search"))
    return answer(std::move(state), saying("nothing_found", {{"query", heard.slot("search", "query")}}));
  state.misunderstood = std::min(state.misunderstood + 1, 3);
  return unsure(state, ask_domain("not_understood_" + std::to_string(state.misunderstood)));
}

}  // namespace parley::guide
