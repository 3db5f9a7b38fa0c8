// What goes from clients to the loop and from the bus to clients.
#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <iterator>

#include "message/codec.hpp"
#include "net/core_topics.hpp"
#include "net/server.hpp"

namespace parley::net {
namespace {

namespace asio = boost::asio;

/// Taken at a time before others get their turn: clients, or who else uses the loop.
constexpr std::size_t kBatch = 64;
constexpr std::size_t kMostTopicsKnown = 1024;
constexpr const char* kTrace = "parley.turn.trace";
constexpr const char* kUtterance = "ovos.utterance.handle";
constexpr const char* kHandled = "ovos.utterance.handled";

}  // namespace

// ---- from clients to the loop

void Gateway::Server::joined(Connection& connection) {
  clients_.emplace(connection.client()->id, &connection);
  client_count_ = clients_.size();
  receivers_.clear();
  Inbound arrival(Inbound::Kind::kJoined, connection.client());
  arrival.wants_traces = connection.wants_topic(kTrace);
  hand_over(std::move(arrival));
}

Task<> Gateway::Server::hear_out_the_gone(std::uint64_t newcomer) {
  std::vector<std::shared_ptr<Connection>> gone;
  for (const auto& [id, client] : clients_) {
    if (id == newcomer) break;
    if (client->peer_is_gone()) gone.push_back(client->shared_from_this());
  }
  for (const auto& client : gone) {
    if (clients_.contains(client->client()->id)) co_await Connection::hear_out(client);
  }
}

void Gateway::Server::left(Connection& connection) {
  clients_.erase(connection.client()->id);
  client_count_ = clients_.size();
  receivers_.clear();
  hand_over(Inbound(Inbound::Kind::kLeft, connection.client()));
}

void Gateway::Server::received(Connection& connection, Received what) {
  counters_.add("parley_gateway_messages_received_total");
  if (!what.message) counters_.add("parley_gateway_dropped_total{reason=\"malformed\"}");
  for (auto& answer : what.answers) {
    Inbound inbound(Inbound::Kind::kAnswer, connection.client());
    inbound.message.emplace(std::move(answer));
    hand_over(std::move(inbound));
  }
  if (!what.message) return;
  if (settings_.older_names) {
    what.message = connection.older_names().read(*what.message);
    if (!what.message) {
      counters_.add("parley_gateway_dropped_total{reason=\"duplicate\"}");
      return;
    }
  }
  const char* reason = "";
  const std::string refusal = refusal_of(connection, *what.message, reason);
  if (!refusal.empty()) {
    drop(connection, reason, refusal);
    return;
  }
  connection.add_unread();
  Inbound inbound(Inbound::Kind::kMessage, connection.client());
  inbound.message =
      connection.grant() ? connection.grant()->stamped(*what.message) : std::move(*what.message);
  hand_over(std::move(inbound));
}

std::string Gateway::Server::refusal_of(const Connection& connection, const Message& message,
                                        const char*& reason) {
  const std::string topic = message.type().substr(0, 100);
  reason = "core_topic";
  if (rule_of(message.type()) == TopicRule::kCoreOnly)
    return fmt::format("dropped '{}': only the core says this", topic);
  const GrantPtr& grant = connection.grant();
  if (!grant) return {};
  reason = "grant";
  if (grant->send && !grant->send->wants_topic(message.type()))
    return fmt::format("dropped '{}': the grant of '{}' does not let it send this", topic, grant->client);
  if (!grant->allows_session(message.session_id())) {
    return fmt::format("dropped '{}': the grant of '{}' does not cover session '{}'", topic, grant->client,
                       message.session_id().substr(0, 80));
  }
  reason = "rate";
  if (!within_rate(grant))
    return fmt::format("dropped '{}': more messages than the grant of '{}' allows", topic, grant->client);
  return {};
}

void Gateway::Server::drop(Connection& connection, const char* reason, const std::string& text) {
  counters_.add(fmt::format("parley_gateway_dropped_total{{reason=\"{}\"}}", reason));
  connection.inlet().complain(reason, text);
}

void Gateway::Server::hand_over(Inbound what) {
  if (inbound_.put(std::move(what))) post_take_inbound(false);
}

void Gateway::Server::post_take_inbound(bool going_on) {
  post_([this, going_on, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) take_inbound(going_on);
  });
}

