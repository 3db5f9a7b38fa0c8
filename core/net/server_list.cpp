// Who is connected, for those who run it.
#include <algorithm>
#include <boost/asio/post.hpp>

#include "net/server.hpp"

namespace parley::net {

void Gateway::Server::list(std::function<void(std::vector<ConnectionState>)> done) {
  boost::asio::post(io_, [this, done = std::move(done)] {
    std::vector<ConnectionState> all;
    all.reserve(connections_.size());
    for (const auto& [id, connection] : connections_) {
      ConnectionState& one = all.emplace_back(connection->client());
      one.is_client = clients_.contains(id);
      one.is_older = connection->translator().is_older();
      one.queued_bytes = connection->link().queued();
      one.queued_messages = connection->link().queued_frames();
      one.sent_bytes = connection->link().taken();
      one.dropped = connection->dropped_messages();
    }
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.client->id < b.client->id; });
    done(std::move(all));
  });
}

void Gateway::list(std::function<void(std::vector<ConnectionState>)> done) {
  server_->list(std::move(done));
}

}  // namespace parley::net
