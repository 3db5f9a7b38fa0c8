// The WebSocket of `/core` (section W).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "message/log.hpp"
#include "net/connection.hpp"
#include "runtime/company.hpp"

namespace parley::net {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;

constexpr std::size_t kMostOutstanding = 256;  ///< Messages of one client that the loop has yet to take…
constexpr std::size_t kMostOutstandingBytes = std::size_t{1} << 20U;  ///< …and what they hold.
constexpr std::size_t kMostKept = 65'536;  ///< Bytes of a read buffer that stay with an idle client.
constexpr std::size_t kLarge = 32'768;     ///< Bytes of a message that is read beside the thread of the door.
constexpr std::size_t kMostOversized = std::size_t{25} << 20U;  ///< What OVOS lets a message take, in bytes.
constexpr std::chrono::milliseconds kRoomPause(20);
constexpr std::chrono::seconds kOversizedTime(30);  ///< For one such message to come whole.
constexpr std::size_t kPiece = 65'536;              ///< Bytes read at a time.
constexpr std::size_t kMostDrops = 128;  ///< Messages of one client that go nowhere, before it is not read…
constexpr std::chrono::milliseconds kShortestRest(10);  ///< …for so long; for twice as long the next time…
constexpr std::chrono::milliseconds kLongestRest(80);   ///< …up to so long, until it goes for a while…
constexpr std::chrono::seconds kContrition(2);          ///< …of this length without.
constexpr std::chrono::milliseconds kLeastRest(1);      ///< Shorter ones are left until there are more.
constexpr std::chrono::milliseconds kPatience(250);  ///< With those that don't read what a client has caused.

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
  socket_->read_message_max(max_frame());
  buffer_.max_size(max_frame() + kMostKept);
  owner_.joined(*this);  // a client that was let in must not miss what is said from then on
  try {
    const auto [refused] = co_await socket_->async_accept(request, kResult);
    request = Request();
    if (refused) {
      owner_.complain_of(*client_, "handshake", fmt::format("no WebSocket: {}", refused.message()));
    } else {
      joined_ = true;
      for (auto& [frame, charge] : std::exchange(held_, {})) link_.send(std::move(frame), std::move(charge));
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
  due_.reset();
  if (std::exchange(has_room_, false)) owner_.end_oversized();
  owner_.left(*this);
  left_.cancel();
}

Task<> Connection::hear_out(std::shared_ptr<Connection> self) {
  co_await self->left_.async_wait(kResult);
}

bool Connection::is_ahead() const noexcept {
  return outstanding_ >= kMostOutstanding || outstanding_bytes_ >= kMostOutstandingBytes ||
         *on_its_way_ > owner_.settings().max_queue / 2;
}

Task<> Connection::wait_until_caught_up() {
  if (is_ahead()) left_.cancel();  // whoever waits for all it said would wait for others too
  while (is_ahead() && !link_.is_closed()) {
    caught_up_.expires_after(kPatience);
    const auto [woken] = co_await caught_up_.async_wait(kResult);
    if (!woken && *on_its_way_ > 0) owner_.forgive_slow();
  }
}

/// To read takes the time of others, too: what goes nowhere, and what is much to do.
Task<> Connection::rest() {
  const auto now = std::chrono::steady_clock::now();
  if (drops_ >= kMostDrops) {
    drops_ = 0;
    drop_rest_ = now < dropped_ + kContrition ? std::min(2 * drop_rest_, kLongestRest) : kShortestRest;
    rested_until_ = std::max(rested_until_, now + drop_rest_);
    dropped_ = rested_until_;
  }
  if (rested_until_ < now + kLeastRest) co_return;
  const auto until = std::min(rested_until_, now + kLongestRest);
  while (!link_.is_closed() && std::chrono::steady_clock::now() < until) {
    caught_up_.expires_at(until);
    co_await caught_up_.async_wait(kResult);
  }
}

Task<> Connection::read_messages() {
  for (;;) {
    co_await wait_until_caught_up();
    co_await rest();
    const auto failed = co_await read_message();
    if (failed) {
      explain_end(failed);
      co_return;
    }
    const auto began = std::chrono::steady_clock::now();
    const auto bytes = buffer_.cdata();
    const std::string_view text(static_cast<const char*>(bytes.data()), bytes.size());
    if (!owner_.within_rate(grant(), translator_.is_older())) {  // before it costs anything
      owner_.drop(
          *this, "rate",
          fmt::format("dropped a message: more messages than the grant of '{}' allows", grant()->client),
          text.size());
    } else if (!socket_->got_text()) {
      inlet_.complain("binary",
                      "dropped a malformed message: a binary frame; messages are JSON in text frames");
      owner_.received(*this, Received(), text.size());
    } else if (text.size() >= kLarge) {
      co_await take_large();
    } else {
      owner_.received(*this, understood(Inlet::read(text, client_)), text.size());
      reading_took_ += std::chrono::steady_clock::now() - began;
    }
    if (translator_.is_older()) allow_large();
    if (std::exchange(has_room_, false)) owner_.end_oversized();
    buffer_.consume(buffer_.size());
    if (buffer_.capacity() > kMostKept) {
      buffer_ = boost::beast::flat_buffer(buffer_.max_size());
    }
  }
}

/// Others are served while a large text is read: on this thread it would take as long as hundreds of small
/// ones.
Task<> Connection::take_large() {
  const auto bytes = buffer_.cdata();
  const std::string_view text(static_cast<const char*>(bytes.data()), bytes.size());
  const auto read = std::make_shared<std::optional<Decoded>>();
  const auto done = std::make_shared<Cell<bool>>();
  const auto self = shared_from_this();  // keeps the text
  owner_.run_aside([self, text, read] { read->emplace(Inlet::read(text, self->client_)); },
                   [done] { done->set(true); });
  co_await Cell<bool>::wait(done);
  if (has_room_) {
    if (owner_.received_oversized(*this, understood(std::move(**read)), text)) has_room_ = false;
  } else {
    owner_.received(*this, understood(std::move(**read)), text.size());
  }
}

Task<boost::system::error_code> Connection::read_message() {
  do {
    const auto [failed, size] = co_await socket_->async_read_some(buffer_, kPiece, kResult);
    if (failed) co_return failed;
    if (!has_room_ && is_oversized()) {
      const auto late = co_await wait_for_room();
      if (late) co_return late;
    }
  } while (!socket_->is_message_done());
  if (has_room_) disarm();
  co_return boost::system::error_code();
}

/// A few such messages are in memory at a time, whoever sends them, and none of them for long.
Task<boost::system::error_code> Connection::wait_for_room() {
  while (!owner_.begin_oversized()) {
    if (link_.is_closed()) co_return make_error_code(asio::error::operation_aborted);
    caught_up_.expires_after(kRoomPause);
    co_await caught_up_.async_wait(kResult);
  }
  has_room_ = true;
  arm(kOversizedTime);
  co_return boost::system::error_code();
}

void Connection::allow_large() {
  const bool is_granted = grant() && grant()->max_frame > 0;
  const std::size_t most = std::max(max_frame(), kMostOversized);
  if (is_granted || buffer_.max_size() >= most) return;
  socket_->read_message_max(most);
  buffer_.max_size(most + kMostKept);
}

/// What is null is left out: older clients write it for what they don't know.
Received Connection::understood(Decoded decoded) {
  const bool is_older = owner_.understands_older() && decoded.message &&
                        (translator_.is_older() || ovos::Translator::is_sign(*decoded.message));
  if (is_older) {
    std::erase_if(decoded.spoiled,
                  [](const std::string& field) { return field.find(" is null") != std::string::npos; });
  }
  return inlet_.take(std::move(decoded));
}

bool Connection::asks_for_older() const {
  return filter_.lists([](std::string_view topic) { return ovos::is_older_topic(topic); });
}

/// Logs the end of a connection that was not the client's own wish.
void Connection::explain_end(const boost::system::error_code& why) {
  leaving_ = true;
  const auto tell = [this](const char* reason, const std::string& text) {
    owner_.counters().counter("parley_gateway_disconnects_total", {{"reason", reason}}).add();
    owner_.complain_of(*client_, reason, fmt::format("disconnected: {}", text));
  };
  if (link_.overflowed()) {
    tell("slow",
         fmt::format("it reads too slowly: more than {} bytes were waiting for it (gateway.max_queue)",
                     owner_.settings().max_queue));
  } else if (why == websocket::error::message_too_big || why == websocket::error::buffer_overflow) {
    tell("too_large", fmt::format("it sent a message of more than {} bytes ({})", max_frame(),
                                  max_frame() < owner_.settings().max_frame ? "its grant's max_frame"
                                                                            : "gateway.max_frame"));
  } else if (why == boost::beast::error::timeout) {
    tell("silent", "it answered no ping");
  } else if (why.category() == make_error_code(websocket::error::closed).category() &&
             why != websocket::error::closed) {
    tell("protocol", "it broke the WebSocket protocol: " + why.message());
  }
}

bool Connection::wants_topic(std::string_view topic, std::string_view granted_as) const {
  return filter_.wants_topic(topic) &&
         (!grant() || !grant()->receive || grant()->receive->wants_topic(granted_as));
}

bool Connection::wants(const Message& message) const {
  return filter_.wants_session(message) && (!grant() || grant()->allows_session(message.session_id()));
}

void Connection::send(const FramePtr& frame, const ChargePtr& charge) {
  if (leaving_) return;
  const ChargePtr& borne = lags_ ? ChargePtr() : charge;
  if (!joined_) {
    held_.emplace_back(frame, borne);
    return;
  }
  link_.send(frame, borne);
  if (link_.is_closed()) {
    close();
  } else if (link_.queued() > owner_.settings().max_queue) {
    owner_.watch_slow();
  }
}

void Connection::set_lagging(bool lags) {
  if (lags) link_.forgive();
  lags_ = lags;
}

void Connection::close() {
  link_.close();
  caught_up_.cancel();
}

void Connection::add_unread(std::size_t bytes) noexcept {
  ++outstanding_;
  outstanding_bytes_ += bytes;
}

/// Who has to rest does so for what reading it took, too: others are read on the same thread.
void Connection::acknowledge(std::size_t bytes, Clock::Time::duration took) {
  const auto reading_took = std::exchange(reading_took_, {});
  if (took > Clock::Time::duration()) {
    const auto now = std::chrono::steady_clock::now();
    rested_until_ = std::max(rested_until_, now) + effort_.rest_after(took + reading_took, now);
  }
  if (outstanding_ > 0) --outstanding_;
  outstanding_bytes_ -= std::min(bytes, outstanding_bytes_);
  if (!is_ahead()) caught_up_.cancel();
}

ChargePtr Connection::charge(std::size_t bytes) {
  *on_its_way_ += bytes;
  return ChargePtr(nullptr, [weak = weak_from_this(), on_its_way = on_its_way_, bytes](const void*) {
    *on_its_way -= bytes;
    const auto self = weak.lock();
    if (self && !self->is_ahead()) self->caught_up_.cancel();
  });
}

bool Connection::is_idle_since(std::chrono::steady_clock::time_point moment) const {
  return !socket_ && !pending_ && idle_since_ <= moment;
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
  if (translator_.is_older()) {
    // They take a close frame for good, and come back after a connection that was lost (ovos-wire 0.4).
    link_.finish();
    return;
  }
  const websocket::close_reason reason(websocket::close_code::going_away, "the server is shutting down");
  socket_->async_close(
      reason, [self = shared_from_this()](const boost::system::error_code&) { self->link_.finish(); });
}

}  // namespace parley::net
