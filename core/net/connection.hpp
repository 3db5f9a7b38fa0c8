#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <parley/task.hpp>
#include <string>
#include <string_view>

#include "bus/inlet.hpp"
#include "net/client.hpp"
#include "net/grant.hpp"
#include "net/http.hpp"
#include "net/link.hpp"
#include "net/listening.hpp"
#include "net/ovos/translator.hpp"
#include "net/settings.hpp"
#include "net/topic_filter.hpp"
#include "runtime/cell.hpp"
#include "runtime/company.hpp"
#include "runtime/counters.hpp"

namespace parley::net {

/// What an operation is awaited with that gives its error code instead of throwing it.
inline constexpr auto kResult = boost::asio::as_tuple(boost::asio::use_awaitable);

class Connection;

/// What a connection needs from the gateway. On the gateway's thread.
class ConnectionOwner {
 public:
  virtual const GatewaySettings& settings() const = 0;
  /// Whether older names are understood and sent (W-6).
  virtual bool understands_older() const = 0;
  virtual Counters& counters() = 0;
  virtual Timers& timers() = 0;
  /// Why nothing is served yet, or any more; empty: everything is.
  virtual std::string unready() const = 0;
  virtual HttpEndpoints& endpoints() = 0;
  /// Null: no token is needed.
  virtual std::shared_ptr<const Grants> grants() const = 0;
  /// A wrong token came from that address. Returns whether to delay the answer: there were too many lately.
  virtual bool is_guessing(const std::string& address) = 0;
  /// Whether the owner of a token has as many connections as it may.
  virtual bool is_full(const Grant& grant) const = 0;
  /// Runs work that takes long on another thread, then `done` on this one.
  virtual void run_aside(std::function<void()> work, std::function<void()> done) = 0;
  /// Logs what a peer did that was not let in, as often as an Inlet allows.
  virtual void complain_of(const Client& client, const std::string& about, const std::string& text) = 0;
  /// Whether its owner may send one more message now.
  /// @param is_older  it registers phrase by phrase: once a minute many may come at a time
  virtual bool within_rate(const GrantPtr& grant, bool is_older) = 0;
  /// From here on it is sent what it wants.
  virtual void joined(Connection& connection) = 0;
  /// Waits for the older clients whose peers have hung up, until all they said has been received or is more
  /// than the loop takes at a time. A skill that is back at once would find itself still spoken for (W-3).
  virtual Task<> hear_out_the_gone(std::uint64_t newcomer) = 0;
  virtual void left(Connection& connection) = 0;
  /// @param bytes  what it came in
  virtual void received(Connection& connection, Received what, std::size_t bytes) = 0;
  /// One of more than `gateway.max_frame`: for those it names as its destination alone.
  /// @returns whether it is on its way: then its room is given back when it has arrived
  virtual bool received_oversized(Connection& connection, Received what, std::string_view text) = 0;
  /// Whether there is room for one more message of more than `gateway.max_frame`; end_oversized() gives it
  /// back.
  virtual bool begin_oversized() = 0;
  virtual void end_oversized() = 0;
  /// Counts and logs a message that is dropped, and the bytes it came in.
  virtual void drop(Connection& connection, const char* reason, const std::string& text,
                    std::size_t bytes) = 0;
  /// A client can't go on because others have not read what it caused. From here on those that hardly read
  /// don't count.
  virtual void forgive_slow() = 0;
  /// A client leaves too much unread. It is checked again until it has caught up or is disconnected.
  virtual void watch_slow() = 0;
  virtual void ended(Connection& connection) = 0;

 protected:
  ~ConnectionOwner() = default;
};

/// One peer: HTTP requests first, then perhaps the WebSocket of `/core`. On the gateway's thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// @param peer     its address and port
  /// @param surplus  there is no room for it: all it gets is told so (W-5)
  Connection(ConnectionOwner& owner, Link link, std::uint64_t id, const std::string& peer, bool surplus);

  /// From the first byte to the last; tells the owner when it has ended.
  static Task<> run(std::shared_ptr<Connection> self);

  const ClientPtr& client() const noexcept { return client_; }
  const GrantPtr& grant() const noexcept { return client_->grant; }  ///< Null: everything is allowed.
  bool wants_topic(std::string_view topic) const { return wants_topic(topic, topic); }
  /// @param granted_as  the current name of an older one: what its grant speaks of
  bool wants_topic(std::string_view topic, std::string_view granted_as) const;
  /// Of a topic it wants: whether it wants this very message, and may have it.
  bool wants(const Message& message) const;
  Inlet& inlet() noexcept { return inlet_; }
  ovos::Translator& translator() noexcept { return translator_; }
  const ovos::Translator& translator() const noexcept { return translator_; }
  Listening listening() const { return listening_of(filter_, grant(), asks_for_older()); }
  /// Whether it asked for topics that only older clients know.
  bool asks_for_older() const;
  /// When its translator is to be called; an earlier time is forgotten.
  void call_at(Timer timer) { due_ = std::move(timer); }
  /// From here on a message that is too large costs no more than itself (W-6).
  void allow_large();

