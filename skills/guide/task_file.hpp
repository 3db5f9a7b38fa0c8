#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "task.hpp"

namespace parley::guide {

/// What came of reading a task.
struct TaskFile {
  std::optional<TaskMap> task;  ///< Nothing when there are faults.
  /// All that is wrong, each "FILE:LINE:COLUMN: what is wrong and what was expected".
  std::vector<std::string> faults;
  std::vector<std::string> remarks;  ///< What lint() says of the task, in the same form.
};

/// Reads and checks a task in YAML (docs/guide.md says what is in it), its graph included.
/// @param lang    BCP-47, of the texts in it
/// @param linted  whether there are remarks; they take longer than reading
TaskFile read_task(const std::filesystem::path& file, const std::string& lang, bool linted = false);

/// "25 min", "1 h 30 min", "45 s", "2 d"; nothing for other texts, for none at all and for more than 60 days.
std::optional<std::chrono::seconds> task_time(std::string_view text);

}  // namespace parley::guide
