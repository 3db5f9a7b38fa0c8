#pragma once

#include <mutex>
#include <shared_mutex>

namespace parley {

/// Held while a thread posts work to a context that others may end. An executor is in use, and so its
/// context, until post() returns; the work may have run by then, and be the last that kept the context alive.
/// Nothing but posting may happen while it is held. Safe to use from any thread.
class Posting {
 public:
  Posting() : lock_(mutex()) {}
  /// Returns when all who post have returned from it. To be called when nothing is left that could post to a
  /// context, before that is destroyed.
  static void let_return() { const std::unique_lock alone(mutex()); }

 private:
  static std::shared_mutex& mutex();
  std::shared_lock<std::shared_mutex> lock_;
};

}  // namespace parley
