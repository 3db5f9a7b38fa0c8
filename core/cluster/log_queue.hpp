#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "cluster/log_name.hpp"
#include "store/rows.hpp"
#include "store/turn_copy.hpp"

namespace parley::cluster {

/// Something of this instance's log that the others are to have.
struct OwnEntry {
  OwnEntry(LoggedTurn turn, const std::string& instance);
  OwnEntry(const ToldEvent& event, const std::string& instance);

  /// What the others forget of it.
  ForgottenObjects objects() const;

  LogName name;
  std::string owner, id;       ///< id: of the turn, or of the event.
  std::int64_t logged = 0;     ///< When it was over, in Unix milliseconds.
  std::string text;            ///< LoggedTurn::json, or that of a SharedRow.
  std::uint64_t sequence = 0;  ///< In the log of all; 0: it is not known.
  bool was_sent = false;       ///< It may be in the log of all.
  bool is_forgotten = false;
};

/// What waits to be told, in the order in which it came. Of one owner as much waits as is still free for the
/// others, half of it at most, so that nobody fills it for all.
class LogQueue {
 public:
  LogQueue(std::size_t most, std::size_t most_bytes) : most_(most), most_bytes_(most_bytes) {}

  bool empty() const noexcept { return entries_.empty(); }
  bool has_room_for(const OwnEntry& entry) const;
  void push_back(OwnEntry entry);
  /// One that was taken, and has to be told again.
  void push_front(OwnEntry entry);
  OwnEntry pop_front();
  /// Calls `each`, and drops those for which it says so.
  template <class Each>
  void drop(Each each) {
    std::erase_if(entries_, [this, &each](OwnEntry& entry) {
      const bool goes = each(entry);
      if (goes) count(entry, false);
      return goes;
    });
  }
  const std::deque<OwnEntry>& entries() const noexcept { return entries_; }

 private:
  struct Share {
    std::size_t count = 0, bytes = 0;
  };
  void count(const OwnEntry& entry, bool comes);

  const std::size_t most_, most_bytes_;
  std::deque<OwnEntry> entries_;
  Share all_;
  std::map<std::string, Share> shares_;  ///< By owner.
};

}  // namespace parley::cluster
