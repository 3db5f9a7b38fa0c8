#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace parley::evidence {

/// Days that a question names, both included.
struct SpokenWindow {
  SpokenWindow(std::chrono::local_days begin, std::chrono::local_days end, std::string which)
      : first(begin), last(end), words(std::move(which)) {}
  std::chrono::local_days first, last;
  std::string words;  ///< "last week", as they were said.
};

/// Finds a day ("yesterday"), a week, a month ("in March", "last month") or a year in a question, the most
/// words first; in the past where it comes round again. From any thread.
std::optional<SpokenWindow> find_window(std::string_view text, std::string_view lang,
                                        std::chrono::local_days today);

}  // namespace parley::evidence
