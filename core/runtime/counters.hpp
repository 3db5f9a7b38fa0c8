#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley {

/// Counts one thing. From any thread; not after its Counters are gone.
class Counter {
 public:
  void add(std::uint64_t by = 1) const noexcept { value_->fetch_add(by, std::memory_order_relaxed); }

 private:
  friend class Counters;
  explicit Counter(std::atomic<std::uint64_t>& value) : value_(&value) {}
  std::atomic<std::uint64_t>* value_;
};

/// What is counted for people who run it. From any thread.
class Counters {
 public:
  /// By name, in the order in which they are shown.
  using Labels = std::vector<std::pair<std::string, std::string>>;
  struct Count {
    Count(std::string what, Labels which, std::uint64_t often)
        : name(std::move(what)), labels(std::move(which)), value(often) {}
    std::string name;
    Labels labels;
    std::uint64_t value;
    bool operator==(const Count&) const = default;
  };

  /// What counts is made at the first call, and shown from then on. Whoever counts often keeps it.
  Counter counter(std::string name, Labels labels = {}) {
    const std::lock_guard lock(mutex_);
    return Counter(counts_[Key(std::move(name), std::move(labels))]);
  }

  /// By name.
  std::vector<Count> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Count> all;
    for (const auto& [key, value] : counts_) all.emplace_back(key.first, key.second, value);
    return all;
  }

  /// For tests: what the counter shows that `/metrics` calls so, labels included; 0 when there is none.
  std::uint64_t of(std::string_view shown) const {
    for (const Count& one : all()) {
      std::string text = one.name;
      for (const auto& [label, value] : one.labels)
        text += (text.size() == one.name.size() ? "{" : ",") + label + "=\"" + value + "\"";
      if (!one.labels.empty()) text += '}';
      if (text == shown) return one.value;
    }
    return 0;
  }

 private:
  using Key = std::pair<std::string, Labels>;
  mutable std::mutex mutex_;
  std::map<Key, std::atomic<std::uint64_t>> counts_;
};

}  // namespace parley
