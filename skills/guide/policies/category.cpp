#include <algorithm>
#include <parley/speech.hpp>

#include "../policy.hpp"

namespace parley::guide {
namespace {

Outcome tell_parts(State state, const std::vector<const Category*>& parts, const World& world,
                   const std::string& dialog) {
  Reply reply;
  Screen screen;
  std::vector<std::string> titles;
  state.categories.clear();
  for (const Category* part : parts) {
    titles.push_back(part->title);
    state.categories.push_back(part->id);
    screen.list.emplace_back(part->title);
    reply.options.push_back("=" + part->title);
  }
  reply.say(dialog, {{"categories", say_choice(titles, world.shelf->lang())}});
  reply.screen = std::move(screen);
  return answer(std::move(state), std::move(reply));
}

bool has_tasks(const Category& category, const World& world) {
  return std::any_of(world.shelf->tasks().begin(), world.shelf->tasks().end(),
                     [&](const TaskMap& task) { return task.category == category.id; });
}

std::optional<Outcome> tell_tasks(State state, const Category& category, const World& world) {
  if (!state.query.empty()) return std::nullopt;  // with what was said before it is more than a category
  state.found.clear();
  state.categories.clear();
  for (const TaskMap& task : world.shelf->tasks())
    if (task.category == category.id && task.domain == state.domain) state.found.push_back(task.id);
  if (state.found.empty()) return std::nullopt;
  state.first_shown = 0;
  Reply reply = tell_choices(state, world, "choices");
  return answer(std::move(state), std::move(reply));
}

/// The category that was named, or the one of those that were told.
const Category* meant(const State& state, const Conversation& all, const Heard& heard, const World& world) {
  std::optional<std::size_t> at;
  if (heard.is("first")) at = 0;
  if (heard.is("second")) at = 1;
  if (heard.is("third")) at = 2;
  if (heard.is("last") && !state.categories.empty()) at = state.categories.size() - 1;
  if (at) return *at < state.categories.size() ? all.by_id(state.categories[*at]) : nullptr;
  return all.named(heard.is("search") ? heard.slot("search", "query") : heard.text, world.lang);
}

}  // namespace

std::optional<Outcome> category(const State& state, const Heard& heard, const World& world) {
  const auto& conversations = world.shelf->elicitation().conversations;
  const auto found = conversations.find(state.domain.value_or(Domain::kCooking));
  if (found == conversations.end()) return std::nullopt;
  if (heard.is("categories")) {
    std::vector<const Category*> all;
    for (const Category& one : found->second.categories)
      if (std::any_of(one.parts.begin(), one.parts.end(),
                      [&](const Category& part) { return has_tasks(part, world); }))
        all.push_back(&one);
    if (all.empty()) return std::nullopt;
    return tell_parts(state, all, world, "categories");
  }
  const Category* const named = meant(state, found->second, heard, world);
  if (named == nullptr) return std::nullopt;
  std::vector<const Category*> parts;
  for (const Category& part : named->parts)
    if (has_tasks(part, world)) parts.push_back(&part);
  if (parts.size() > 1 || (!parts.empty() && !state.query.empty()))
    return tell_parts(state, parts, world, "sub_categories");
  if (!named->parts.empty() && parts.empty()) return std::nullopt;
  return tell_tasks(state, parts.empty() ? *named : *parts.front(), world);
}

}  // namespace parley::guide
