// Turns that began at one instance and run at another.
#include <fmt/format.h>

#include <utility>

#include "cluster/cluster.hpp"
#include "message/codec.hpp"
#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/random_id.hpp"

namespace parley::cluster {
namespace {

constexpr std::size_t kMostForwarded = 16'384;
constexpr std::chrono::seconds kLongestWait(10);      ///< For somebody to own a session.
constexpr std::chrono::milliseconds kLookAgain(100);  ///< At turns that wait for that.

std::optional<Message> decoded(std::string_view text, SenderPtr from) {
  auto read = decode(
      text, [](const std::string&) {}, std::move(from));
  auto* const message = std::get_if<Message>(&read);
  return message == nullptr ? std::nullopt : std::optional<Message>(std::move(*message));
}

}  // namespace

// ---- turns that began here

bool Cluster::takes_utterance(const Message& message) {
  const std::size_t partition = partition_of(message.session_id());
  if (leases_.takes(partition)) return false;
  Context context = message.context();
  if (context.utterance_id.empty() || forwarded_.contains(context.utterance_id) ||
      local_.runs(context.utterance_id))
    context.utterance_id = random_id();
  const std::string id = context.utterance_id;
  ended_.erase(id);
  const std::uint64_t client = context.sender ? context.sender->id : 0;
  Forwarded turn(message.with_context(std::move(context)));
  turn.since = timers_.clock().now();
  turn.hears_all = own_.find(client) == nullptr;
  local_.tell(turn.entry);
  const std::string owner = leases_.owner_of(partition);
  spread_word(turn.entry, nullptr, false, owner);
  ++forwarded_of_[client];
  const auto found = forwarded_.emplace(id, std::move(turn)).first;
  forwarded_count_.add();
  if (forwarded_.size() > kMostForwarded) {
    give_up(id, "too many utterances are under way at other instances");
  } else {
    route(id, need(owner, found->second.entry, nullptr) != Need::kNone);
  }
  return true;
}

void Cluster::route(const std::string& utterance_id, bool tells) {
  const auto found = forwarded_.find(utterance_id);
  if (found == forwarded_.end()) return;
  Forwarded& turn = found->second;
  const std::size_t partition = partition_of(turn.entry.session_id());
  if (leases_.takes(partition)) {
    const Message entry = turn.entry;
    over(utterance_id);
    entering_.insert(utterance_id);
    return local_.enter(entry);
  }
  const std::string owner = leases_.owner_of(partition);
  if (owner.empty() || owner == members_.self()) {
    if (!waiting_) waiting_ = timers_.at(timers_.clock().now() + kLookAgain, [this] { route_waiting(); });
    return;
  }
  turn.peer = owner;
  Json enters = head(owner, "turn", turn.entry.context().sender);
  if (tells) enters["tells"] = true;
  if (turn.hears_all) enters["all"] = true;
  if (local_.are_traces_heard() || own_.any_hears_traces()) enters["traced"] = true;
  links_.send(owner, frame(enters, turn.entry));
}

void Cluster::route_waiting() {
  waiting_.reset();
  std::vector<std::string> ids;
  for (const auto& [id, turn] : forwarded_) {
    if (turn.peer.empty()) ids.push_back(id);
  }
  const auto now = timers_.clock().now();
  for (const auto& id : ids) {
    const auto found = forwarded_.find(id);
    if (found == forwarded_.end()) continue;
    if (now >= found->second.since + kLongestWait) {
      give_up(id, "no instance owned its session in time");
    } else {
      route(id);
    }
  }
}

/// What is said in a turn elsewhere, as far as it matters for how it would end here.
void Cluster::follow(const std::string& peer, const Message& message) {
  const auto found = forwarded_.find(message.context().utterance_id);
  if (found == forwarded_.end() || found->second.peer != peer) return;
  Forwarded& turn = found->second;
  const std::string& topic = message.type();
  if (message.context().session) turn.session = message.context().session;
  if (topic == topic::kHandlerStart) {
    const HandlerReport report(message);
    turn.skill_id = report.skill_id;
    turn.intent_name = report.intent_name;
  } else if (topic == topic::kHandlerComplete || topic == topic::kHandlerError) {
    turn.skill_id.clear();
  }
}

void Cluster::give_up(const std::string& utterance_id, const std::string& why) {
  const auto found = forwarded_.find(utterance_id);
  if (found == forwarded_.end()) return;
  const Forwarded turn = found->second;
  over(utterance_id);
  given_up_count_.add();
  log_warning("cluster",
              fmt::format("a turn in session '{}' ends: {}", turn.entry.session_id().substr(0, 80), why));
  const Message entry = turn.session ? turn.entry.with_session(turn.session) : turn.entry;
  std::vector<Message> last;
  if (!turn.skill_id.empty()) {
    HandlerReport report(turn.skill_id, turn.intent_name);
    report.exception = "cancelled: " + why;
    const Message reply = entry.reply(topic::kHandlerError, report.to_json());
    Context context = reply.context();
    context.skill_id = turn.skill_id;
    last.push_back(reply.with_context(std::move(context)));
  }
  last.push_back(entry.reply(topic::kHandled, Json::object()));
  for (const auto& message : last) {
    local_.tell(message);
    spread_word(message, nullptr, true);
  }
  ended_.put(utterance_id, 1);
}

void Cluster::over(const std::string& utterance_id) {
  const auto turn = forwarded_.extract(utterance_id);
  if (turn.empty()) return;
  const SenderPtr& sender = turn.mapped().entry.context().sender;
  const std::uint64_t client = sender ? sender->id : 0;
  const auto count = forwarded_of_.find(client);
  if (count != forwarded_of_.end() && --count->second == 0) forwarded_of_.erase(count);
  if (sender) local_.begun(client);
}

// ---- what comes from elsewhere

void Cluster::hear(const std::string& peer, const std::string& text) {
  const auto frame = Frame::read(text);
  if (!frame) return;
  const std::string kind = frame->kind();
  if (kind == "turn") {
    hear_turn(peer, *frame);
  } else if (kind == "told") {
    hear_told(peer, *frame);
  } else if (kind == "said") {
    hear_said(peer, *frame);
  } else if (kind == "no") {
    hear_refusal(*frame);
  } else if (kind == "left") {
    hear_left(peer, *frame);
  } else if (kind == "speaks") {
    hear_speaker(peer, *frame);
  } else if (kind == "silent") {
    hear_silence(peer, *frame);
  } else if (kind == "hears") {
    net::Audience& audience = peers_[peer].audience;
    const bool traced = audience.hears_traces();
    audience.add(frame->number("c"), listening_of(*frame));
    if (audience.hears_traces() != traced) want_traces();
  }
}

net::ClientPtr Cluster::client_of(const std::string& peer, const Frame& frame) {
  const std::uint64_t number = frame.number("c");
  Peer& known = peers_[peer];
  const auto found = known.clients.find(number);
  if (found != known.clients.end()) return found->second;
  if (const auto passing = known.passing.find(number); passing != known.passing.end()) {
    if (auto client = passing->second.lock()) return client;
  }
  const auto description = frame.head.find("client");
  if (description == frame.head.end() || !description->is_object()) return nullptr;
  auto client = described(*description, next_client_ + 1);
  if (!client) return nullptr;
  ++next_client_;
  if (frame.flag("stays")) {
    known.clients.emplace(number, client);
    called_.emplace(client->id, std::pair(peer, number));
  } else {
    std::erase_if(known.passing, [](const auto& one) { return one.second.expired(); });
    known.passing.insert_or_assign(number, client);
  }
  return client;
}

void Cluster::hear_turn(const std::string& peer, const Frame& frame) {
  net::ClientPtr client = client_of(peer, frame);
  // In that process nobody is a client, but here somebody has to be.
  if (!client) client = std::make_shared<const net::Client>(++next_client_, "instance " + peer, peer);
  const auto message = decoded(frame.message, client);
  if (!message || message->type() != topic::kUtterance) return;
  if (frame.flag("tells")) local_.tell(*message);
  const std::string& id = message->context().utterance_id;
  const bool is_taken = local_.runs(id) || hosted_.contains(id) || forwarded_.contains(id);
  // Whom this instance does not know of yet it could not answer.
  const bool is_welcome = members_.is_there(peer) && leases_.takes(partition_of(message->session_id()));
  if (is_taken || !is_welcome) {
    links_.send(peer, parley::cluster::frame({{"k", "no"}, {"id", id}, {"taken", is_taken}}));
    return;
  }
  hosted_count_.add();
  hosted_.insert_or_assign(id, Hosted{peer, frame.flag("all"), frame.flag("traced"), false});
  if (frame.flag("traced")) want_traces();
  local_.enter(*message);
}

void Cluster::hear_refusal(const Frame& frame) {
  const std::string id = frame.text("id");
  const auto found = forwarded_.find(id);
  if (found == forwarded_.end()) return;
  found->second.peer.clear();
  if (!frame.flag("taken")) {
    if (!waiting_) waiting_ = timers_.at(timers_.clock().now() + kLookAgain, [this] { route_waiting(); });
    return;
  }
  auto turn = forwarded_.extract(found);
  Context context = turn.mapped().entry.context();
  context.utterance_id = random_id();
  turn.key() = context.utterance_id;
  turn.mapped().entry = turn.mapped().entry.with_context(std::move(context));
  const std::string fresh = turn.key();
  forwarded_.insert(std::move(turn));
  route(fresh);
}

void Cluster::hear_said(const std::string& peer, const Frame& frame) {
  const auto client = client_of(peer, frame);
  if (!client) return;
  if (const auto message = decoded(frame.message, client)) local_.received(client, *message);
}

void Cluster::hear_left(const std::string& peer, const Frame& frame) {
  const auto known = peers_.find(peer);
  if (known == peers_.end()) return;
  net::Audience& audience = known->second.audience;
  const bool traced = audience.hears_traces();
  audience.remove(frame.number("c"));
  if (audience.hears_traces() != traced) want_traces();
  const auto client = known->second.clients.extract(frame.number("c"));
  if (!client.empty()) forget(client.mapped());
}

bool Cluster::is_stale(const Message& message, std::uint64_t epoch) const {
  return !message.context().utterance_id.empty() &&
         epoch < leases_.epoch_of(partition_of(message.session_id()));
}

void Cluster::hear_told(const std::string& peer, const Frame& frame) {
  SenderPtr sender;
  if (frame.text("at") == members_.self()) {
    if (const auto* const own = own_.find(frame.number("c"))) sender = own->client;
  }
  const auto message = decoded(frame.message, sender);
  if (!message) return;
  const std::string& id = message->context().utterance_id;
  const std::string& topic = message->type();
  if (topic == topic::kUtterance) {
    if (!id.empty()) ended_.erase(id);
    return local_.tell(*message);
  }
  if (topic == topic::kHandled && ended_.find(id) != nullptr) return;
  if (!frame.flag("ends")) {
    const auto own = forwarded_.find(id);
    const bool is_own = own != forwarded_.end() && own->second.peer == peer;
    if (!is_own && is_stale(*message, frame.number("e"))) return;
    if (!id.empty()) heard_turns_.put(id, peer);
    follow(peer, *message);
  }
  if (topic == topic::kHandled) {
    ended_.put(id, 1);
    over(id);
  }
  if (!frame.flag("quiet")) local_.tell(*message);
}

}  // namespace parley::cluster
