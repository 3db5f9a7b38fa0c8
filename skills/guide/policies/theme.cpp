#include <algorithm>
#include <parley/text.hpp>

#include "../policy.hpp"

namespace parley::guide {
namespace {

constexpr std::int64_t kWeek = 7 * 24 * 3600;

bool asks_for(const Theme& theme, const Heard& heard, const World& world) {
  if (heard.is("theme")) return true;
  const std::string said =
      normalise(heard.is("search") ? heard.slot("search", "query") : heard.text, world.lang);
  return !said.empty() && std::any_of(theme.says.begin(), theme.says.end(), [&](const std::string& one) {
    return normalise(one, world.lang) == said;
  });
}

}  // namespace

std::optional<Outcome> theme(const State& state, const Heard& heard, const World& world) {
  const Theme* const now = world.shelf->elicitation().theme_of(world.now / kWeek);
  if (now == nullptr) {
    if (heard.is("theme")) return answer(state, saying("no_theme"));
    return std::nullopt;
  }
  State next = state;
  if (heard.is("trivia")) {
    const std::size_t at = next.trivia++ % now->trivia.size();
    return answer(std::move(next), Reply().read(now->trivia[at]));
  }
  if (!asks_for(*now, heard, world)) return std::nullopt;
  std::vector<std::string> mixed;
  for (const std::string& id : now->tasks)
    if (world.shelf->task(id) != nullptr && mixed.size() < 2) mixed.push_back(id);
  if (mixed.empty())
    return heard.is("theme") ? std::optional(answer(std::move(next), saying("no_theme"))) : std::nullopt;
  next.domain = world.shelf->task(mixed.front())->domain;
  // Two that were picked for the theme, and what else is found.
  const auto add = [&](const std::string& id) {
    if (std::find(mixed.begin(), mixed.end(), id) == mixed.end()) mixed.push_back(id);
  };
  for (const auto& hit : world.shelf->search().find(now->title, next.domain, 10))
    add(world.shelf->tasks()[hit.task].id);
  for (const std::string& id : now->tasks)
    if (world.shelf->task(id) != nullptr) add(id);
  next.found = mixed;
  next.first_shown = 0;
  Reply reply = saying("theme", {{"theme", now->title}});
  reply.read(now->trivia[next.trivia++ % now->trivia.size()]);
  Reply choices = tell_choices(next, world, "choices");
  reply.lines.insert(reply.lines.end(), choices.lines.begin(), choices.lines.end());
  reply.screen = std::move(choices.screen);
  reply.options = std::move(choices.options);
  return answer(std::move(next), std::move(reply));
}

}  // namespace parley::guide
