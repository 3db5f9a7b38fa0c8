#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#include "net/audience.hpp"
#include "net/connection.hpp"
#include "net/gateway.hpp"
#include "net/handover.hpp"
#include "net/inbound_queue.hpp"
#include "runtime/company.hpp"
#include "runtime/scope.hpp"

namespace parley::net {

/// The loop has dealt with a message of a client that came in so many bytes.
struct Acknowledgement {
  Acknowledgement(std::uint64_t id, std::size_t size, Clock::Time::duration work = {})
      : client(id), bytes(size), took(work) {}
  std::uint64_t client;
  std::size_t bytes;
  Clock::Time::duration took;  ///< If others talk too: it rests after that. Else 0.
};
/// A message of the bus, and the client whose skill it is addressed to; 0: none.
struct Delivery {
  Delivery(Message what, std::uint64_t whose, bool past_bus)
      : message(std::move(what)), owner(whose), relayed(past_bus) {}
  Message message;
  std::uint64_t owner;
  bool relayed;  ///< For the older clients alone.
};
/// What a client asked, and the answer.
struct Answer {
  Answer(std::uint64_t id, ovos::Query what, Message asked, Json said)
      : client(id), query(what), question(std::move(asked)), answer(std::move(said)) {}
  std::uint64_t client;
  ovos::Query query;
  Message question;
  Json answer;
};
using Outbound = std::variant<Delivery, Answer, Acknowledgement>;

/// The inside of a Gateway. On the gateway's thread, but for what says otherwise.
class Gateway::Server final : public ConnectionOwner {
 public:
  Server(GatewaySettings settings, Session::Strings entries, Counters& counters, ClientListener& clients,
         HttpEndpoints& endpoints, Post post);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void open();
  void close(std::chrono::milliseconds bound);  ///< From another thread.
  const boost::asio::ip::tcp::endpoint& endpoint() const noexcept { return endpoint_; }

  const GatewaySettings& settings() const override { return settings_; }
  bool understands_older() const override { return terms_.compat; }
  Counters& counters() override { return counters_; }
  Timers& timers() override { return timers_; }
  std::string unready() const override;
  void set_unready(std::string reason);
  HttpEndpoints& endpoints() override { return endpoints_; }
  void set_settings(GatewaySettings settings);  ///< From any thread.
  std::shared_ptr<const Grants> grants() const override;
  void set_grants(std::optional<Grants> grants);  ///< From any thread.
  bool is_guessing(const std::string& address) override;
  bool is_full(const Grant& grant) const override;
  void run_aside(std::function<void()> work, std::function<void()> done) override;
  void complain_of(const Client& client, const std::string& about, const std::string& text) override;
  bool within_rate(const GrantPtr& grant, bool is_older) override;
  void joined(Connection& connection) override;
  Task<> hear_out_the_gone(std::uint64_t newcomer) override;
  void left(Connection& connection) override;
  void received(Connection& connection, Received what, std::size_t bytes) override;
  bool received_oversized(Connection& connection, Received what, std::string_view text) override;
  bool begin_oversized() override;
  void end_oversized() override { --*oversized_; }
  void drop(Connection& connection, const char* reason, const std::string& text, std::size_t bytes) override;
  void forgive_slow() override;
  void watch_slow() override;
  void ended(Connection& connection) override;

  void send(const Message& message, std::uint64_t owner, bool relayed);  ///< On the loop, as the next two.
  void begun(std::uint64_t client);
  void send(Outbound what);
  void complain(const ClientPtr& client, std::string about, std::string text);
  void list(std::function<void(std::vector<ConnectionState>)> done);  ///< From any thread.

 private:
  void accept();
  void accepted(boost::asio::ip::tcp::socket socket);
  /// Makes room for a connection from that address by closing one that is not used.
  bool make_room_for(const std::string& address);

  void hand_over(Inbound what);
  void post_take_inbound(bool going_on);
  void take_inbound(bool going_on);  ///< On the loop.
  void deal_with(const Inbound& what);
  void take_message(const Inbound& what, Clock::Time began);
  /// What took so long since then, if a client has to rest after it.
  Clock::Time::duration work_since(const Client& client, Clock::Time began);

  /// On the loop: of a client's utterances that wait, what they came in.
  struct Line {
    std::deque<std::size_t> waiting;
    std::size_t bytes = 0;
    std::deque<std::size_t> held;  ///< Those that are not acknowledged: the client is not read from.
    bool is_long() const noexcept;
  };

