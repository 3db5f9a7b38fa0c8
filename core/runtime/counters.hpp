#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
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

/// How long one thing takes, in buckets that are the same for everything. From any thread; not after its
/// Counters are gone.
class Histogram {
 public:
  /// Upper ends, in seconds; one bucket more takes the rest.
  static constexpr std::array<double, 18> kBounds{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025,
                                                  0.005,   0.01,   0.025,   0.05,   0.1,   0.25,
                                                  0.5,     1,      2.5,     5,      10,    60};
  struct Buckets {
    std::array<std::atomic<std::uint64_t>, kBounds.size() + 1> counts{};
    std::atomic<std::uint64_t> nanoseconds{0};
  };

  void observe(std::chrono::nanoseconds took) const noexcept {
    const double seconds = std::chrono::duration<double>(took).count();
    const auto at = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
    buckets_->counts[static_cast<std::size_t>(at)].fetch_add(1, std::memory_order_relaxed);
    if (took.count() > 0)
      buckets_->nanoseconds.fetch_add(static_cast<std::uint64_t>(took.count()), std::memory_order_relaxed);
  }

 private:
  friend class Counters;
  explicit Histogram(Buckets& buckets) : buckets_(&buckets) {}
  Buckets* buckets_;
};

/// Counters and histograms for operators. From any thread.
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

  /// What a histogram shows.
  struct Spread {
    std::string name;
    Labels labels;
    std::vector<std::uint64_t> counts;  ///< Of each bucket alone, the rest last.
    double seconds = 0;                 ///< All together.
  };

  /// Sets of labels of one name. Those that would be more are counted together, each label being `other`:
  /// names come from clients, too.
  static constexpr std::size_t kMostOfName = 2'000;

  /// A counter is made at the first call, and shown from then on. Keep the reference if you count often.
  Counter counter(std::string name, Labels labels = {}) {
    const std::lock_guard lock(mutex_);
    return Counter(entry_of(counts_, std::move(name), std::move(labels)));
  }
  /// Likewise.
  Histogram histogram(std::string name, Labels labels = {}) {
    const std::lock_guard lock(mutex_);
    return Histogram(entry_of(spreads_, std::move(name), std::move(labels)));
  }

  /// By name.
  std::vector<Count> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<Count> all;
    for (const auto& [key, value] : counts_) all.emplace_back(key.first, key.second, value);
    return all;
  }

  /// By name.
  std::vector<Spread> spreads() const {
    const std::lock_guard lock(mutex_);
    std::vector<Spread> all;
    for (const auto& [key, buckets] : spreads_) {
      Spread& spread = all.emplace_back();
      spread.name = key.first;
      spread.labels = key.second;
      spread.counts.assign(buckets.counts.begin(), buckets.counts.end());
      spread.seconds = static_cast<double>(buckets.nanoseconds) / 1e9;
    }
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

  template <class Value>
  Value& entry_of(std::map<Key, Value>& all, std::string name, Labels labels) {
    Key key(std::move(name), std::move(labels));
    const auto found = all.find(key);
    if (found != all.end()) return found->second;
    std::size_t& count = sizes_[key.first];
    if (count >= kMostOfName) {
      for (auto& [label, value] : key.second) value = "other";
    } else {
      ++count;
    }
    return all[std::move(key)];
  }

  mutable std::mutex mutex_;
  std::map<Key, std::atomic<std::uint64_t>> counts_;
  std::map<Key, Histogram::Buckets> spreads_;
  std::map<std::string, std::size_t> sizes_;  ///< Sets of labels, by name.
};

}  // namespace parley
