#include "task_lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <parley/phrases.hpp>
#include <parley/text.hpp>
#include <set>

namespace parley::guide {
namespace {

/// Words in a row that nobody writes twice by chance.
constexpr std::size_t kRun = 6;
constexpr double kMostShared = 0.3;

bool is_used(const TaskMap& task, const Requirement& requirement) {
  const PhraseSet name({requirement.name}, task.lang);
  return std::any_of(task.steps.begin(), task.steps.end(), [&](const Step& step) {
    const auto named = names_in(step.say + step.details);
    return std::find(step.needs.begin(), step.needs.end(), requirement.name) != step.needs.end() ||
           std::find(named.begin(), named.end(), requirement.name) != named.end() ||
           name.occurs_in(words(step.say, task.lang));
  });
}

/// All runs of words of the steps of a task.
std::set<std::string> runs(const TaskMap& task) {
  std::vector<std::string> all;
  for (const Step& step : task.steps)
    for (const Word& word : words(filled_in(step.say, {}), task.lang)) all.push_back(word.norm);
  std::set<std::string> found;
  for (std::size_t at = 0; at + kRun <= all.size(); ++at)
    found.insert(fmt::format("{}", fmt::join(all.begin() + static_cast<std::ptrdiff_t>(at),
                                             all.begin() + static_cast<std::ptrdiff_t>(at + kRun), " ")));
  return found;
}

}  // namespace

std::vector<Remark> lint(const TaskMap& task) {
  std::vector<Remark> remarks;
  for (std::size_t at = 0; at < task.requirements.size(); ++at)
    if (!is_used(task, task.requirements[at]))
      remarks.push_back(
          {at, std::nullopt,
           fmt::format("no step needs '{}'; name it in the step's 'needs'", task.requirements[at].name)});
  std::chrono::seconds sum{0};
  for (std::size_t at = 0; at < task.steps.size(); ++at) {
    const Step& step = task.steps[at];
    if (step.when.kind == Rule::Kind::kAlways) sum += step.time;
    const std::size_t count = words(filled_in(step.say, {}), task.lang).size();
    if (count > kMostWordsOfStep)
      remarks.push_back(
          {std::nullopt, at,
           fmt::format("step {} has {} words; over {} take more than 20 s to say: make two of it", at + 1,
                       count, kMostWordsOfStep)});
  }
  if (sum > task.time)
    remarks.push_back(
        {std::nullopt, std::nullopt,
         fmt::format("its steps take {} min, but it says {} min", sum.count() / 60, task.time.count() / 60)});
  return remarks;
}

std::vector<std::string> lint_copies(const std::vector<TaskMap>& tasks) {
  std::vector<std::set<std::string>> all;
  std::map<std::string, std::vector<std::size_t>> where;
  for (std::size_t at = 0; at < tasks.size(); ++at) {
    all.push_back(runs(tasks[at]));
    for (const std::string& run : all.back()) where[run].push_back(at);
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared;
  for (const auto& [run, in] : where) {
    for (std::size_t a = 0; a < in.size(); ++a)
      for (std::size_t b = a + 1; b < in.size(); ++b) ++shared[{in[a], in[b]}];
  }
  std::vector<std::string> faults;
  for (const auto& [pair, count] : shared) {
    const std::size_t least = std::min(all[pair.first].size(), all[pair.second].size());
    if (static_cast<double>(count) < kMostShared * static_cast<double>(least)) continue;
    if (tasks[pair.first].lang != tasks[pair.second].lang) continue;
    faults.push_back(fmt::format("{} and {} share {} of {} runs of words: write one of them anew",
                                 tasks[pair.first].id, tasks[pair.second].id, count, least));
  }
  return faults;
}

}  // namespace parley::guide
