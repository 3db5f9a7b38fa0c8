#pragma once

#include <cstddef>
#include <parley/message.hpp>

#include "net/client.hpp"
#include "net/listening.hpp"

namespace parley::net {

/// The other instances of a cluster, as whoever lets clients in sees them. On the loop.
class Elsewhere {
 public:
  virtual void joined(const ClientPtr& client, const Listening& listening) = 0;
  /// A message of a client that may say it; true: another instance deals with it.
  virtual bool takes(const ClientPtr& client, const Message& message) = 0;
  virtual void left(const ClientPtr& client) = 0;
  /// How many utterances of that client are under way elsewhere.
  virtual std::size_t waiting(std::uint64_t client) const = 0;

 protected:
  ~Elsewhere() = default;
};

}  // namespace parley::net
