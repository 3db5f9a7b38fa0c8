#include "cluster/peers.hpp"

#include <algorithm>

namespace parley::cluster {

void OwnClients::join(const net::ClientPtr& client, bool wants_traces) {
  Own& own = all_[client->id];
  own.client = client;
  own.wants_traces = wants_traces;
}

OwnClients::Own* OwnClients::find(std::uint64_t client) {
  const auto found = all_.find(client);
  return found == all_.end() ? nullptr : &found->second;
}

bool OwnClients::any_wants_traces() const {
  return std::any_of(all_.begin(), all_.end(), [](const auto& one) { return one.second.wants_traces; });
}

}  // namespace parley::cluster
