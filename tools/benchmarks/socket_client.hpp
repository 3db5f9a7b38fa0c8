#pragma once

#include <chrono>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace parley::bench {

/// A message as it goes over a connection.
std::string message_text(const std::string& type, nlohmann::json data, nlohmann::json context);

/// A client of the gateway that costs as little as one can: blocking sockets, and of a frame it looks at the
/// length only. Trusts what it is sent.
class SocketClient {
 public:
  explicit SocketClient(unsigned short port);
  ~SocketClient();
  SocketClient(SocketClient&& other) noexcept;
  SocketClient& operator=(SocketClient&&) = delete;
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;

  /// Becomes a client of `/core`. @throws std::runtime_error when it is refused
  void upgrade(const std::string& target);
  int descriptor() const noexcept { return descriptor_; }

  void send_text(std::string_view text);
  /// From here on a write that the gateway does not take within so long throws.
  void bound_writes(std::chrono::milliseconds patience) const;
  /// The next message; valid until the next call. @throws std::runtime_error when none comes
  std::string_view receive();
  /// Reads once and gives how many messages have ended in what came.
  std::size_t count_frames();

  /// One request on this connection; gives the body of the answer.
  std::string request(std::string_view head, std::string_view body);

 private:
  void write(std::string_view bytes) const;
  void send(unsigned char kind, std::string_view text) const;
  void read_more();
  /// How long the frame at `from` is with its head; 0 while that is not known.
  std::size_t frame_size(std::size_t from) const;

  int descriptor_ = -1;
  std::string buffer_;
  std::size_t taken_ = 0;  ///< Bytes at the beginning of the buffer that are done with.
};

}  // namespace parley::bench
