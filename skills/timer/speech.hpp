#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace parley::timer {

/// Says durations and lists in one language, as ICU knows it.
class Speech {
 public:
  /// @throws std::runtime_error when ICU has no data
  explicit Speech(const std::string& lang);
  ~Speech();

  /// "1 hour and 30 minutes". From an hour on without seconds, unless it is exact.
  std::string duration(std::chrono::seconds time, bool exact = true) const;
  /// "a, b, and c"
  std::string list(const std::vector<std::string>& things) const;

 private:
  struct Formats;
  std::unique_ptr<const Formats> formats_;
};

}  // namespace parley::timer
