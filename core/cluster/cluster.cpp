#include "cluster/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "runtime/random_id.hpp"

namespace parley::cluster {
namespace {

constexpr std::size_t kMostRecent = 65'536;

/// What tells where a turn began how it would have to be ended there.
bool ends_or_begins(const std::string& topic) {
  return topic == topic::kHandled || topic == topic::kHandlerStart || topic == topic::kHandlerComplete ||
         topic == topic::kHandlerError;
}

/// What matters to nobody at another instance.
bool is_of_this_instance(const std::string& topic) {
  return topic == topic::kCoreReady || topic == topic::kSessionRejected || topic::is_lasting_request(topic) ||
         topic::is_lasting_answer(topic);
}

}  // namespace

Cluster::Cluster(Fabric& fabric, Timers& timers, Counters& counters, Local& local, const std::string& label,
                 Links::Post post)
    : fabric_(fabric),
      timers_(timers),
      local_(local),
      forwarded_count_(counters.counter("parley_cluster_turns_total", {{"way", "forwarded"}})),
      hosted_count_(counters.counter("parley_cluster_turns_total", {{"way", "hosted"}})),
      given_up_count_(counters.counter("parley_cluster_turns_total", {{"way", "given_up"}})),
      members_(fabric, timers, random_id(), label,
               {[this](const std::string& id) { arrived(id); }, [this](const std::string& id) { gone(id); },
                [this] { leases_.look(); }, [this] { leases_.lapse(); }}),
      leases_(fabric, timers, members_,
              {[this](std::size_t partition) {
                 return local_.is_busy([partition](const auto& id) { return partition_of(id) == partition; });
               },
               [this](std::size_t partition) { moved(partition); },
               [this](const auto& partitions) { lost(partitions); }, [this] { links_.flush(); }}),
      links_(fabric, timers, members_.self(), std::move(post),
             {[this](const std::string& peer, const std::string& text) { hear(peer, text); },
              [this](const std::string& peer) {
                cut(peer);
                greet(peer);
              }}),
      heard_turns_(kMostRecent),
      ended_(kMostRecent) {}

Cluster::~Cluster() = default;

void Cluster::start(std::function<void()> ready) {
  ready_ = std::move(ready);
  links_.start();
  members_.start();
  leases_.start();
}

void Cluster::leave() {
  members_.leave();
  leases_.look();
}

bool Cluster::has_left() const {
  const auto takers = members_.takers();
  return leases_.owned() == 0 || takers.empty();
}

void Cluster::check_ready() {
  if (ready_ && leases_.is_settled()) std::exchange(ready_, nullptr)();
}

// ---- instances

void Cluster::arrived(const std::string& peer) {
  log_info("cluster", fmt::format("instance {} ({}) is there", peer, members_.label_of(peer)));
  greet(peer);
  leases_.look();
  route_waiting();
}

void Cluster::gone(const std::string& peer) {
  log_info("cluster", fmt::format("instance {} ({}) is gone", peer, members_.label_of(peer)));
  links_.drop(peer);
  cut(peer);
  leases_.look();
}

void Cluster::cut(const std::string& peer) {
  if (const auto known = peers_.extract(peer)) {
    for (const auto& [number, client] : known.mapped().clients) forget(client);
  }
  std::erase_if(hosted_, [&](const auto& one) { return one.second.peer == peer; });
  std::vector<std::string> broken;
  for (const auto& [id, turn] : forwarded_) {
    if (turn.peer == peer) broken.push_back(id);
  }
  for (const auto& id : broken)
    give_up(id, fmt::format("the instance that it ran on ({}) is gone", members_.label_of(peer)));
  want_traces();
}

/// What an instance that has just come, or begins anew, has to know.
void Cluster::greet(const std::string& peer) {
  if (!members_.is_there(peer)) return;
  for (const auto& [number, own] : own_.all()) {
    if (!own.listening.is_deaf) links_.send(peer, frame(describe(number, own.listening)));
    for (const auto& [skill, claim] : claims_) {
      if (claim.client->id == number) tell_speaker(peer, skill, claim);
    }
    for (const auto& message : own.registered.all()) say(peer, own.client, message);
  }
}

void Cluster::want_traces() {
  local_.want_traces(
      std::any_of(peers_.begin(), peers_.end(),
                  [](const auto& one) { return one.second.audience.hears_traces(); }) ||
      std::any_of(hosted_.begin(), hosted_.end(), [](const auto& one) { return one.second.is_traced; }));
}

void Cluster::moved(std::size_t partition) {
  check_ready();
  std::vector<std::string> waiting;
  for (const auto& [id, turn] : forwarded_) {
    if (turn.peer.empty() && partition_of(turn.entry.session_id()) == partition) waiting.push_back(id);
  }
  for (const auto& id : waiting) route(id);
  local_.moved();
}

void Cluster::lost(const std::vector<std::size_t>& partitions) {
  const std::set<std::size_t> all(partitions.begin(), partitions.end());
  local_.end_turns([&](const std::string& id) { return all.contains(partition_of(id)); },
                   "cancelled: this instance owns the session no longer");
}

// ---- clients of this instance

void Cluster::joined(const net::ClientPtr& client, const net::Listening& listening) {
  own_.join(client, listening);
  if (listening.is_deaf) return;
  const std::string hears = frame(describe(client->id, listening));
  for (const auto& peer : members_.others()) links_.send(peer, hears);
}

void Cluster::left(const net::ClientPtr& client) {
  if (is_elsewhere(client)) return;
  if (own_.find(client->id) == nullptr) return;
  own_.leave(client->id);
  std::erase_if(claims_, [&](const auto& one) { return one.second.client->id == client->id; });
  for (auto& [id, peer] : peers_) peer.knows.erase(client->id);
  const std::string gone = frame({{"k", "left"}, {"c", client->id}});
  for (const auto& peer : members_.others()) links_.send(peer, gone);
}

std::size_t Cluster::waiting(std::uint64_t client) const {
  const auto found = forwarded_of_.find(client);
  return found == forwarded_of_.end() ? 0 : found->second;
}

bool Cluster::takes(const net::ClientPtr& client, const Message& message) {
  if (is_elsewhere(client)) return false;
  OwnClients::Own* const own = own_.find(client->id);
  if (own != nullptr && !message.context().skill_id.empty()) note_speaker(client, message.context().skill_id);
  if (message.type() == topic::kUtterance) return takes_utterance(message);
  if (topic::is_lasting_request(message.type())) return false;
  if (is_for_all(message)) {
    if (own != nullptr) own->registered.note(message);
    for (const auto& peer : members_.others()) say(peer, client, message);
    return false;
  }
  const std::string place = place_of(message);
  if (place.empty()) return false;
  say(place, client, message);
  return true;
}

/// A client of another instance that is no longer there.
void Cluster::forget(const net::ClientPtr& client) {
  called_.erase(client->id);
  std::erase_if(claims_, [&](const auto& one) { return one.second.client->id == client->id; });
  local_.left(client);
}

// ---- what goes elsewhere

std::string Cluster::place_of(const Message& message) const {
  const std::string& id = message.context().utterance_id;
  if (!id.empty()) {
    const auto forwarded = forwarded_.find(id);
    if (forwarded != forwarded_.end() && !forwarded->second.peer.empty()) return forwarded->second.peer;
    if (local_.runs(id)) return {};
    const std::string* const heard = heard_turns_.find(id);
    if (heard != nullptr && members_.is_there(*heard)) return *heard;
  }
  std::string owner = leases_.owner_of(partition_of(message.session_id()));
  return owner == members_.self() ? std::string() : owner;
}

/// With who the sender is, where the peer was not told yet.
Json Cluster::head(const std::string& peer, const char* kind, const SenderPtr& sender) {
  Json head = {{"k", kind}};
  const auto client = std::dynamic_pointer_cast<const net::Client>(sender);
  if (!client) return head;
  head["c"] = client->id;
  const bool stays = own_.find(client->id) != nullptr;
  Peer& known = peers_[peer];
  if (!stays || known.knows.insert(client->id).second) {
    head["client"] = describe(*client);
    head["stays"] = stays;
  }
  return head;
}

void Cluster::say(const std::string& peer, const net::ClientPtr& client, const Message& message) {
  const Json said = head(peer, "said", client);
  links_.send(peer, frame(said, message));
}

Cluster::Need Cluster::need(const std::string& peer, const Message& message, const Hosted* hosted) const {
  const std::string& topic = message.type();
  const bool is_trace = topic == topic::kTrace;
  if (hosted != nullptr && hosted->peer == peer && (is_trace ? hosted->is_traced : hosted->hears_all))
    return Need::kHears;
  const auto known = peers_.find(peer);
  const bool is_public = is_trace || !topic.starts_with("parley.");
  if (is_public && known != peers_.end() && known->second.audience.hears(topic, message.session_id()))
    return Need::kHears;
  return hosted != nullptr && hosted->peer == peer && ends_or_begins(topic) ? Need::kFollows : Need::kNone;
}

void Cluster::spread_word(const Message& message, const Hosted* hosted, bool ends, const std::string& but) {
  std::string text;
  for (const auto& peer : members_.others()) {
    const Need needs = peer == but ? Need::kNone : need(peer, message, hosted);
    if (needs == Need::kNone) continue;
    if (needs == Need::kFollows || text.empty()) {
      Json told = {{"k", "told"}, {"e", leases_.epoch_of(partition_of(message.session_id()))}};
      if (ends) told["ends"] = true;
      if (needs == Need::kFollows) told["quiet"] = true;
      const SenderPtr& sender = message.context().sender;
      if (const auto called = sender ? called_.find(sender->id) : called_.end(); called != called_.end()) {
        told["at"] = called->second.first;
        told["c"] = called->second.second;
      }
      std::string fresh = frame(told, message);
      if (needs == Need::kFollows) {
        // But for the end, it only matters if this instance dies.
        const bool may_wait = message.type() != topic::kHandled;
        may_wait ? links_.send_later(peer, std::move(fresh)) : links_.send(peer, std::move(fresh));
        continue;
      }
      text = std::move(fresh);
    }
    links_.send(peer, text);
  }
}

void Cluster::carried(const Message& message) {
  const std::string& topic = message.type();
  const std::string& id = message.context().utterance_id;
  const bool is_foreign = is_elsewhere(message.context().sender);
  if (topic == topic::kUtterance) {
    if (!id.empty()) ended_.erase(id);
    if (is_foreign || entering_.erase(id) > 0) return;  // everybody was told where it was said
    local_.tell(message);
    return spread_word(message);
  }
  if (topic == topic::kHandled && ended_.find(id) != nullptr) return;
  local_.tell(message);
  if (is_for_all(message) || is_of_this_instance(topic)) return;
  const auto turn = hosted_.find(id);
  spread_word(message, turn == hosted_.end() ? nullptr : &turn->second);
  if (topic == topic::kHandled) ended_.put(id, 1);
  if (turn == hosted_.end()) return;
  if (topic == topic::kHandled) turn->second.is_handled = true;
  const bool is_over = turn->second.is_handled && (!turn->second.is_traced || topic == topic::kTrace);
  if (!is_over) return;
  const bool was_traced = turn->second.is_traced;
  hosted_.erase(turn);
  if (was_traced) want_traces();
}

}  // namespace parley::cluster
