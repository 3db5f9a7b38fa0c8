#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "task.hpp"

namespace parley::guide {

/// Something wrong with how the steps of a task follow each other.
struct GraphFault {
  GraphFault(std::size_t at, std::string text) : step(at), what(std::move(text)) {}
  static constexpr std::size_t kNoStep = static_cast<std::size_t>(-1);
  std::size_t step;       ///< kNoStep: it is about a condition.
  std::string what;       ///< "comes after itself: boil, drain"
  std::string condition;  ///< Of kNoStep.
};

/// Puts the steps in order (TaskMap::order) and gives what is wrong: ids that nobody has, cycles, steps that
/// no answers lead to, conditions that nobody asks about or needs. Tasks with faults have no order.
std::vector<GraphFault> put_in_order(TaskMap& task);

/// Conditions a task may have: all combinations of their answers are looked at.
inline constexpr std::size_t kMostConditions = 10;

}  // namespace parley::guide
