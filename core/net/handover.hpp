#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace parley::net {

/// Hands things from one thread to another, many at a time.
template <class T>
class Handover {
 public:
  /// Whether it was empty: then the taker has to be woken.
  bool put(T one) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(one));
    return items_.size() == 1;
  }
  std::vector<T> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(items_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<T> items_;
};

}  // namespace parley::net
