#include "socket_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace parley::bench {
namespace {

constexpr std::size_t kChunk = 256 * 1024;
constexpr unsigned char kText = 0x81, kPing = 0x89, kPong = 0x8a;  // last frames of their kind
constexpr timeval kReadTimeout{30, 0};
constexpr const char* kSilence = "the gateway said nothing for half a minute";

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

std::string message_text(const std::string& type, nlohmann::json data, nlohmann::json context) {
  return nlohmann::json{{"type", type}, {"data", std::move(data)}, {"context", std::move(context)}}.dump();
}

SocketClient::SocketClient(unsigned short port)
    : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (descriptor_ < 0) fail("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr generic{};
  std::memcpy(&generic, &address, sizeof generic);
  if (::connect(descriptor_, &generic, sizeof generic) != 0) fail("connect");
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &kReadTimeout, sizeof kReadTimeout);
}

SocketClient::~SocketClient() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

SocketClient::SocketClient(SocketClient&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      buffer_(std::move(other.buffer_)),
      taken_(std::exchange(other.taken_, 0)) {}

void SocketClient::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) fail("send");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void SocketClient::read_more() {
  if (taken_ > 0) {
    buffer_.erase(0, taken_);
    taken_ = 0;
  }
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kChunk);
  ssize_t got = 0;
  do {
    got = ::recv(descriptor_, buffer_.data() + had, kChunk, 0);
  } while (got < 0 && errno == EINTR);
  buffer_.resize(had + static_cast<std::size_t>(got > 0 ? got : 0));
  if (got < 0 && errno == EAGAIN) throw std::runtime_error(kSilence);
  if (got < 0) fail("recv");
  if (got == 0) throw std::runtime_error("the gateway has ended a connection of the benchmark");
}

void SocketClient::upgrade(const std::string& target) {
  write("GET " + target +
        " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  while (buffer_.find("\r\n\r\n") == std::string::npos) read_more();
  if (buffer_.find(" 101 ") == std::string::npos)
    throw std::runtime_error("the gateway refused a connection of the benchmark: " + buffer_);
  taken_ = buffer_.find("\r\n\r\n") + 4;
  if (taken_ == buffer_.size()) std::string().swap(buffer_);
  if (buffer_.empty()) taken_ = 0;
}

void SocketClient::send(unsigned char kind, std::string_view text) const {
  std::string frame(1, static_cast<char>(kind));
  if (text.size() <= 125) {
    frame.push_back(static_cast<char>(0x80U | text.size()));
  } else {
    const bool is_short = text.size() <= 0xffff;
    frame.push_back(static_cast<char>(is_short ? 0xfe : 0xff));
    for (int bits = is_short ? 8 : 56; bits >= 0; bits -= 8)
      frame.push_back(static_cast<char>(std::uint64_t{text.size()} >> static_cast<unsigned>(bits) & 0xffU));
  }
  frame.append(4, '\0');  // a mask that changes nothing
  frame.append(text);
  write(frame);
}

void SocketClient::bound_writes(std::chrono::milliseconds patience) const {
  const timeval bound{patience.count() / 1000, patience.count() % 1000 * 1000};
  ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &bound, sizeof bound);
}

void SocketClient::send_text(std::string_view text) {
  send(kText, text);
}

std::size_t SocketClient::frame_size(std::size_t from) const {
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(buffer_[from + at]));
  };
  const std::size_t there = buffer_.size() - from;
  if (there < 2) return 0;
  const std::uint64_t small = byte(1) & 0x7fU;
  if (small < 126) return 2 + small;
  const std::size_t bytes = small == 126 ? 2 : 8;
  if (there < 2 + bytes) return 0;
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < bytes; ++i) size = size << 8U | byte(2 + i);
  return 2 + bytes + size;
}

std::string_view SocketClient::receive() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(kReadTimeout.tv_sec);
  for (;;) {
    const std::size_t size = frame_size(taken_);
    if (size > 0 && buffer_.size() - taken_ >= size) {
      const std::string_view frame(buffer_.data() + taken_, size);
      taken_ += size;
      const std::size_t head = size - 2 <= 125 ? 2 : size - 4 <= 0xffff ? 4 : 10;
      if (static_cast<unsigned char>(frame.front()) != kPing) return frame.substr(head);
      send(kPong, frame.substr(head));
      if (std::chrono::steady_clock::now() > until) throw std::runtime_error(kSilence);
    }
    read_more();
  }
}

std::size_t SocketClient::count_frames() {
  read_more();
  std::size_t frames = 0;
  for (;;) {
    const std::size_t size = frame_size(taken_);
    if (size == 0 || buffer_.size() - taken_ < size) return frames;
    taken_ += size;
    ++frames;
  }
}

std::string SocketClient::request(std::string_view head, std::string_view body) {
  std::string text(head);
  text += "\r\nHost: 127.0.0.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  text += body;
  write(text);
  constexpr std::string_view kLength = "Content-Length: ";
  for (;;) {
    const auto end = buffer_.find("\r\n\r\n", taken_);
    const auto length = buffer_.find(kLength, taken_);
    if (end != std::string::npos && length != std::string::npos && length < end) {
      const std::size_t size = std::stoul(buffer_.substr(length + kLength.size(), 20));
      if (buffer_.size() >= end + 4 + size) {
        taken_ = end + 4 + size;
        return buffer_.substr(end + 4, size);
      }
    }
    read_more();
  }
}

}  // namespace parley::bench
