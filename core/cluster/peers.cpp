#include "cluster/peers.hpp"

#include <algorithm>

namespace parley::cluster {

void OwnClients::join(const net::ClientPtr& client, const net::Listening& listening) {
  Own& own = all_[client->id];
  own.client = client;
  own.listening = listening;
}

OwnClients::Own* OwnClients::find(std::uint64_t client) {
  const auto found = all_.find(client);
  return found == all_.end() ? nullptr : &found->second;
}

bool OwnClients::any_hears_traces() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const auto& one) { return one.second.listening.hears_traces; });
}

}  // namespace parley::cluster
