// What goes from clients to the loop and from the bus to clients.
#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <iterator>

#include "message/codec.hpp"
#include "message/topics.hpp"
#include "net/server.hpp"

namespace parley::net {
namespace {

namespace asio = boost::asio;

/// Taken at a time before others get their turn: clients, or who else uses the loop, which gives them no more
/// time than this at a go.
constexpr std::size_t kBatch = 64;
constexpr std::chrono::microseconds kBudget(30);
constexpr std::size_t kMostTopicsKnown = 1024;
/// Of one client's utterances that wait, before it is not read from (W-5).
constexpr std::size_t kMostWaiting = 1024;
constexpr std::size_t kMostWaitingBytes = std::size_t{4} << 20U;

}  // namespace

// ---- from clients to the loop

void Gateway::Server::joined(Connection& connection) {
  clients_.emplace(connection.client()->id, &connection);
  client_count_ = clients_.size();
  receivers_.clear();
  Inbound arrival(Inbound::Kind::kJoined, connection.client());
  arrival.listening = connection.listening();
  if (connection.asks_for_older()) has_older_ = true;
  ++joined_;
  if (terms_.compat && connection.asks_for_older()) connection.translator().recognise();
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
  const auto own = clients_.find(newcomer);
  if (own == clients_.end()) co_return;
  Inbound barrier(Inbound::Kind::kAfter, own->second->client());
  for (const auto& client : gone) {
    const std::uint64_t id = client->client()->id;
    if (clients_.contains(id)) barrier.unread.push_back(id);
  }
  hand_over(std::move(barrier));
}

void Gateway::Server::left(Connection& connection) {
  clients_.erase(connection.client()->id);
  client_count_ = clients_.size();
  receivers_.clear();
  hand_over(Inbound(Inbound::Kind::kLeft, connection.client()));
}

void Gateway::Server::received(Connection& connection, Received what, std::size_t bytes) {
  received_.add();
  if (!what.message) {
    counters_.counter("parley_gateway_dropped_total", {{"reason", "malformed"}}).add();
    connection.note_drop(bytes);
  }
  const GrantPtr& grant = connection.grant();
  for (auto& answer : what.answers) {
    if (const auto refusal = refusal_of_topic(grant, answer.text("msg_type"))) {
      drop(connection, refusal->reason, refusal->text, bytes);
      continue;
    }
    Inbound inbound(Inbound::Kind::kAnswer, connection.client());
    inbound.message.emplace(std::move(answer));
    hand_over(std::move(inbound));
  }
  if (!what.message) return;
  take_said(connection, connection.translator().say(*what.message, unix_now(), terms_), bytes);
}

void Gateway::Server::pass(Connection& connection, Message message, std::size_t bytes) {
  auto passed = admitted(connection.grant(), std::move(message));
  if (const auto* refusal = std::get_if<Refusal>(&passed)) {
    drop(connection, refusal->reason, refusal->text, bytes);
    return;
  }
  connection.add_unread(bytes);
  Inbound inbound(Inbound::Kind::kMessage, connection.client());
  inbound.message = std::move(std::get<Message>(passed));
  inbound.bytes = bytes;
  hand_over(std::move(inbound));
}

void Gateway::Server::drop(Connection& connection, const char* reason, const std::string& text,
                           std::size_t bytes) {
  connection.note_drop(bytes);
  counters_.counter("parley_gateway_dropped_total", {{"reason", reason}}).add();
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
  for (auto& fresh : inbound_.take()) inbound_rest_.push(std::move(fresh));
  if (is_posted) return;
  const auto until = std::chrono::steady_clock::now() + kBudget;
  for (std::size_t i = 0; i < kBatch && !inbound_rest_.empty(); ++i) {
    deal_with(inbound_rest_.pop());
    if (std::chrono::steady_clock::now() >= until) break;
  }
  if (!inbound_rest_.empty()) post_take_inbound(true);
}

bool Gateway::Server::Line::is_long() const noexcept {
  return waiting.size() > kMostWaiting || bytes > kMostWaitingBytes;
}

void Gateway::Server::deal_with(const Inbound& what) {
  const auto began = clock_.now();
  switch (what.kind) {
    case Inbound::Kind::kJoined:
      ++known_;
      audience_.add(what.client->id, what.listening);
      listener_.joined(what.client, what.listening);
      break;
    case Inbound::Kind::kMessage:
      take_message(what, began);
      break;
    case Inbound::Kind::kRelayed:
      listener_.relayed(what.client, *what.message);
      send(Outbound(Acknowledgement(what.client->id, what.bytes, work_since(*what.client, began))));
      break;
    case Inbound::Kind::kAsked:
      listener_.asked(what.client, what.query, *what.message);
      send(Outbound(Acknowledgement(what.client->id, what.bytes, work_since(*what.client, began))));
      break;
    case Inbound::Kind::kAnswer:
      listener_.answer(*what.message);
      break;
    case Inbound::Kind::kLeft:
      lines_.erase(what.client->id);
      audience_.remove(what.client->id);
      listener_.left(what.client);
      break;
    case Inbound::Kind::kAfter:
      listener_.comes_after(what.client, what.unread);
      break;
  }
}

/// An utterance that has to wait counts as unread once too many do: then its sender waits as well (W-5).
void Gateway::Server::take_message(const Inbound& what, Clock::Time began) {
  const bool is_utterance = what.message->type() == topic::kUtterance;
  const std::size_t before = is_utterance ? listener_.waiting(what.client) : 0;
  listener_.received(what.client, *what.message);
  const auto took = work_since(*what.client, began);
  if (is_utterance && listener_.waiting(what.client) > before) {
    Line& line = lines_[what.client->id];
    line.waiting.push_back(what.bytes);
    line.bytes += what.bytes;
    if (line.is_long()) {
      line.held.push_back(what.bytes);
      return;
    }
  }
  send(Outbound(Acknowledgement(what.client->id, what.bytes, is_utterance ? Clock::Time::duration() : took)));
}

Clock::Time::duration Gateway::Server::work_since(const Client& client, Clock::Time began) {
  const auto now = clock_.now();
  company_.heard(client.id, now);
  return company_.is_alone(now) ? Clock::Time::duration() : now - began;
}

void Gateway::Server::begun(std::uint64_t client) {
  const auto found = lines_.find(client);
  if (found == lines_.end() || found->second.waiting.empty()) return;
  Line& line = found->second;
  line.bytes -= line.waiting.front();
  line.waiting.pop_front();
  while (!line.held.empty() && !line.is_long()) {
    send(Outbound(Acknowledgement(client, line.held.front())));
    line.held.pop_front();
  }
  if (line.waiting.empty()) lines_.erase(found);
}

// ---- from the bus to clients

/// Nobody is to be woken for it. While a client is let in that is not known here yet, or one is there whose
/// messages have to be translated, nobody is certain of that.
bool Gateway::Server::is_unheard(const Message& message) const {
  if (client_count_ == 0) return true;
  return known_ == joined_ && !has_older_ && !topic::is_lasting_answer(message.type()) &&
         !audience_.hears(message.type(), message.session_id());
}

void Gateway::Server::send(const Message& message, std::uint64_t owner, bool relayed) {
  if (is_unheard(message)) return;
  send(Outbound(Delivery(message, owner, relayed)));
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
    if (const auto* delivery = std::get_if<Delivery>(&next)) {
      deliver(*delivery);
    } else if (const auto* said = std::get_if<Answer>(&next)) {
      answer(*said);
    } else {
      const auto& done = std::get<Acknowledgement>(next);
      const auto client = clients_.find(done.client);
      if (client != clients_.end()) client->second->acknowledge(done.bytes, done.took);
    }
  }
  for (const auto& [id, client] : clients_) client->flush();
  if (!outbound_rest_.empty()) asio::post(io_, [this] { take_outbound(true); });
}