  /// For a client: queues one frame; flush() sends what is queued.
  /// @param charge  borne by the client that caused the frame, until this peer has taken it
  void send(const FramePtr& frame, const ChargePtr& charge);
  void flush() { link_.flush(); }
  /// What was received() and is not done with yet: a peer that is ahead by too much is not read from.
  void add_unread(std::size_t bytes) noexcept;
  /// @param took  to deal with it, while others talk, too; else 0
  void acknowledge(std::size_t bytes, Clock::Time::duration took);
  /// Whether it is not to cause more until some of that is done.
  bool is_ahead() const noexcept;
  /// This many bytes that it caused are queued for others: it is not read from while they are too many (W-5).
  ChargePtr charge(std::size_t bytes);
  /// A message of it is dropped. A client with many such messages is not read from for a moment now and then.
  void note_drop(std::size_t bytes) noexcept {
    drops_ += 1 + bytes / kDropBytes;
    ++dropped_messages_;
  }
  /// How many of its messages were dropped.
  std::uint64_t dropped_messages() const noexcept { return dropped_messages_; }
  Link& link() noexcept { return link_; }
  void set_lagging(bool lags);

  /// Whether something was asked of the endpoints over it: what came of that may go on when it has ended.
  bool has_asked() const noexcept { return asked_; }
  /// Whether it can be closed to make room: it has said nothing that was let in for that long.
  bool is_idle_since(std::chrono::steady_clock::time_point moment) const;

  /// Whether its peer will send no more; what it has sent may still have to be read.
  bool peer_is_gone() { return link_.peer_is_gone(); }
  /// Of a client that has not left: returns when it has.
  static Task<> hear_out(std::shared_ptr<Connection> self);

  /// Says goodbye to a client, and goes when it has answered; anybody else gets what is due at once.
  void say_goodbye();
  void close();

 private:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using WebSocket = boost::beast::websocket::stream<Link>;

  static constexpr std::size_t kDropBytes =
      4'096;  ///< What goes nowhere counts as so many messages by its size.

  Task<> serve();
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  /// One request: its head first, and its body only if the client is let in.
  /// @returns whether another one may follow
  Task<bool> serve_request();
  Task<boost::system::error_code> read_body(std::shared_ptr<Parser> parser);
  Task<bool> refuse_bytes(boost::system::error_code why);
  Task<bool> respond(Request request, std::optional<HttpReply> refusal);
  Task<HttpReply> ask(HttpRequest request);
  Task<> write(Response response);
  /// Sends what is queued, and reads on until the peer has seen it: closing at once could take it back.
  Task<> linger();
  /// What speaks against a request by its head, whatever its target; nothing: it may go on.
  std::optional<HttpReply> refusal_of(const Request& request, const std::optional<Target>& target);
  std::optional<HttpReply> refusal_of_origin(const Request& request);
  /// Refuses a page whose owner pointed a name of their own here (DNS rebinding).
  std::optional<HttpReply> refusal_of_host(const Request& request);
  /// What a browser is told before it lets a page of another origin send a request (the CORS protocol).
  std::optional<HttpReply> preflight(const Request& request) const;
  bool is_listed_origin(const Request& request) const;
  std::optional<HttpReply> authenticate(const Request& request, const Target& target);
  HttpReply refusal_of(const boost::system::error_code& failed);
  Response response_for(const Request& request, HttpReply reply) const;

  std::size_t max_frame() const;

  Task<> serve_core(Request request);
  Task<> read_messages();
  /// One whole message into the buffer.
  Task<boost::system::error_code> read_message();
  Received understood(Decoded decoded);
  Task<> wait_until_caught_up();
  Task<> rest();
  /// Of the message in the buffer.
  Task<> take_large();
  bool is_oversized() const { return buffer_.size() > max_frame(); }
  Task<boost::system::error_code> wait_for_room();
  void leave();
  void send_goodbye();
  void explain_end(const boost::system::error_code& why);

  /// The connection ends unless disarm() comes first.
  void arm(std::chrono::milliseconds limit);
  void disarm() { timer_.cancel(); }

  ConnectionOwner& owner_;
  Link link_;
  ClientPtr client_;
  Inlet inlet_;
  ovos::Translator translator_;
  Timer due_;  ///< Of the translator.
  TopicFilter filter_;
  boost::beast::flat_buffer buffer_;
  boost::asio::steady_timer timer_;      ///< The bound of what is under way.
  boost::asio::steady_timer caught_up_;  ///< Cancelled when reading may go on.
  boost::asio::steady_timer left_;       ///< Cancelled when the client has left.
  std::optional<WebSocket> socket_;
  std::shared_ptr<Cell<HttpReply>> pending_;  ///< What a request waits for.
  std::size_t outstanding_ = 0, outstanding_bytes_ = 0;
  std::uint64_t dropped_messages_ = 0;
  std::size_t drops_ = 0;                  ///< Since it last rested for them.
  std::chrono::milliseconds drop_rest_{};  ///< How long that was.
  std::chrono::steady_clock::time_point dropped_{}, rested_until_{};
  Effort effort_;
  std::chrono::steady_clock::duration reading_took_{};  ///< Since the last was acknowledged.
  std::shared_ptr<std::size_t> on_its_way_ = std::make_shared<std::size_t>(0);  ///< Bytes, of charge().
  std::chrono::steady_clock::time_point idle_since_ = std::chrono::steady_clock::now();
  bool surplus_;
  bool asked_ = false;
  bool guessed_ = false;  ///< Its answer is held back: the token was one wrong one too many.
  bool joined_ = false;   ///< The WebSocket's opening handshake is done.
  std::vector<std::pair<FramePtr, ChargePtr>> held_;  ///< What is to be sent once it is.
  bool lags_ = false;                                 ///< It reads too slowly to hold up others.
  bool has_room_ = false;                             ///< For a message of more than max_frame().
  bool leaving_ = false;
};

}  // namespace parley::net
