#include "net/link.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>

namespace parley::net {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMostBuffers = 64;  ///< What Asio hands to one system call.
constexpr std::size_t kRecord = 16'384;   ///< Bytes of a TLS record.
constexpr std::chrono::seconds kSlow(2);  ///< With a peer that leaves too much unread…
constexpr std::size_t kMostTimes = 16;    ///< …until it is that many times too much.

/// At most kMostBuffers of them, as the socket takes them.
struct Gathered {
  using value_type = asio::const_buffer;
  using const_iterator = const asio::const_buffer*;
  const_iterator begin() const noexcept { return parts.data(); }
  const_iterator end() const noexcept { return parts.data() + count; }
  std::array<asio::const_buffer, kMostBuffers> parts;
  std::size_t count = 0;
};

}  // namespace

Link::State::State(asio::ip::tcp::socket of, asio::ssl::context* context, std::size_t most)
    : socket(std::move(of)), max_queue(most) {
  if (context != nullptr) tls.emplace(socket, *context);
}

Link::Link(asio::ip::tcp::socket socket, asio::ssl::context* tls, std::size_t max_queue)
    : state_(std::make_shared<State>(std::move(socket), tls, max_queue)) {}

void Link::send(FramePtr bytes, ChargePtr charge) {
  auto& state = *state_;
  if (state.dead || bytes->empty()) return;
  state.bytes += bytes->size();
  state.queue.push_back({std::move(bytes), std::move(charge)});
  if (state.queue.size() > 1 && state.bytes > state.max_queue) end_if_slow();
}

void Link::forgive() {
  for (auto& queued : state_->queue) queued.charge.reset();
}

bool Link::end_if_slow() {
  auto& state = *state_;
  if (state.dead || state.bytes <= state.max_queue) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!state.over_since) state.over_since = now;
  if (now - *state.over_since < kSlow && state.bytes <= kMostTimes * state.max_queue) return true;
  state.overflowed = true;
  end(state_);
  return true;
}

void Link::write(const StatePtr& state) {
  if (state->writing || state->dead) return;
  if (state->queue.empty()) {
    Failure ignored;
    if (state->finishing) state->socket.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    return;
  }
  state->writing = true;
  if (state->tls) {
    write_tls(state);
  } else {
    write_plain(state);
  }
}

void Link::write_plain(const StatePtr& state) {
  Gathered buffers;
  std::size_t skip = state->offset;
  for (const auto& one : state->queue) {
    if (buffers.count == kMostBuffers) break;
    buffers.parts[buffers.count++] = asio::const_buffer(one.bytes->data() + skip, one.bytes->size() - skip);
    skip = 0;
  }
  state->socket.async_write_some(
      buffers, [state](const Failure& failed, std::size_t bytes) { written(state, failed, bytes); });
}

void Link::write_tls(const StatePtr& state) {
  state->record.clear();
  std::size_t skip = state->offset;
  for (const auto& one : state->queue) {
    const std::size_t room = kRecord - state->record.size();
    if (room == 0) break;
    state->record.append(*one.bytes, skip, std::min(room, one.bytes->size() - skip));
    skip = 0;
  }
  state->tls->async_write_some(
      asio::buffer(state->record),
      [state](const Failure& failed, std::size_t bytes) { written(state, failed, bytes); });
}

void Link::written(const StatePtr& state, const Failure& failed, std::size_t bytes) {
  state->writing = false;
  if (failed) {
    end(state);
    return;
  }
  state->bytes -= std::min(bytes, state->bytes);
  state->taken += bytes;
  if (state->bytes <= state->max_queue) state->over_since.reset();
  bytes += state->offset;
  while (!state->queue.empty() && bytes >= state->queue.front().bytes->size()) {
    bytes -= state->queue.front().bytes->size();
    state->queue.pop_front();
  }
  state->offset = bytes;
  write(state);
}

void Link::end(const StatePtr& state) {
  if (state->dead) return;
  state->dead = true;
  Failure ignored;
  state->socket.close(ignored);
  if (!state->writing) state->queue.clear();
}

bool Link::peer_is_gone() const {
  if (state_->dead) return true;
  pollfd asked{state_->socket.native_handle(), POLLRDHUP, 0};
  return ::poll(&asked, 1, 0) > 0;
}

void Link::finish() {
  state_->finishing = true;
  flush();
}

void Link::close() {
  end(state_);
}

}  // namespace parley::net