void Gateway::Server::deliver(const Delivery& delivery) {
  const Message& message = delivery.message;
  if (topic::is_lasting_request(message.type())) return;  // a skill here asks the core (K-1)
  if (topic::is_lasting_answer(message.type())) {
    const auto& asker = message.context().sender;
    const auto client = asker ? clients_.find(asker->id) : clients_.end();
    if (client != clients_.end()) deliver_answer(*client->second, message);
    return;
  }
  if (delivery.relayed) {
    deliver_relayed(message);
    return;
  }
  translate(delivery);
  for (const auto& [id, heard] : heard_) {
    for (const auto& one : heard.before) send_to(*clients_.at(id), one, message.type());
  }
  const Message full = terms_.compat ? ovos::with_older_fields(message) : message;
  deliver(full, {});
  // Right behind it, as clients that drop the second one expect it.
  const std::string_view older = terms_.compat ? ovos::older_name_of(full.type()) : "";
  if (!older.empty()) deliver(ovos::under_older_name(full), full.type());
  for (auto& [id, heard] : std::exchange(heard_, {})) {
    Connection& client = *clients_.at(id);
    for (const auto& one : heard.after) send_to(client, one, message.type());
    for (auto& one : heard.passed) {
      Context context = one.context();
      context.sender = client.client();
      pass(client, one.with_context(std::move(context)), 0);
    }
  }
}

/// What was asked of the store, for the one who asked alone.
void Gateway::Server::deliver_answer(Connection& client, const Message& message) {
  const ovos::Heard heard = client.translator().hear_scheduled(message);
  std::string text = encode(heard.instead.value_or(message));
  if (!heard.list.is_null()) {
    Json told = to_json(*heard.instead);
    told["data"] = heard.list;
    text = told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  client.send(std::make_shared<const std::string>(text_frame(text)), nullptr);
  sent_.add();
  for (const auto& one : heard.passed) {
    Context context = one.context();
    context.sender = client.client();
    pass(client, one.with_context(std::move(context)), 0);
  }
}

void Gateway::Server::deliver(const Message& message, std::string_view granted_as) {
  const bool is_twin = !granted_as.empty();
  struct Form {
    FramePtr frame;
    ChargePtr charge;
  };
  Form current;
  Form older;
  std::uint64_t deliveries = 0;
  for (Connection* client : receivers_of(message.type(), is_twin ? granted_as : message.type())) {
    const bool is_older = client->translator().is_older();
    // Older clients have pongs of their own; most of these are said for them, as many as they are.
    const bool is_idle = is_older && message.type() == topic::kQuestionPong;
    if ((is_twin && !is_older) || is_idle || !client->wants(message)) continue;
    const auto heard = heard_.find(client->client()->id);
    if (!is_twin && heard != heard_.end() && heard->second.instead) {
      send_to(*client, *heard->second.instead, message.type());
      continue;
    }
    Form& form = is_older ? older : current;
    if (!form.frame) {
      form.frame = std::make_shared<const std::string>(text_frame(encode(told(*client, message))));
      form.charge = charge_of(message, form.frame->size());
    }
    client->send(form.frame, form.charge);
    ++deliveries;
  }
  if (deliveries > 0) sent_.add(deliveries);
}

/// Whoever began what a message belongs to bears it for as long as somebody has yet to be sent it (W-5).
ChargePtr Gateway::Server::charge_of(const Message& message, std::size_t bytes) const {
  const auto& sender = message.context().sender;
  const auto client = sender ? clients_.find(sender->id) : clients_.end();
  return client == clients_.end() ? nullptr : client->second->charge(bytes);
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
