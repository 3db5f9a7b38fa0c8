#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <parley/clock.hpp>
#include <parley/message.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/company.hpp"

namespace parley {

/// How many turns there may be at a time (W-5).
struct TurnLimits {
  TurnLimits() = default;
  std::size_t in_flight = 1024;  ///< In all, of those that don't wait for the user; later ones wait.
  std::size_t of_client = 256;   ///< Of one client, likewise.
  std::size_t of_session = 64;   ///< Of one session of a client, likewise: a hub speaks for many.
  std::size_t questions =
      256;  ///< Of one client, that wait for the user; the first of them ends when there are more.
  /// Shares of clients that differ from `of_client`; empty: none do.
  std::function<std::optional<std::size_t>(const Sender&)> granted;
};

/// Whose turns are under way, and whose wait: a client that has used up its share waits for itself, and those
/// that wait begin in turn, by client and within a client by session. What this process says itself has no
/// share. On the loop's thread.
///
/// Few turns of a client begin at a time: the next ones do when those have ended, wait for the user, or have
/// been under way for a moment, as turns do that wait for something slow. So a client that floods has no more
/// than a few steps queued on the loop in front of another client's. While others talk, it also rests between
/// its turns: on processors that are never idle, threads that wake up would have to wait.
class TurnShares {
 public:
  /// @param clock  outlives this
  explicit TurnShares(const Clock& clock) : clock_(clock) {}
  void set_limits(TurnLimits limits) { limits_ = std::move(limits); }

  /// Whether a turn may begin now. A client's first few may always.
  bool may_begin(const Message& entry) const;
  /// Whether there is room for it where it must not wait: a client has a few places beyond its share.
  bool may_begin_urgently(const Message& entry) const;
  void began(const Message& entry);
  void ended(const Message& entry);
  /// It begins or ends to wait for the user.
  /// @returns the first turn of the same client that waits, when too many do; it should end, and no longer
  /// counts
  ///          as one that waits
  std::optional<std::string> waits_for_user(const Message& entry, bool waits);

  /// Lets a turn wait until it may begin.
  void wait(Message entry);
  /// The next that waited and may begin now.
  std::optional<Message> next(Clock::Time now);
  /// When to ask again, though no turn has ended until then. Nothing: no sooner than one does.
  /// @param now  as next() was told when it had none: a later one would miss whose time came in between
  std::optional<Clock::Time> next_time(Clock::Time now) const;
  /// All that wait, in no particular order.
  std::vector<Message> take_waiting();
  std::size_t waiting() const noexcept { return waiting_; }
  std::size_t waiting_of(std::uint64_t client) const;
  /// Turns under way that don't wait for the user, and whose clients are there.
  std::size_t busy() const noexcept { return busy_; }

  /// A client has gone. What it has under way goes on, but counts with what its owner's other clients left
  /// behind.
  struct Left {
    Left() = default;
    std::vector<Message> waiting;  ///< Their clients have gone, and they can't have an effect.
    std::vector<std::string>
        surplus;  ///< Turns that should end: the owner left more behind than one client may have.
  };
  Left departed(std::uint64_t client);

 private:
  struct Line {
    std::map<std::string, std::deque<Message>, std::less<>> sessions;
    std::deque<std::string> turns;  ///< The next session first.
    std::size_t size = 0;
  };
  struct Asking {
    std::string id, session;
  };
  struct Beginning {
    std::string id;
    Clock::Time until;
  };
  struct Share {
    std::string owner;
    std::size_t busy = 0;
    std::unordered_map<std::string, std::size_t> sessions;  ///< Busy turns by session.
    std::vector<std::string> turns;                         ///< All of them, the oldest first.
    std::vector<Asking> asking;                             ///< Those that wait for the user, likewise.
    std::deque<Beginning> beginning;                        ///< Those that began a moment ago, likewise.
    Clock::Time rests_until = Clock::Time::min();           ///< No other begins before, while others talk.
    Line line;
    bool is_empty() const noexcept { return turns.empty() && line.size == 0; }
  };
  using Shares = std::unordered_map<std::uint64_t, Share>;

  static std::uint64_t client_of(const Message& entry);
  /// Whether it was one of those that ask.
  static bool take_asking(Share& share, const std::string& id);
  /// It no longer counts as one that begins.
  void has_begun(Share& share, const std::string& id) const;
  void count_busy(Share& share, const std::string& session);
  void count_idle(Share& share, const std::string& session);
  /// How many turns a client may have under way.
  std::size_t most_of(const Sender& sender) const;
  /// Whether another turn of that client may begin, whatever its session.
  bool has_room(const Share& share, const SenderPtr& sender, Clock::Time now) const;
  bool session_has_room(const Share& share, const Message& entry) const;
  /// When a turn of that client may begin, as far as those go that began a moment ago.
  Clock::Time free_at(const Share& share, Clock::Time now) const;
  const Share& share_of(const Message& entry) const;
  std::optional<Message> next_of(Share& share, Clock::Time now);
  void forget(Shares::iterator share);

  const Clock& clock_;
  Company company_;
  TurnLimits limits_;
  Shares shares_;                    ///< By client; none is empty. 0: this process.
  std::deque<std::uint64_t> turns_;  ///< Clients that wait, the next first.
  /// By owner: turns under way whose clients have gone, the oldest first.
  std::map<std::string, std::vector<std::string>, std::less<>> left_behind_;
  std::size_t busy_ = 0, waiting_ = 0;
};

}  // namespace parley
