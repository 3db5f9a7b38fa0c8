#include "net/inbound_queue.hpp"

#include <algorithm>

namespace parley::net {
namespace {

constexpr std::size_t kTurn = 4'096;       ///< Bytes a client may have taken before the next one's turn.
constexpr std::size_t kMessage = 256;      ///< What a message costs beside its bytes.
constexpr std::size_t kMostCost = 65'536;  ///< A large message is worth so many turns at most.

std::size_t cost_of(const Inbound& what) {
  return std::min(kMessage + what.bytes, kMostCost);
}

}  // namespace

void InboundQueue::push(Inbound what) {
  if (what.kind == Inbound::Kind::kAfter) {
    for (const auto& [id, line] : lines_) {
      if (line.things.back().kind == Inbound::Kind::kLeft) what.behind.push_back(id);
    }
  }
  const std::uint64_t client = what.client->id;
  auto [line, is_new] = lines_.try_emplace(client);
  if (is_new) turns_.push_back(client);
  line->second.things.push_back(std::move(what));
  ++size_;
}

bool InboundQueue::is_blocked(const Inbound& what) const {
  return std::any_of(what.behind.begin(), what.behind.end(),
                     [&](std::uint64_t gone) { return lines_.contains(gone); });
}

Inbound InboundQueue::pop() {
  for (;;) {
    ++looked_at_;
    const std::uint64_t client = turns_.front();
    Line& line = lines_.at(client);
    const std::size_t cost = cost_of(line.things.front());
    if (line.credit < cost || is_blocked(line.things.front())) {
      line.credit = std::min(line.credit + kTurn, kMostCost);
      turns_.pop_front();
      turns_.push_back(client);
      continue;
    }
    line.credit -= cost;
    Inbound next = std::move(line.things.front());
    line.things.pop_front();
    --size_;
    if (line.things.empty()) {
      lines_.erase(client);
      turns_.pop_front();
    }
    return next;
  }
}

}  // namespace parley::net
