#include "unfinished.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <parley/speech.hpp>
#include <vector>

#include "app/assistant.hpp"
#include "skill/skill_host.hpp"

namespace parley::command {

std::string unfinished(Assistant& assistant) {
  std::vector<std::string> skills;
  for (const auto& [id, when] : assistant.skills().due()) {
    const auto left = std::max(std::chrono::ceil<std::chrono::seconds>(when - assistant.clock().now()),
                               std::chrono::seconds(1));
    skills.push_back(fmt::format("{} (in {})", id, say_duration(left, "en")));
  }
  if (skills.empty()) return {};
  return fmt::format("what is still due ends with this program: {}. 'parley serve' keeps it running.",
                     fmt::join(skills, ", "));
}

}  // namespace parley::command
