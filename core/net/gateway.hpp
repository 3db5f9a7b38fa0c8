#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <parley/message.hpp>
#include <string>
#include <utility>
#include <vector>

#include "net/client.hpp"
#include "net/grant.hpp"
#include "net/http.hpp"
#include "net/listening.hpp"
#include "net/ovos/translator.hpp"
#include "net/settings.hpp"
#include "runtime/counters.hpp"

namespace parley::net {

/// A connection as it is now.
struct ConnectionState {
  explicit ConnectionState(ClientPtr who) : client(std::move(who)) {}
  ClientPtr client;
  bool is_client = false;           ///< It is on `/core`; else it asks over HTTP.
  bool is_older = false;            ///< It speaks an older form of the protocol (W-6).
  std::size_t queued_bytes = 0;     ///< What it has yet to be sent.
  std::size_t queued_messages = 0;  ///< Likewise.
  std::uint64_t sent_bytes = 0;     ///< What it has taken.
  std::uint64_t dropped = 0;        ///< Messages of it that went nowhere.
};

/// Receives what clients do. Called on the loop.
class ClientListener {
 public:
  /// @param listening  traces of turns are only made while a client hears them
  virtual void joined(const ClientPtr& client, const Listening& listening) = 0;
  /// One sound message, as it came.
  virtual void received(const ClientPtr& client, const Message& message) = 0;
  /// What an older client says to others of its kind, under a topic with ':' that may be no dispatch (W-6).
  virtual void relayed(const ClientPtr& client, const Message& message) = 0;
  /// What an older client wants to know; Gateway::tell() has the answer.
  virtual void asked(const ClientPtr& client, ovos::Query query, const Message& question) = 0;
  /// What the core answers to a carrier that is no object (S-3).
  virtual void answer(const Message& message) = 0;
  /// @param gone  clients whose connection had ended before this one began, though they will be received from
  virtual void comes_after(const ClientPtr& client, const std::vector<std::uint64_t>& gone) = 0;
  virtual void left(const ClientPtr& client) = 0;
  /// How many utterances of that client wait for their turn.
  virtual std::size_t waiting(const ClientPtr& client) const = 0;

 protected:
  ~ClientListener() = default;
};

/// The door: WebSocket clients on `/core` and HTTP, on one port, with a thread of its own (section W).
/// What clients send is decoded there and handed to the loop in batches; what the bus carries comes back
/// the same way and is serialised once, however many clients get it.
class Gateway {
 public:
  using Post = std::function<void(std::function<void()>)>;

  /// @param settings  its files by names that can be opened
  /// @param entries  those of the pipeline that there are, for sessions of older clients
  /// @param post  runs something on the loop, from any thread
  /// What it is given must outlive it.
  Gateway(GatewaySettings settings, Session::Strings entries, Counters& counters, ClientListener& clients,
          HttpEndpoints& endpoints, Post post);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  /// @throws std::runtime_error naming the file that can't be used for TLS
  static void check_certificate(const GatewaySettings& settings);
  /// Listens, and begins to serve. Until set_ready() all but `/health` is refused with 503.
  /// @throws std::runtime_error naming the address and what to do
  void open();
  /// The address and port it listens on.
  std::string address() const;
  unsigned short port() const;

  /// From any thread.
  void set_ready();
  /// From here on new requests are refused with 503, and `/health` says why. From any thread.
  void set_unready(std::string reason);
  /// Why it is not ready; empty: it is.
  std::string unready() const;

  /// Other limits, origins and certificates, for connections from here on; whether older names hold, for
  /// all. The address and whether there is TLS stay as they are. From any thread.
  /// @throws std::runtime_error when the certificate can't be used; then nothing changes
  void set_settings(GatewaySettings settings);
  /// The grants of tokens; nothing: everybody may do everything. For new connections. From any thread.
  void set_grants(std::optional<Grants> grants);

  /// For the bus: sends a message to the clients that want it. On the loop.
  /// @param owner  the client whose skill it is addressed to; 0: none
  void send(const Message& message, std::uint64_t owner);
  /// To the older clients alone, past the bus. On the loop.
  void relay(const Message& message);
  /// The answer to what a client asked. On the loop.
  void tell(std::uint64_t client, ovos::Query query, const Message& question, Json answer);
  /// An utterance of that client that had to wait has begun. On the loop.
  void begun(std::uint64_t client);
  /// Logs something a client did wrong, as often as its Inlet allows. From any thread.
  void complain(const ClientPtr& client, std::string about, std::string text);
  /// Lists the connections, in the order in which they came. From any thread.
  /// @param done  called on the gateway's thread; never once that has ended
  void list(std::function<void(std::vector<ConnectionState>)> done);

  /// Takes no new connections, says goodbye to clients, and ends. Waits for that, for no longer than
  /// `bound`. Not on the gateway's own thread.
  void close(std::chrono::milliseconds bound);

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace parley::net
