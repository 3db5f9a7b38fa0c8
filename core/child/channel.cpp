#include "child/channel.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "runtime/guard.hpp"

namespace parley::child {
namespace {

constexpr std::size_t kLengths = 8;
constexpr std::size_t kPiece = std::size_t{64} << 10U;

void put_number(std::string& to, std::size_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) to.push_back(static_cast<char>((number >> shift) & 0xFFU));
}

std::size_t number_at(std::string_view from) {
  std::size_t number = 0;
  for (unsigned i = 0; i < 4; ++i)
    number |= static_cast<std::size_t>(static_cast<unsigned char>(from[i])) << (8 * i);
  return number;
}

}  // namespace

Channel::Channel(const boost::asio::any_io_executor& loop, int socket) : socket_(loop, socket) {
  socket_.non_blocking(true);
}

Channel::~Channel() = default;

void Channel::listen(std::function<void(const Frame&)> take, std::function<void(const std::string&)> ended) {
  take_ = std::move(take);
  ended_ = std::move(ended);
}

void Channel::read_on() {
  if (over_) return;
  socket_.async_wait(Descriptor::wait_read, [self = shared_from_this()](const auto& failed) {
    if (failed || self->over_) return;
    self->read_some();
    self->take_frames();
    self->read_on();
  });
}

bool Channel::read_some() {
  std::array<char, kPiece> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): is read into
  const auto got = ::recv(socket_.native_handle(), piece.data(), piece.size(), MSG_DONTWAIT);
  if (got > 0) {
    in_.append(piece.data(), static_cast<std::size_t>(got));
    return true;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  take_frames();
  end("the other end has gone");
  return false;
}

std::optional<Frame> Channel::next_frame() {
  const std::string_view rest = std::string_view(in_).substr(in_at_);
  if (over_ || rest.size() < kLengths) return std::nullopt;
  const std::size_t length = number_at(rest);
  const std::size_t head = number_at(rest.substr(4));
  if (length > kLargestFrame || head > length) {
    end(fmt::format("a frame of {} bytes with a head of {} came: {} are the most", length, head,
                    kLargestFrame));
    return std::nullopt;
  }
  if (rest.size() < kLengths + length) return std::nullopt;
  auto read = parse_json(rest.substr(kLengths, head));
  if (!read || !read->is_object()) {
    end("a frame came whose head is no JSON object");
    return std::nullopt;
  }
  std::optional<Frame> frame;
  frame.emplace(std::move(*read), std::string(rest.substr(kLengths + head, length - head)));
  in_at_ += kLengths + length;
  return frame;
}

void Channel::take_frames() {
  if (std::exchange(taking_, true)) return;
  const auto self = shared_from_this();
  while (!over_) {
    std::optional<Frame> frame;
    if (held_.empty()) {
      frame = next_frame();
    } else {
      frame = std::move(held_.front());
      held_.pop_front();
    }
    if (!frame) break;
    if (const auto failure = failure_of([&] { take_(*frame); })) end("a frame can't be used: " + *failure);
  }
  in_.erase(0, std::exchange(in_at_, 0));
  taking_ = false;
}

Frame Channel::wait_for(std::string_view kind) {
  for (;;) {
    while (auto frame = next_frame()) {
      if (frame->kind() == kind) {
        boost::asio::post(socket_.get_executor(), [self = shared_from_this()] { self->take_frames(); });
        return std::move(*frame);
      }
      held_.push_back(std::move(*frame));
    }
    if (over_) throw std::runtime_error("the other end of the channel has gone");
    const short wanted = queued() > 0 ? POLLIN | POLLOUT : POLLIN;
    pollfd ready{socket_.native_handle(), wanted, 0};
    ::poll(&ready, 1, -1);
    if ((ready.revents & POLLOUT) != 0) write_some();
    if ((ready.revents & ~POLLOUT) != 0) read_some();
  }
}

void Channel::send(const Json& head, std::string_view body) {
  if (over_) return;
  const std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  put_number(out_, text.size() + body.size());
  put_number(out_, text.size());
  out_ += text;
  out_ += body;
  if (!writing_) write_some();
}

void Channel::write_some() {
  while (queued() > 0) {
    const auto sent =
        ::send(socket_.native_handle(), out_.data() + out_at_, queued(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) break;  // a socket that has gone is told of by what reads
    out_at_ += static_cast<std::size_t>(sent);
  }
  if (queued() == 0) {
    out_.clear();
    out_at_ = 0;
    return;
  }
  if (out_at_ > kPiece) out_.erase(0, std::exchange(out_at_, 0));
  if (writing_ || errno != EAGAIN) return;
  writing_ = true;
  socket_.async_wait(Descriptor::wait_write, [self = shared_from_this()](const auto& failed) {
    self->writing_ = false;
    if (!failed && !self->over_) self->write_some();
  });
}

bool Channel::wait(std::chrono::milliseconds bound) {
  if (over_) return false;
  const short wanted = queued() > 0 ? POLLIN | POLLOUT : POLLIN;
  pollfd ready{socket_.native_handle(), wanted, 0};
  if (::poll(&ready, 1, static_cast<int>(bound.count())) <= 0) return false;
  if ((ready.revents & POLLOUT) != 0) write_some();
  if ((ready.revents & ~POLLOUT) != 0) drain();
  return true;
}

void Channel::drain() {
  const auto self = shared_from_this();
  while (!over_ && read_some()) {
  }
  take_frames();
}

void Channel::end(const std::string& why) {
  if (std::exchange(over_, true)) return;
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (ended_) ended_(why);
}

void Channel::close() {
  over_ = true;
  take_ = nullptr;
  ended_ = nullptr;
  boost::system::error_code ignored;
  socket_.close(ignored);
}

}  // namespace parley::child
