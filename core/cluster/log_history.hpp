#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/timers.hpp"
#include "store/rows.hpp"
#include "store/store.hpp"
#include "store/turn_copy.hpp"

namespace parley::cluster {

/// Tells the others what the log of this instance held before it was part of the cluster: turns that are
/// over, and what came from outside; the latest 50,000 of both. Once, piece by piece, behind everything else.
/// After a kill it says the last piece again, of which the others know. On the loop; rows are read where the
/// store reads.
class LogHistory {
 public:
  /// The mark of how much of the log of all an instance has taken; see SharedLog.
  static constexpr char kTaken[] = "log_taken";

  using Post = std::function<void(std::function<void()>)>;
  struct Piece {
    std::vector<LoggedTurn> turns;
    std::vector<ToldEvent> events;
    std::int64_t last = 0;  ///< The event that it ends with.
  };
  struct Listener {
    std::function<bool()> has_room;  ///< Whether it takes a piece now.
    std::function<void(Piece)> tell;
  };

  /// All it is given must outlive it. @param post  runs something on the loop, from any thread
  LogHistory(std::shared_ptr<Store> store, Timers& timers, Post post, Listener listener);

  /// Before anything of the others is taken into the log.
  void start();
  void stop();
  /// Something is being forgotten: nothing is told as long as somebody has what it gives, and what was read
  /// is read again. That may be let go anywhere and at any time.
  std::shared_ptr<void> pause();

 private:
  void wait(std::chrono::milliseconds span);
  void step();
  void came(Piece piece);

  const std::shared_ptr<Store> store_;
  Timers& timers_;
  const Post post_;
  const Listener listener_;
  std::int64_t told_ = 0, last_ = 0;  ///< Numbers of events: it has told, and is to tell, up to there.
  const std::shared_ptr<std::atomic<int>> pauses_ = std::make_shared<std::atomic<int>>(0);
  bool is_stopped_ = false;
  bool is_stale_ = false;  ///< What is being read may have been forgotten since.
  Timer next_;
  const std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::cluster