void Gateway::Server::take_inbound(bool going_on) {
  const bool is_posted = !going_on && !inbound_rest_.empty();
  auto fresh = inbound_.take();
  std::move(fresh.begin(), fresh.end(), std::back_inserter(inbound_rest_));
  if (is_posted) return;
  for (std::size_t i = 0; i < kBatch && !inbound_rest_.empty(); ++i) {
    const Inbound next = std::move(inbound_rest_.front());
    inbound_rest_.pop_front();
    deal_with(next);
  }
  if (!inbound_rest_.empty()) post_take_inbound(true);
}

void Gateway::Server::deal_with(const Inbound& what) {
  switch (what.kind) {
    case Inbound::Kind::kJoined:
      listener_.joined(what.client, what.wants_traces);
      break;
    case Inbound::Kind::kMessage:
      listener_.received(what.client, *what.message);
      if (what.message->type() == kUtterance && listener_.is_congested()) {
        held_back_.emplace_back(what.client->id);
      } else {
        send(Outbound(Acknowledgement(what.client->id)));
      }
      break;
    case Inbound::Kind::kAnswer:
      listener_.answer(*what.message);
      break;
    case Inbound::Kind::kLeft:
      listener_.left(what.client);
      break;
  }
}

// ---- from the bus to clients

void Gateway::Server::send(const Message& message) {
  if (!held_back_.empty() && message.type() == kHandled) {
    const Acknowledgement next = held_back_.front();
    held_back_.pop_front();
    send(Outbound(next));
  }
  send(Outbound(message));
}

void Gateway::Server::send(Outbound what) {
  if (client_count_ == 0) return;
  if (outbound_.put(std::move(what))) asio::post(io_, [this] { take_outbound(false); });
}

void Gateway::Server::take_outbound(bool going_on) {
  const bool is_posted = !going_on && !outbound_rest_.empty();
  auto fresh = outbound_.take();
  std::move(fresh.begin(), fresh.end(), std::back_inserter(outbound_rest_));
  if (is_posted) return;
  for (std::size_t i = 0; i < kBatch && !outbound_rest_.empty(); ++i) {
    const Outbound next = std::move(outbound_rest_.front());
    outbound_rest_.pop_front();
    if (const auto* message = std::get_if<Message>(&next)) {
      deliver(*message);
    } else {
      const auto client = clients_.find(std::get<Acknowledgement>(next).client);
      if (client != clients_.end()) client->second->acknowledge(1);
    }
  }
  for (const auto& [id, client] : clients_) client->flush();
  if (!outbound_rest_.empty()) asio::post(io_, [this] { take_outbound(true); });
}

void Gateway::Server::deliver(const Message& message) {
  if (!settings_.older_names) {
    deliver(message, message.type());
    return;
  }
  const Message told = with_older_fields(message);
  deliver(told, told.type());
  // Right behind it, as clients that drop the second one expect it.
  if (!older_name_of(told.type()).empty()) deliver(under_older_name(told), told.type());
}

void Gateway::Server::deliver(const Message& message, std::string_view granted_as) {
  FramePtr frame;
  std::uint64_t deliveries = 0;
  for (Connection* client : receivers_of(message.type(), granted_as)) {
    if (!client->wants(message)) continue;
    if (!frame) frame = text_frame(encode(message));
    client->send(frame);
    ++deliveries;
  }
  if (deliveries > 0) counters_.add("parley_gateway_messages_sent_total", deliveries);
}

const std::vector<Connection*>& Gateway::Server::receivers_of(const std::string& topic,
                                                              std::string_view granted_as) {
  const auto known = receivers_.find(topic);
  if (known != receivers_.end()) return known->second;
  if (receivers_.size() >= kMostTopicsKnown) receivers_.clear();
  std::vector<Connection*> receivers;
  for (const auto& [id, client] : clients_) {
    if (client->wants_topic(topic, granted_as)) receivers.push_back(client);
  }
  return receivers_.emplace(topic, std::move(receivers)).first->second;
}

}  // namespace parley::net
