#include "task_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace parley::guide {
namespace {

using Before = std::vector<std::vector<std::size_t>>;  // of each step: those that come before it

Before find_before(const TaskMap& task, std::vector<GraphFault>& faults) {
  std::map<std::string, std::size_t> by_id;
  for (std::size_t at = 0; at < task.steps.size(); ++at)
    if (!task.steps[at].id.empty()) by_id.emplace(task.steps[at].id, at);
  Before before(task.steps.size());
  for (std::size_t at = 0; at < task.steps.size(); ++at) {
    const After& after = task.steps[at].after;
    if (after.kind == After::Kind::kPrevious && at > 0) before[at].push_back(at - 1);
    for (const std::string& id : after.ids) {
      const auto found = by_id.find(id);
      if (found == by_id.end()) {
        faults.emplace_back(at, fmt::format("'after' names '{}', but no step has that id", id));
      } else {
        before[at].push_back(found->second);
      }
    }
  }
  return before;
}

std::string name_of(const TaskMap& task, std::size_t at) {
  return task.steps[at].id.empty() ? fmt::format("step {}", at + 1) : task.steps[at].id;
}

/// A way from a step back to itself, among the steps that could not be put in order.
std::string cycle(const TaskMap& task, const Before& before, const std::set<std::size_t>& placed,
                  std::size_t from) {
  std::vector<std::size_t> way;
  std::size_t at = from;
  while (std::find(way.begin(), way.end(), at) == way.end()) {
    way.push_back(at);
    at = *std::find_if(before[at].begin(), before[at].end(),
                       [&](std::size_t one) { return !placed.contains(one); });
  }
  std::string text;
  for (auto one = std::find(way.begin(), way.end(), at); one != way.end(); ++one)
    text += (text.empty() ? "" : ", ") + name_of(task, *one);
  return text;
}

/// The earliest in the file of those whose turn it is, again and again.
void sort_steps(TaskMap& task, const Before& before, std::vector<GraphFault>& faults) {
  std::set<std::size_t> placed;
  while (placed.size() < task.steps.size()) {
    std::size_t next = 0;
    const auto ready = [&](std::size_t at) {
      return !placed.contains(at) && std::all_of(before[at].begin(), before[at].end(),
                                                 [&](std::size_t one) { return placed.contains(one); });
    };
    while (next < task.steps.size() && !ready(next)) ++next;
    if (next == task.steps.size()) break;
    placed.insert(next);
    task.order.push_back(next);
  }
  if (placed.size() == task.steps.size()) return;
  std::size_t first = 0;
  while (placed.contains(first)) ++first;
  faults.emplace_back(first, "the steps wait for each other: " + cycle(task, before, placed, first));
  task.order.clear();
}

void check_conditions(const TaskMap& task, std::vector<GraphFault>& faults) {
  std::set<std::string> needed;
  for (std::size_t at = 0; at < task.steps.size(); ++at) {
    std::vector<std::string> names;
    task.steps[at].when.names(names);
    for (const std::string& name : names) {
      needed.insert(name);
      if (!task.conditions.contains(name))
        faults.emplace_back(at, fmt::format("'when' names '{}', which is not among the conditions", name));
    }
  }
  for (const auto& [name, condition] : task.conditions) {
    if (needed.contains(name)) continue;
    GraphFault fault(GraphFault::kNoStep, fmt::format("no step needs the condition '{}'", name));
    fault.condition = name;
    faults.push_back(std::move(fault));
  }
}

void check_reached(const TaskMap& task, std::vector<GraphFault>& faults) {
  std::vector<std::string> names;
  for (const auto& [name, condition] : task.conditions) names.push_back(name);
  std::vector<bool> reached(task.steps.size(), false);
  for (std::size_t answers = 0; answers < (std::size_t{1} << names.size()); ++answers) {
    std::map<std::string, bool> known;
    for (std::size_t at = 0; at < names.size(); ++at) known[names[at]] = ((answers >> at) & 1U) != 0;
    for (std::size_t at = 0; at < task.steps.size(); ++at)
      if (!reached[at]) reached[at] = task.on_the_way(at, known);
  }
  for (std::size_t at = 0; at < task.steps.size(); ++at)
    if (!reached[at]) faults.emplace_back(at, "no answers lead to this step");
}

}  // namespace

std::vector<GraphFault> put_in_order(TaskMap& task) {
  std::vector<GraphFault> faults;
  task.order.clear();
  const Before before = find_before(task, faults);
  check_conditions(task, faults);
  sort_steps(task, before, faults);
  if (task.conditions.size() > kMostConditions) {
    faults.emplace_back(0, fmt::format("there are {} conditions; a task may have {}", task.conditions.size(),
                                       kMostConditions));
  } else if (faults.empty()) {
    check_reached(task, faults);
  }
  if (!faults.empty()) task.order.clear();
  return faults;
}

}  // namespace parley::guide
