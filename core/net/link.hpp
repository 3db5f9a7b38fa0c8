#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/buffers_iterator.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/role.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "net/frame.hpp"

namespace parley::net {

/// The bytes of one connection, plain or over TLS: a stream as Beast wants one, with a queue for what goes
/// out. Whatever is sent while a write is under way leaves together in the next one, so that a system
/// call carries many frames. A handle: copies are the same connection. On the gateway's thread.
class Link {
 public:
  using executor_type = boost::asio::ip::tcp::socket::executor_type;
  using next_layer_type = boost::asio::ip::tcp::socket;

  /// @param tls        null: plain
  /// @param max_queue  more bytes than this in the queue, for two seconds on end, end the connection (W-5):
  /// what
  ///                   counts is what the peer leaves unread, not how much comes at a time
  Link(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls, std::size_t max_queue);

  executor_type get_executor() { return state_->socket.get_executor(); }
  next_layer_type& next_layer() noexcept { return state_->socket; }

  bool is_tls() const noexcept { return state_->tls.has_value(); }
  template <class Token>
  auto async_handshake(Token&& token) {
    return state_->tls->async_handshake(boost::asio::ssl::stream_base::server, std::forward<Token>(token));
  }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    if (state_->tls) return state_->tls->async_read_some(buffers, std::forward<Token>(token));
    return state_->socket.async_read_some(buffers, std::forward<Token>(token));
  }

  /// Queues a copy, and is done at once.
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    namespace asio = boost::asio;
    auto copy = std::make_shared<const std::string>(asio::buffers_begin(buffers), asio::buffers_end(buffers));
    const auto queue = [this](auto handler, FramePtr bytes) {
      const std::size_t size = bytes->size();
      send(std::move(bytes));
      flush();
      const auto result = state_->dead ? Failure(asio::error::broken_pipe) : Failure();
      asio::post(state_->socket.get_executor(), [handler = std::move(handler), result, size]() mutable {
        std::move(handler)(result, result ? 0 : size);
      });
    };
    return asio::async_initiate<Token, void(Failure, std::size_t)>(queue, token, std::move(copy));
  }

  /// Puts bytes into the queue; flush() sends them.
  /// @param charge  let go of when the peer has taken them, or forgive() was called; may be null
  void send(FramePtr bytes, ChargePtr charge = nullptr);
  void flush() { write(state_); }
  std::size_t queued() const noexcept { return state_->bytes; }
  /// Frames that wait, or are being sent.
  std::size_t queued_frames() const noexcept { return state_->queue.size(); }
  /// Bytes the peer has taken so far.
  std::uint64_t taken() const noexcept { return state_->taken; }
  /// Its peer reads too slowly to hold up those whose frames it is sent: what is queued charges nobody any
  /// more.
  void forgive();
  /// Ends it if the bound of the queue has been passed for too long. @returns whether it is passed
  bool end_if_slow();
  /// Whether the peer was too slow: its queue was full.
  bool overflowed() const noexcept { return state_->overflowed; }

  /// Whether the peer has ended its side; bytes of it may still have to be read.
  bool peer_is_gone() const;

  /// Nothing more will be sent: the peer is told once the queue is empty.
  void finish();
  /// Ends it now, with whatever is under way.
  void close();
  bool is_closed() const noexcept { return state_->dead; }

 private:
  using Failure = boost::system::error_code;

  /// Shared with the operations under way, which outlive a handle.
  struct State {
    State(boost::asio::ip::tcp::socket of, boost::asio::ssl::context* context, std::size_t most);
    boost::asio::ip::tcp::socket socket;
    std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls;
    std::size_t max_queue;
    struct Queued {
      FramePtr bytes;
      ChargePtr charge;
    };
    std::deque<Queued> queue;
    std::size_t offset = 0;  ///< Bytes of the first that are sent.
    std::size_t bytes = 0;
    std::uint64_t taken = 0;
    std::optional<std::chrono::steady_clock::time_point> over_since;  ///< The queue's bound is passed.
    std::string record;                                               ///< TLS only: what is being written.
    bool writing = false, finishing = false, overflowed = false, dead = false;
  };
  using StatePtr = std::shared_ptr<State>;

  static void write(const StatePtr& state);
  static void write_plain(const StatePtr& state);
  static void write_tls(const StatePtr& state);
  static void written(const StatePtr& state, const Failure& failed, std::size_t bytes);
  static void end(const StatePtr& state);

  StatePtr state_;
};

/// How Beast ends the connection after the WebSocket's closing handshake.
template <class Handler>
void async_teardown(boost::beast::role_type, Link& link, Handler&& handler) {
  link.finish();
  boost::asio::post(link.get_executor(), [handler = std::forward<Handler>(handler)]() mutable {
    std::move(handler)(boost::system::error_code());
  });
}

}  // namespace parley::net
