#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/client.hpp"
#include "net/listening.hpp"
#include "net/ovos/translator.hpp"

namespace parley::net {

/// Something a client did, on its way to the loop.
struct Inbound {
  enum class Kind { kJoined, kMessage, kRelayed, kAsked, kAnswer, kLeft, kAfter };
  Inbound(Kind what, ClientPtr who) : kind(what), client(std::move(who)) {}
  Kind kind;
  ClientPtr client;
  Listening listening;  ///< kJoined.
  std::optional<Message> message;
  std::size_t bytes = 0;              ///< What it came in.
  ovos::Query query{};                ///< kAsked: what is asked, by the message.
  std::vector<std::uint64_t> behind;  ///< kAfter: clients that had left and are heard out first (W-3).
  std::vector<std::uint64_t>
      unread;  ///< kAfter: clients that have gone and left too much unread to wait for it.
};

/// What clients did, in order for each client, the clients in turn: a client that floods waits for itself
/// (deficit round robin: a turn is worth so many bytes, and what is too large for one waits for several).
class InboundQueue {
 public:
  /// kAfter is queued behind all clients that have left.
  void push(Inbound what);
  /// The next in turn. There must be one.
  Inbound pop();
  bool empty() const noexcept { return size_ == 0; }
  /// How many things were looked at to find the next ones: for tests of what that costs.
  std::uint64_t looked_at() const noexcept { return looked_at_; }

 private:
  struct Line {
    std::deque<Inbound> things;
    std::size_t credit = 0;
  };
  bool is_blocked(const Inbound& what) const;

  std::unordered_map<std::uint64_t, Line> lines_;  ///< By client; none is empty.
  std::deque<std::uint64_t> turns_;                ///< The next client first.
  std::size_t size_ = 0;
  std::uint64_t looked_at_ = 0;
};

}  // namespace parley::net
