#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "task.hpp"

namespace parley::guide {

/// Something that a task that is read aloud should not do.
struct Remark {
  std::optional<std::size_t> requirement, step;  ///< Which one it is about; neither: the task's time.
  std::string what;                              ///< And what to do.
};
/// A requirement that no step needs, steps that take longer together than the task says, a step that takes
/// over 20 s to say.
std::vector<Remark> lint(const TaskMap& task);

/// Pairs of tasks of which one has 30 % of its steps' text from the other.
std::vector<std::string> lint_copies(const std::vector<TaskMap>& tasks);

/// Words that are said in 20 s.
inline constexpr std::size_t kMostWordsOfStep = 50;

}  // namespace parley::guide