  // Older clients: server_older.cpp
  /// What came of a message of a client goes its ways.
  /// @param bytes  what it came in
  void take_said(Connection& connection, ovos::Said said, std::size_t bytes);
  void pass(Connection& connection, Message message, std::size_t bytes);
  void call_when_due(Connection& connection);
  /// Asks the translators that have to say something to a message, and keeps what they say for deliver().
  void translate(const Delivery& delivery);
  void translate_for(Connection& client, const Message& message, bool is_own);
  void answer(const Answer& answer);
  /// To one client, if it wants the topic; an older one gets the session in its form.
  void send_to(Connection& client, const Message& message, std::string_view granted_as);
  Message told(const Connection& client, const Message& message);
  double unix_now() const { return unix_seconds(clock_.wall()); }

  bool is_unheard(const Message& message) const;  ///< On the loop.
  void take_outbound(bool going_on);
  void deliver(const Delivery& delivery);
  void deliver_relayed(const Message& message);
  /// To those that want the topic.
  /// @param granted_as  the current name of its topic, when that is an older one: for older clients alone
  void deliver(const Message& message, std::string_view granted_as);
  void deliver_answer(Connection& client, const Message& message);
  ChargePtr charge_of(const Message& message, std::size_t bytes) const;
  const std::vector<Connection*>& receivers_of(const std::string& topic, std::string_view granted_as);

  void begin_end(std::chrono::milliseconds bound);

  GatewaySettings settings_;
  ovos::Terms terms_;  ///< By the settings.
  Counters& counters_;
  const Counter received_, sent_;  ///< Messages.
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
  boost::asio::steady_timer watch_{io_};  ///< Before the next look at those that leave too much unread.
  boost::asio::ip::tcp::endpoint endpoint_;
  mutable std::mutex mutex_;
  std::string unready_ = "the assistant is starting";  ///< Guarded by mutex_, as the next.
  std::shared_ptr<const Grants> grants_;
  std::map<std::string, Rate, std::less<>> rates_;    ///< By client of a grant.
  std::map<std::string, Rate, std::less<>> bursts_;   ///< Likewise, of older clients.
  std::map<std::string, Rate, std::less<>> guesses_;  ///< Wrong tokens, by address.
  std::shared_ptr<boost::asio::ssl::context> tls_;    ///< For connections to come; null: plain.

  std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections_;
  std::map<std::uint64_t, Connection*> clients_;                         ///< Those on `/core`.
  std::unordered_map<std::string, std::vector<Connection*>> receivers_;  ///< Clients by topic, as asked for.
  std::uint64_t last_id_ = 0;
  std::atomic<std::size_t> client_count_{0};
  std::atomic<std::uint64_t> joined_{0};  ///< Clients that ever came to `/core`.
  std::atomic<bool> has_older_{false};    ///< One of them was recognised as older.
  bool closing_ = false;
  /// Messages of more than max_frame that are in memory; outlives them.
  std::shared_ptr<std::size_t> oversized_ = std::make_shared<std::size_t>(0);
  std::unordered_map<std::uint64_t, ovos::Heard> heard_;  ///< By client, of the message being delivered.
  std::pair<SessionPtr, SessionPtr> older_session_;       ///< The latest, and as older clients are told it.

  Handover<Inbound> inbound_;
  InboundQueue inbound_rest_;  ///< On the loop; when not empty, take_inbound() has been posted.
  Handover<Outbound> outbound_;
  std::deque<Outbound> outbound_rest_;             ///< Likewise.
  Company company_;                                ///< On the loop, as the next.
  Audience audience_;                              ///< Likewise.
  std::uint64_t known_ = 0;                        ///< Likewise: clients that came, as far as is known there.
  std::unordered_map<std::uint64_t, Line> lines_;  ///< On the loop.
  std::map<std::uint64_t, std::uint64_t> taken_;   ///< What clients had read when forgive_slow() last looked.
  SteadyClock::Time looked_;
  bool watches_ = false;
  /// What is posted to the loop may come to run when this is gone.
  std::shared_ptr<char> alive_ = std::make_shared<char>();

  Scope scope_;
  std::thread thread_;
  boost::asio::thread_pool aside_{1};  ///< Reads large messages.
};

}  // namespace parley::net
