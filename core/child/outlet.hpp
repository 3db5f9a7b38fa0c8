#pragma once

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <parley/message.hpp>
#include <set>
#include <string>

#include "bus/bus.hpp"
#include "child/channel.hpp"

namespace parley::child {

/// The origin of a chain of messages, as a child knows it: the number that the core gave it.
class DistantSender final : public Sender {
 public:
  using Sender::Sender;
};

/// Where everything of a child leaves it, and its end of the bus. On its loop, but for send_from_anywhere().
class Outlet final : public BusElsewhere {
 public:
  Outlet(boost::asio::io_context& loop, Channel& channel, Bus& bus)
      : loop_(loop), channel_(channel), bus_(bus) {}

  void publish(Message message) override;
  void listen(const std::string& pattern) override;
  /// A message of the bus came, of a topic that was listened to.
  void receive(const std::string& pattern, Message message);
  /// Nothing is published from here on.
  void mute() noexcept { muted_ = true; }

  void send(const Json& head, std::string_view body = {}) { channel_.send(head, body); }
  /// From any thread.
  void send_from_anywhere(Json head, std::string body = {});

 private:
  boost::asio::io_context& loop_;
  Channel& channel_;
  Bus& bus_;
  std::set<std::string, std::less<>> listened_;
  bool muted_ = false;
};

/// Puts the origin of a message's chain into a head.
void put_sender(Json& head, const Message& message);
/// What a frame's message is. @throws std::runtime_error when it is none
Message message_from(const std::string& text, const Json& head);

}  // namespace parley::child
