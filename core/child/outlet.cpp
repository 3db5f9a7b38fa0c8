#include "child/outlet.hpp"

#include <boost/asio/post.hpp>
#include <stdexcept>
#include <utility>

#include "child/frames.hpp"
#include "message/codec.hpp"

namespace parley::child {

void Outlet::publish(Message message) {
  if (muted_) return;
  Json head = {{"k", frame::kPublish}};
  if (const auto* const from = dynamic_cast<const DistantSender*>(message.context().sender.get()))
    head["from"] = from->id;
  channel_.send(head, message.wire());
}

void Outlet::listen(const std::string& pattern) {
  if (listened_.insert(pattern).second) channel_.send({{"k", frame::kListen}, {"topic", pattern}});
}

void Outlet::receive(const std::string& pattern, Message message) {
  // Whoever listened may be through with it: the core is told when there is something to hear.
  if (pattern == message.type() && !bus_.has_subscribers(pattern)) {
    listened_.erase(pattern);
    channel_.send({{"k", frame::kUnlisten}, {"topic", pattern}});
  }
  bus_.receive(std::move(message));
}

void Outlet::send_from_anywhere(Json head, std::string body) {
  if (loop_.get_executor().running_in_this_thread()) return channel_.send(head, body);
  boost::asio::post(loop_, [channel = channel_.shared_from_this(), head = std::move(head),
                            body = std::move(body)] { channel->send(head, body); });
}

void put_sender(Json& head, const Message& message) {
  const auto& sender = message.context().sender;
  if (!sender) return;
  head["from"] = sender->id;
  head["sender"] = sender->name;
  head["owner"] = sender->owner;
}

Message message_from(const std::string& text, const Json& head) {
  SenderPtr sender;
  if (head.contains("from"))
    sender = std::make_shared<DistantSender>(head.at("from").get<std::uint64_t>(),
                                             head.at("sender").get<std::string>(),
                                             head.at("owner").get<std::string>());
  auto read = decode(
      text, [](const std::string&) {}, std::move(sender));
  if (auto* const wrong = std::get_if<DecodeError>(&read)) throw std::runtime_error(wrong->reason);
  return std::get<Message>(std::move(read));
}

}  // namespace parley::child
