#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "net/connection.hpp"
#include "net/gateway.hpp"
#include "net/handover.hpp"
#include "time/scope.hpp"

namespace parley::net {

/// Something a client did, on its way to the loop.
struct Inbound {
  enum class Kind { kJoined, kMessage, kAnswer, kLeft };
  Inbound(Kind what, ClientPtr who) : kind(what), client(std::move(who)) {}
  Kind kind;
  ClientPtr client;
  bool wants_traces = false;
  std::optional<Message> message;
};

/// The loop has dealt with that many messages of a client.
struct Acknowledgement {
  explicit Acknowledgement(std::uint64_t id) : client(id) {}
  std::uint64_t client;
};
using Outbound = std::variant<Message, Acknowledgement>;

/// The inside of a Gateway. On the gateway's thread, but for what says otherwise.
class Gateway::Server final : public ConnectionOwner {
 public:
  Server(GatewaySettings settings, Counters& counters, ClientListener& clients, HttpEndpoints& endpoints,
         Post post);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void open();
  void close(std::chrono::milliseconds bound);  ///< From another thread.
  const boost::asio::ip::tcp::endpoint& endpoint() const noexcept { return endpoint_; }

  const GatewaySettings& settings() const override { return settings_; }
  Counters& counters() override { return counters_; }
  Timers& timers() override { return timers_; }
  std::string unready() const override;
  void set_unready(std::string reason);
  HttpEndpoints& endpoints() override { return endpoints_; }
  void set_settings(GatewaySettings settings);  ///< From any thread.
  std::shared_ptr<const Grants> grants() const override;
  void set_grants(Grants grants);  ///< From any thread.
  void complain_of(const Client& client, const std::string& about, const std::string& text) override;
  bool within_rate(const GrantPtr& grant) override;
  void joined(Connection& connection) override;
  Task<> hear_out_the_gone(std::uint64_t newcomer) override;
  void left(Connection& connection) override;
  void received(Connection& connection, Received what) override;
  void ended(Connection& connection) override;

  void send(const Message& message);  ///< On the loop, as the next.
  void send(Outbound what);
  void complain(const ClientPtr& client, std::string about, std::string text);
  std::size_t connections() const noexcept { return count_; }

 private:
  void accept();
  void accepted(boost::asio::ip::tcp::socket socket);
  /// What a client says that it may not; empty: it may.
  std::string refusal_of(const Connection& connection, const Message& message, const char*& reason);
  void drop(Connection& connection, const char* reason, const std::string& text);

  void hand_over(Inbound what);
  void post_take_inbound(bool going_on);
  void take_inbound(bool going_on);  ///< On the loop.
  void deal_with(const Inbound& what);

  void take_outbound(bool going_on);
  void deliver(const Message& message);
  /// @param granted_as  the current name of its topic, when that is an older one
  void deliver(const Message& message, std::string_view granted_as);
  const std::vector<Connection*>& receivers_of(const std::string& topic, std::string_view granted_as);

  void begin_end(std::chrono::milliseconds bound);

  GatewaySettings settings_;
  Counters& counters_;
  ClientListener& listener_;
  HttpEndpoints& endpoints_;
  Post post_;

  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{io_.get_executor()};
  SteadyClock clock_;
  LoopTimers timers_{io_, clock_};
  Inlet door_{timers_, "the door"};  ///< For those that don't get past it.
  boost::asio::ip::tcp::acceptor acceptor_{io_};
  boost::asio::steady_timer pause_{io_};  ///< Before the next try, when a connection can't be accepted.
  boost::asio::steady_timer bound_{io_};
  boost::asio::ip::tcp::endpoint endpoint_;
  mutable std::mutex mutex_;
  std::string unready_ = "the assistant is starting";  ///< Guarded by mutex_, as the next.
  std::shared_ptr<const Grants> grants_ = std::make_shared<const Grants>();
  std::map<std::string, Rate, std::less<>> rates_;  ///< By client of a grant.
  std::shared_ptr<boost::asio::ssl::context> tls_;  ///< For connections to come; null: plain.

  std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections_;
  std::map<std::uint64_t, Connection*> clients_;                         ///< Those on `/core`.
  std::unordered_map<std::string, std::vector<Connection*>> receivers_;  ///< Clients by topic, as asked for.
  std::uint64_t last_id_ = 0;
  std::atomic<std::size_t> count_{0};
  std::atomic<std::size_t> client_count_{0};
  bool closing_ = false;

  Handover<Inbound> inbound_;
  std::deque<Inbound> inbound_rest_;  ///< On the loop; when not empty, take_inbound() has been posted.
  Handover<Outbound> outbound_;
  std::deque<Outbound> outbound_rest_;  ///< Likewise.
  /// On the loop: of utterances that came when too many waited. They are acknowledged as others end, so
  /// whoever sends more than can be taken is not read from (W-5).
  std::deque<Acknowledgement> held_back_;
  /// What is posted to the loop may come to run when this is gone.
  std::shared_ptr<char> alive_ = std::make_shared<char>();

  Scope scope_;
  std::thread thread_;
};

}  // namespace parley::net
