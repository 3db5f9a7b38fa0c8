#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/log_name.hpp"
#include "cluster/log_queue.hpp"
#include "cluster/log_stream.hpp"
#include "runtime/counters.hpp"
#include "runtime/timers.hpp"
#include "store/store.hpp"

namespace parley::cluster {

/// What an instance makes of what the others log.
struct LogTaking {
  bool derives = false;  ///< Evidence.
  bool traces = false;   ///< It keeps them.
};

/// The turns of all instances, and what other programs told them of: each adds those of its own log to a log
/// that all share, and takes the others' into its own. Nobody waits for it. What can't be added waits, see
/// LogQueue; what comes beyond that, or has more than 64 KiB, is known at this instance alone, which is
/// counted and told. On the loop; rows are read and written on the store's thread.
class SharedLog {
 public:
  using Post = std::function<void(std::function<void()>)>;
  /// What was forgotten elsewhere was on its way from here: the others are to forget it, too.
  /// @param last  they may meet it up to there
  using Late = std::function<void(ForgottenObjects what, std::uint64_t last)>;
  using Forgotten = std::function<void(std::uint64_t last, const std::string& failure)>;

  /// All it is given must outlive it. @param post  runs something on the loop, from any thread
  SharedLog(LogStream& stream, Timers& timers, Counters& counters, std::shared_ptr<Store> store, Post post,
            Late late);
  ~SharedLog();
  SharedLog(const SharedLog&) = delete;
  SharedLog& operator=(const SharedLog&) = delete;

  /// This instance keeps turns. Before anything else; without it only forgetting is dealt with.
  /// @param retention  of the log of all
  void keep(std::chrono::milliseconds retention, LogTaking how);
  /// Takes others' from here on, and tells of its own.
  void start();
  /// Takes and tells nothing any more.
  void stop();
  /// Calls back when everything told so far is in the log of all, or after two seconds.
  void flush(std::function<void()> done);

  /// Whether little waits to be told.
  bool has_room() const;
  /// Turns of this instance that are over.
  void tell(std::vector<LoggedTurn> turns);
  /// Events that its evidence has taken from outside.
  void tell(const std::vector<ToldEvent>& events);
  /// Takes turns out of the log of all; once that is done, or could not be confirmed for ten seconds, it says
  /// up to where others may have read them. It does not when this ends before.
  void forget(const ForgottenTurns& what, Forgotten done);
  /// Another instance has taken them out up to there. Of those of this one that were over by then, none
  /// stays.
  void heard(const ForgottenTurns& what, std::uint64_t last, std::int64_t by);

 private:
  struct Gone {
    Gone(ForgottenTurns which, std::uint64_t up_to) : what(std::move(which)), last(up_to) {}
    ForgottenTurns what;
    std::uint64_t last;
  };
  struct Sweep;

  // ---- telling
  void add(LogQueue& queue, OwnEntry entry);
  void send();
  void answered(std::uint64_t number, const Written& how);
  void only_here(const std::string& why);
  void remove_late(const OwnEntry& own);
  void check_flushed();
  /// Drops what waits of it.
  void drop(const ForgottenTurns& what, std::int64_t by);
  bool is_flying(const ForgottenTurns& what) const;

  // ---- taking
  void load();
  void read_on();
  void heard(const LogEntry* entry);
  void take();
  void taken(const std::vector<LogEntry>& some, const std::string& failure);
  bool is_gone(const LogName& name, std::uint64_t sequence) const;

  // ---- forgetting
  void go_on(const std::shared_ptr<Sweep>& sweep);
  void swept(const std::shared_ptr<Sweep>& sweep, const LogEntry* entry);
  void advance(const std::shared_ptr<Sweep>& sweep);
  void bound(const std::shared_ptr<Sweep>& sweep);
  void end(const std::shared_ptr<Sweep>& sweep, const std::string& failure);

  LogStream& stream_;
  Timers& timers_;
  const Counter told_count_, taken_count_, dropped_count_;
  const std::shared_ptr<Store> store_;
  const Post post_;
  const Late late_;
  const std::string self_;
  bool keeps_ = false, is_started_ = false;
  LogTaking how_;

  LogQueue turns_, events_;  ///< Turns go first: of events a program may send any number.
  std::map<std::uint64_t, OwnEntry> flying_;
  std::deque<OwnEntry> recent_;  ///< That were added lately, without their rows.
  std::uint64_t count_ = 0;
  Timer again_, flush_bound_;
  std::function<void()> flushed_;
  bool is_behind_ = false;  ///< The log is being written, before it is told whole.
  std::size_t dropped_ = 0;
  std::optional<Clock::Time> told_at_;

  LogState state_;  ///< How much of the log is in this store, and of which log.
  std::unique_ptr<LogStream::Reading> reading_;
  std::vector<LogEntry> incoming_;
  bool is_taking_ = false;
  Timer take_again_;
  std::vector<Gone> gone_;  ///< What this instance may still come upon.
  std::vector<std::shared_ptr<Sweep>> sweeps_;
  std::vector<std::unique_ptr<LogStream::Reading>> read_;  ///< By sweeps that have ended.
  const std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace parley::cluster
