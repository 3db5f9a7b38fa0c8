#include <algorithm>
#include <parley/phrases.hpp>
#include <parley/speech.hpp>
#include <parley/text.hpp>

#include "policy.hpp"

namespace parley::guide {
namespace {

/// The sentences of the steps that tell a temperature, the present step's first.
std::string temperature(const TaskMap& task, const State& state, const World& world) {
  std::vector<std::size_t> order = task.order;
  if (state.at < order.size())
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(state.at), order.end());
  for (const std::size_t at : order) {
    const Step& step = task.steps[at];
    for (const std::string& text : {step.say, step.details})
      if (!text.empty() && (text.find("°") != std::string::npos || world.mentions("degrees", text)))
        return filled_in(text, state.chosen);
  }
  return {};
}

}  // namespace

const Requirement* meant_requirement(const TaskMap& task, const std::string& said, const World& world) {
  const auto wanted = world.shelf->words().stems(said);
  if (wanted.empty()) return nullptr;
  for (const Requirement& one : task.requirements) {
    const auto name = world.shelf->words().stems(one.name);
    if (std::all_of(wanted.begin(), wanted.end(), [&](const std::string& stem) {
          return std::find(name.begin(), name.end(), stem) != name.end();
        }))
      return &one;
  }
  return nullptr;
}

std::string spoken(const Requirement& requirement, const State& state) {
  const auto chosen = state.chosen.find(requirement.name);
  std::string name = requirement.name, amount = requirement.amount;
  if (chosen != state.chosen.end()) {
    name = chosen->second;
    for (const Substitute& one : requirement.substitutes)
      if (one.name == name) amount = one.amount;
  }
  return amount.empty() ? name : amount + " " + name;
}

std::optional<Reply> answer_about(const State& state, const Heard& heard, const World& world) {
  const TaskMap* const task = task_of(state, world);
  if (task == nullptr) return std::nullopt;
  if (heard.is("amount")) {
    const Requirement* const meant = meant_requirement(*task, heard.slot("amount", "thing"), world);
    if (meant == nullptr) return std::nullopt;
    const std::string text = spoken(*meant, state);
    if (meant->amount.empty()) return saying("no_amount", {{"thing", meant->name}});
    return saying("amount_is", {{"thing", text}});
  }
  if (heard.is("temperature")) {
    const std::string text = temperature(*task, state, world);
    return text.empty() ? saying("no_temperature") : Reply().read(text);
  }
  if (heard.is("serves")) {
    if (task->serves == 0) return std::nullopt;
    return saying("serves_is", {{"count", std::to_string(task->serves)}});
  }
  if (heard.is("how_long_all") || (heard.is("how_long") && state.phase == Phase::kValidating)) {
    if (task->time.count() == 0) return saying("no_time");
    return saying("takes", {{"time", say_duration(task->time, task->lang, Precision::kMinutes)}});
  }
  return std::nullopt;
}

}  // namespace parley::guide
