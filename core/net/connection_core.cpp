// The WebSocket of `/core` (section W).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "message/log.hpp"
#include "net/connection.hpp"

namespace parley::net {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;

constexpr std::size_t kMostOutstanding = 256;  ///< Messages of one client that the loop has yet to take.
constexpr std::size_t kMostKept = 65'536;      ///< Bytes of a read buffer that stay with an idle client.

}  // namespace

Task<> Connection::serve_core(Request request) {
  socket_.emplace(link_);
  websocket::stream_base::timeout bounds{};
  bounds.handshake_timeout = owner_.settings().request_timeout;
  bounds.idle_timeout = owner_.settings().ping_interval * 2;
  bounds.keep_alive_pings = true;
  socket_->set_option(bounds);
  socket_->set_option(websocket::stream_base::decorator(
      [](websocket::response_type& response) { response.set(boost::beast::http::field::server, "parley"); }));
  const bool bounded = grant_ && grant_->max_frame > 0;
  socket_->read_message_max(bounded ? grant_->max_frame : owner_.settings().max_frame);
  owner_.joined(*this);  // a client that was let in must not miss what is said from then on
  try {
    const auto [refused] = co_await socket_->async_accept(request, kResult);
    request = Request();
    if (refused) {
      owner_.complain_of(*client_, "handshake", fmt::format("no WebSocket: {}", refused.message()));
    } else {
      joined_ = true;
      for (const auto& frame : std::exchange(held_, {})) link_.send(frame);
      link_.flush();
      if (leaving_) send_goodbye();
      co_await owner_.hear_out_the_gone(client_->id);
      co_await read_messages();
    }
  } catch (...) {
    leave();
    throw;
  }
  leave();
}

void Connection::leave() {
  leaving_ = true;
  owner_.left(*this);
  left_.cancel();
}

Task<> Connection::hear_out(std::shared_ptr<Connection> self) {
  co_await self->left_.async_wait(kResult);
}

Task<> Connection::read_messages() {
  for (;;) {
    while (outstanding_ >= kMostOutstanding && !link_.is_closed()) {
      caught_up_.expires_at(asio::steady_timer::time_point::max());
      co_await caught_up_.async_wait(kResult);
    }
    const auto [failed, size] = co_await socket_->async_read(buffer_, kResult);
    if (failed) {
      explain_end(failed);
      co_return;
    }
    if (socket_->got_text()) {
      const auto bytes = buffer_.cdata();
      owner_.received(*this, inlet_.receive({static_cast<const char*>(bytes.data()), bytes.size()}));
    } else {
      inlet_.complain("binary",
                      "dropped a malformed message: a binary frame; messages are JSON in text frames");
      owner_.received(*this, Received());
    }
    buffer_.consume(buffer_.size());
    if (buffer_.capacity() > kMostKept) buffer_ = boost::beast::flat_buffer();
  }
}

/// Logs the end of a connection that was not the client's own wish.
void Connection::explain_end(const boost::system::error_code& why) {
  leaving_ = true;
  const auto tell = [this](const char* reason, const std::string& text) {
    owner_.counters().add(fmt::format("parley_gateway_disconnects_total{{reason=\"{}\"}}", reason));
    owner_.complain_of(*client_, reason, fmt::format("disconnected: {}", text));
  };
  if (link_.overflowed()) {
    tell("slow",
         fmt::format("it reads too slowly: more than {} bytes were waiting for it (gateway.max_queue)",
                     owner_.settings().max_queue));
  } else if (why == websocket::error::message_too_big || why == websocket::error::buffer_overflow) {
    tell("too_large",
         fmt::format("it sent a message of more than {} bytes ({})",
                     grant_ && grant_->max_frame > 0 ? grant_->max_frame : owner_.settings().max_frame,
                     grant_ && grant_->max_frame > 0 ? "its grant's max_frame" : "gateway.max_frame"));
  } else if (why == boost::beast::error::timeout) {
    tell("silent", "it answered no ping");
  } else if (why.category() == make_error_code(websocket::error::closed).category() &&
             why != websocket::error::closed) {
    tell("protocol", "it broke the WebSocket protocol: " + why.message());
  }
}

bool Connection::wants_topic(std::string_view topic, std::string_view granted_as) const {
  return filter_.wants_topic(topic) &&
         (!grant_ || !grant_->receive || grant_->receive->wants_topic(granted_as));
}

bool Connection::wants(const Message& message) const {
  return filter_.wants_session(message) && (!grant_ || grant_->allows_session(message.session_id()));
}

void Connection::send(const FramePtr& frame) {
  if (leaving_) return;
  if (!joined_) {
    held_.push_back(frame);
    return;
  }
  link_.send(frame);
  if (link_.is_closed()) close();
}

void Connection::close() {
  link_.close();
  caught_up_.cancel();
}

void Connection::acknowledge(std::size_t count) {
  outstanding_ -= std::min(count, outstanding_);
  if (outstanding_ < kMostOutstanding) caught_up_.cancel();
}

void Connection::say_goodbye() {
  if (std::exchange(leaving_, true)) return;
  if (pending_) {
    pending_->set(error_reply(503, "shutting_down", "the server is shutting down"));
    return;
  }
  if (!socket_) {
    close();
  } else if (joined_) {
    send_goodbye();
  }
}

void Connection::send_goodbye() {
  const websocket::close_reason reason(websocket::close_code::going_away, "the server is shutting down");
  socket_->async_close(
      reason, [self = shared_from_this()](const boost::system::error_code&) { self->link_.finish(); });
}

}  // namespace parley::net
