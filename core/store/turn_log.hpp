#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <string>
#include <vector>

#include "bus/bus.hpp"
#include "runtime/counters.hpp"
#include "store/store.hpp"
#include "store/turn_copy.hpp"
#include "store/turn_rows.hpp"
#include "turn/trace_record.hpp"

namespace parley {

struct TurnLogSettings {
  TurnLogSettings() = default;
  std::size_t max_queue = 10'000;
  Clock::Time::duration retention = std::chrono::hours(24 * 90);
  std::string time_zone = "UTC";  ///< IANA, of sessions that have none of their own.
  /// Derives what it can of what is written; true: there is more. Called with a piece that is written when
  /// nothing waits to be, again and again while there is more. Null: nothing.
  std::function<bool(Database&)> then;
  /// Who gets turns that are over and written. Null: nobody.
  std::shared_ptr<TurnsOver> over;
};

/// Writes down what happens in turns. Nobody waits for it: what the loop hands over is written behind, as
/// JSON that the store's thread makes. When the disk is slower than the turns, traces are dropped from half
/// of `max_queue` on, events when it is full; both are counted and told. Create and destroy it on the loop's
/// thread.
class TurnLog {
 public:
  TurnLog(std::shared_ptr<Store> store, Bus& bus, Counters& counters, TurnLogSettings settings);
  ~TurnLog();
  TurnLog(const TurnLog&) = delete;
  TurnLog& operator=(const TurnLog&) = delete;

  /// What happened in a turn that has ended, or that waits for the user.
  void traced(std::shared_ptr<const TraceRecord> record, std::string outcome);

  /// How much waits to be written.
  std::size_t waiting() const;

  /// Before what() is deleted: what has happened so far is written, so that it goes with the rest, and turns
  /// under way lose what was said in them.
  void prepare_to_forget(const ForgetWhat& what);

 private:
  struct Queue;
  void hear(const std::string& topic, EventKind kind);
  void note(EventKind kind, const Message& message);

  Bus& bus_;
  const std::shared_ptr<Queue> queue_;
  std::vector<Subscription> subscriptions_;
};

}  // namespace parley
