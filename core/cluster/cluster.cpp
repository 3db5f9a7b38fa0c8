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
    for (const auto& [number, client] : known.mapped().clients) {
      called_.erase(client->id);
      local_.left(client);
    }
  }
  std::erase_if(hosted_, [&](const auto& one) { return one.second.peer == peer; });
  std::vector<std::string> broken;
  for (const auto& [id, turn] : forwarded_) {
    if (turn.peer == peer) broken.push_back(id);
  }
  for (const auto& id : broken)
    give_up(id, fmt::format("the instance that it ran on ({}) is gone", members_.label_of(peer)));
  tell_wants();
}

/// What an instance that has just come, or begins anew, has to know.
void Cluster::greet(const std::string& peer) {
  if (!members_.is_there(peer)) return;
  links_.send(peer, frame(wants_frame()));
  for (const auto& [number, own] : own_.all()) {
    for (const auto& skill : own.skills) {
      Json speaks = head(peer, "speaks", own.client);
      speaks["skill"] = skill;
      links_.send(peer, frame(speaks));
    }
    for (const auto& message : own.registered.all()) say(peer, own.client, message);
  }
}

Json Cluster::wants_frame() const {
  return {{"k", "wants"}, {"heard", !own_.all().empty()}, {"traces", own_.any_wants_traces()}};
}

void Cluster::tell_wants() {
  const Json wants = wants_frame();
  if (wants != told_wants_) {
    told_wants_ = wants;
    for (const auto& peer : members_.others()) links_.send(peer, frame(wants));
  }
  local_.want_traces(
      std::any_of(peers_.begin(), peers_.end(), [](const auto& one) { return one.second.wants_traces; }) ||
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

void Cluster::joined(const net::ClientPtr& client, bool wants_traces) {
  own_.join(client, wants_traces);
  tell_wants();
}

void Cluster::left(const net::ClientPtr& client) {
  if (is_elsewhere(client)) return;
  own_.leave(client->id);
  for (auto& [id, peer] : peers_) {
    if (peer.knows.erase(client->id) > 0) links_.send(id, frame({{"k", "left"}, {"c", client->id}}));
  }
  tell_wants();
}

std::size_t Cluster::waiting(std::uint64_t client) const {
  const auto found = forwarded_of_.find(client);
  return found == forwarded_of_.end() ? 0 : found->second;
}

bool Cluster::takes(const net::ClientPtr& client, const Message& message) {
  if (is_elsewhere(client)) return false;
  OwnClients::Own* const own = own_.find(client->id);
  if (own != nullptr && !message.context().skill_id.empty()) note_speaker(*own, message.context().skill_id);
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

void Cluster::note_speaker(OwnClients::Own& own, const std::string& skill_id) {
  if (!own.skills.insert(skill_id).second) return;
  for (const auto& peer : members_.others()) {
    Json speaks = head(peer, "speaks", own.client);
    speaks["skill"] = skill_id;
    links_.send(peer, frame(speaks));
  }
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

bool Cluster::wants(const std::string& peer, const Message& message, const std::string& origin) const {
  const auto known = peers_.find(peer);
  const bool is_trace = message.type() == topic::kTrace;
  if (peer == origin) {
    const auto turn = hosted_.find(message.context().utterance_id);
    return !is_trace || (turn != hosted_.end() && turn->second.is_traced) ||
           (known != peers_.end() && known->second.wants_traces);
  }
  if (known == peers_.end()) return false;
  if (is_trace) return known->second.wants_traces;
  return known->second.is_heard && !message.type().starts_with("parley.");
}

void Cluster::spread_word(const Message& message, const std::string& origin, bool ends) {
  const auto others = members_.others();
  std::string text;
  for (const auto& peer : others) {
    if (!wants(peer, message, origin)) continue;
    if (text.empty()) {
      Json told = {{"k", "told"}, {"e", leases_.epoch_of(partition_of(message.session_id()))}};
      if (ends) told["ends"] = true;
      const SenderPtr& sender = message.context().sender;
      if (const auto called = sender ? called_.find(sender->id) : called_.end(); called != called_.end()) {
        told["at"] = called->second.first;
        told["c"] = called->second.second;
      }
      text = frame(told, message);
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
    return spread_word(message, {});
  }
  if (topic == topic::kHandled && ended_.find(id) != nullptr) return;
  local_.tell(message);
  if (is_for_all(message) || is_of_this_instance(topic)) return;
  const auto turn = hosted_.find(id);
  const std::string origin = turn == hosted_.end() ? std::string() : turn->second.peer;
  spread_word(message, origin);
  if (topic == topic::kHandled) ended_.put(id, 1);
  if (turn == hosted_.end()) return;
  if (topic == topic::kHandled) turn->second.is_handled = true;
  const bool is_over = turn->second.is_handled && (!turn->second.is_traced || topic == topic::kTrace);
  if (!is_over) return;
  hosted_.erase(turn);
  tell_wants();
}

}  // namespace parley::cluster
