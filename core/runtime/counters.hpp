#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace parley {

/// What is counted for people who run it: name (with labels in `{}`) → how often. From any thread.
class Counters {
 public:
  void add(const std::string& name, std::uint64_t by = 1) {
    const std::lock_guard lock(mutex_);
    counts_[name] += by;
  }
  std::uint64_t of(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = counts_.find(name);
    return found == counts_.end() ? 0 : found->second;
  }
  std::map<std::string, std::uint64_t> all() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace parley
