#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/settings.hpp"

namespace parley::cluster {

/// What came in. Valid during the call.
struct NatsIncoming {
  std::uint64_t subscription = 0;
  std::string_view subject, reply, payload;
  std::string_view status;     ///< Of an answer that has one: `503` where nobody answers.
  std::string_view operation;  ///< Of a key: `DEL` or `PURGE`.
};

/// Who hears what comes in. Called on threads of the library, and from the connection's own functions.
class NatsListener {
 public:
  virtual void received(const NatsIncoming& what) = 0;
  virtual void connection(bool is_up) = 0;
  /// From here on NatsConnection::read() is to be called whenever there is something to read at that socket;
  /// -1: no longer. It stays the connection's, and is closed after the call.
  virtual void socket(int descriptor) = 0;
  /// NatsConnection::write() is to be called soon.
  virtual void writes() = 0;

 protected:
  ~NatsListener() = default;
};

/// A connection to NATS: what the shared object has that is built with NATS' library. From any thread. With
/// TLS it has threads of its own; without, whoever listens reads and writes its socket, which spares each
/// message two threads that have to wake.
class NatsConnection {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;
  /// Ends it; nobody is called any more.
  virtual ~NatsConnection() = default;
  virtual void publish(const std::string& subject, const std::string& reply, const Headers& headers,
                       std::string_view payload) = 0;
  /// @returns 0 where that failed
  virtual std::uint64_t subscribe(const std::string& subject) = 0;
  virtual void unsubscribe(std::uint64_t subscription) = 0;
  virtual std::size_t max_payload() = 0;
  /// Takes what has come in. Does not block, like write(); both from one thread.
  virtual void read() = 0;
  /// Sends what waits. @returns whether it has to be called again once the socket takes more
  virtual bool write() = 0;
};

/// What the shared object exports, as `parley_nats_connect`. Null: `failure` says why.
/// @param fingerprint  of the host: another build's is refused
using NatsConnect = NatsConnection* (*)(const char* fingerprint, const ClusterSettings& settings,
                                        NatsListener& listener, std::string& failure);

/// Loads the shared object and connects.
/// @throws std::runtime_error with what to do
std::unique_ptr<NatsConnection> connect_nats(const ClusterSettings& settings, NatsListener& listener);

}  // namespace parley::cluster
