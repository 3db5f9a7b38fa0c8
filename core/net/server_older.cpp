// What clients of before the OVOS specifications say and are sent (W-6).
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <chrono>

#include "message/codec.hpp"
#include "message/topics.hpp"
#include "net/ovos/session.hpp"
#include "net/server.hpp"
#include "registry/parse.hpp"
#include "runtime/guard.hpp"

namespace parley::net {
namespace {

constexpr std::size_t kMostOversizedAtATime = 4;
constexpr std::size_t kMostCounted = std::size_t{1} << 20U;  ///< Bytes of a message, at which counting ends.

}  // namespace

bool GatewaySettings::understands_older() const {
  if (compat == Compat::kAuto) return boost::asio::ip::make_address(listen).is_loopback();
  return compat == Compat::kOvos;
}

void Gateway::Server::take_said(Connection& connection, ovos::Said said, std::size_t bytes) {
  if (connection.translator().is_older()) has_older_ = true;
  if (said.dropped != nullptr)
    counters_.counter("parley_gateway_dropped_total", {{"reason", said.dropped}}).add();
  for (const auto& note : said.notes) {
    connection.inlet().complain(note.about, note.text);
  }
  // To take what nobody else gets takes the time of others, too.
  if (said.passed.empty() && said.relayed.empty() && said.asked.empty()) connection.note_drop(bytes);
  // What becomes more by being translated is borne by whoever said it.
  const bool is_one = said.passed.size() == 1;
  for (auto& message : said.passed) {
    const std::size_t size = is_one ? bytes : text_in(message.data(), kMostCounted);
    pass(connection, std::move(message), std::max(is_one ? bytes : 1, size));
  }
  const auto hand = [&](Inbound::Kind kind, Message message, ovos::Query query) {
    connection.add_unread(bytes);
    Inbound inbound(kind, connection.client());
    inbound.message = std::move(message);
    inbound.bytes = bytes;
    inbound.query = query;
    hand_over(std::move(inbound));
  };
  for (auto& message : said.relayed) {
    auto relay = relayable(connection.grant(), std::move(message));
    if (const auto* refusal = std::get_if<Refusal>(&relay)) {
      drop(connection, refusal->reason, refusal->text, bytes);
    } else {
      hand(Inbound::Kind::kRelayed, std::move(std::get<Message>(relay)), {});
    }
  }
  for (auto& [query, question] : said.asked) {
    if (auto refusal = refusal_of_topic(connection.grant(), question.type())) {
      drop(connection, refusal->reason, refusal->text, bytes);
    } else {
      hand(Inbound::Kind::kAsked, std::move(question), query);
    }
  }
  for (const auto& message : said.told) send_to(connection, message, message.type());
  if (!said.told.empty()) connection.flush();
  call_when_due(connection);
}

void Gateway::Server::call_when_due(Connection& connection) {
  const auto due = connection.translator().due();
  if (!due) {
    connection.call_at(Timer());
    return;
  }
  constexpr std::chrono::milliseconds kAtOnce(5);  // others first
  const std::chrono::duration<double> left(std::clamp(*due - unix_now(), 0.0, 3600.0));
  const auto when = clock_.now() + std::max<Clock::Time::duration>(
                                       kAtOnce, std::chrono::duration_cast<Clock::Time::duration>(left));
  connection.call_at(timers_.at(when, [this, id = connection.client()->id] {
    const auto client = clients_.find(id);
    if (client == clients_.end()) return;
    Connection& due_one = *client->second;
    if (due_one.is_ahead()) return call_when_due(due_one);
    take_said(due_one, due_one.translator().on_time(unix_now()), 1);
  }));
}

void Gateway::Server::translate(const Delivery& delivery) {
  const Message& message = delivery.message;
  const bool for_all = terms_.compat && ovos::Translator::concerns_all(message.type());
  if (for_all || (terms_.compat && ovos::Translator::concerns_session(message.type()))) {
    for (const auto& [id, client] : clients_) {
      const auto& translator = client->translator();
      if (translator.is_older() && (for_all || translator.keeps(message.session_id())))
        translate_for(*client, message, id == delivery.owner);
    }
    return;
  }
  std::uint64_t whose = delivery.owner;
  if (whose == 0 && terms_.compat && message.context().sender &&
      ovos::Translator::concerns_sender(message.type()))
    whose = message.context().sender->id;
  const auto client = whose == 0 ? clients_.end() : clients_.find(whose);
  if (client != clients_.end()) translate_for(*client->second, message, true);
}

void Gateway::Server::translate_for(Connection& client, const Message& message, bool is_own) {
  ovos::Heard heard;
  // Nobody is to go down with it for what one client was told or has said.
  const auto failure = failure_of([&] { heard = client.translator().hear(message, is_own, unix_now()); });
  if (failure) {
    client.inlet().complain("translation",
                            fmt::format("'{}' could not be translated for it: {}", message.type(), *failure));
    return;
  }
  if (heard.before.empty() && !heard.instead && heard.after.empty() && heard.passed.empty()) return;
  heard_.insert_or_assign(client.client()->id, std::move(heard));
}

void Gateway::Server::answer(const Answer& answer) {
  const auto client = clients_.find(answer.client);
  if (client == clients_.end()) return;
  Connection& who = *client->second;
  std::optional<Message> told;
  const auto failure =
      failure_of([&] { told = who.translator().answer(answer.query, answer.question, answer.answer); });
  if (failure) who.inlet().complain("translation", fmt::format("no answer for it: {}", *failure));
  if (told) send_to(who, *told, told->type());
}

Message Gateway::Server::told(const Connection& client, const Message& message) {
  const SessionPtr& session = message.context().session;
  if (!session || !client.translator().is_older()) return message;
  if (older_session_.first != session) older_session_ = {session, ovos::older_session(session)};
  return message.with_session(older_session_.second);
}

void Gateway::Server::send_to(Connection& client, const Message& message, std::string_view granted_as) {
  if (!client.wants_topic(message.type(), granted_as) || !client.wants(message)) return;
  const auto frame = std::make_shared<const std::string>(text_frame(encode(told(client, message))));
  client.send(frame, charge_of(message, frame->size()));
  sent_.add();
}

void Gateway::Server::deliver_relayed(const Message& message) {
  for (const auto& [id, client] : clients_) {
    if (client->translator().is_older()) send_to(*client, message, message.type());
  }
}

bool Gateway::Server::begin_oversized() {
  if (*oversized_ >= kMostOversizedAtATime) return false;
  ++*oversized_;
  return true;
}

/// It goes to whom it names and past the bus: nobody else has to take it, and the core has no use for it.
bool Gateway::Server::received_oversized(Connection& connection, Received what, std::string_view text) {
  received_.add();
  const auto refuse = [&](const std::string& why) {
    drop(connection, "too_large",
         fmt::format("dropped a message of {} bytes (gateway.max_frame is {}): {}", text.size(),
                     settings_.max_frame, why),
         text.size());
    return false;
  };
  if (!what.message) return refuse("it is malformed");
  const Message& message = *what.message;
  const Context& context = message.context();
  if (context.destination.empty())
    return refuse("so large a one goes to its destination alone, and it has none");
  const bool relays = message.type().find(':') != std::string::npos;
  const auto passed = relays ? relayable(connection.grant(), message) : admitted(connection.grant(), message);
  if (const auto* refusal = std::get_if<Refusal>(&passed)) return refuse(refusal->text);
  if (!ovos::current_name_of(message.type()).empty() ||
      topic::speaker_of(message.type()) != (relays ? topic::Speaker::kCore : topic::Speaker::kAnybody))
    return refuse(fmt::format("'{}' is for the core", message.type()));
  FramePtr frame;
  ChargePtr charge;
  for (const auto& one : clients_) {
    Connection* const client = one.second;
    const bool is_named = std::any_of(context.destination.begin(), context.destination.end(),
                                      [&](const auto& name) { return client->translator().goes_by(name); });
    if (!is_named || client == &connection || !client->wants_topic(message.type()) || !client->wants(message))
      continue;
    if (!frame) {
      frame = std::make_shared<const std::string>(text_frame(text));
      charge = ChargePtr(
          nullptr, [borne = connection.charge(frame->size()), room = oversized_](const void*) { --*room; });
    }
    client->send(frame, charge);
    client->flush();
    sent_.add();
  }
  return frame || refuse("nobody goes by the name of its destination");
}

}  // namespace parley::net
