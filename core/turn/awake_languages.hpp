#pragma once

#include <mutex>
#include <parley/language.hpp>
#include <set>
#include <string>
#include <string_view>

namespace parley {

/// The languages in which somebody has spoken yet: the intents of others are not read, learnt nor kept in
/// memory. What counts is the primary language of a tag. From any thread.
class AwakeLanguages {
 public:
  bool has(std::string_view tag) const {
    const std::lock_guard lock(mutex_);
    return primary_.contains(primary_language(tag));
  }
  /// False: it was awake.
  bool add(std::string_view tag) {
    const std::lock_guard lock(mutex_);
    return primary_.insert(primary_language(tag)).second;
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> primary_;
};

}  // namespace parley
