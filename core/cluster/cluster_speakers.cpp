// Which connection of the cluster speaks for which skill (W-3).
#include <chrono>
#include <utility>

#include "cluster/cluster.hpp"

namespace parley::cluster {

void Cluster::tell_speaker(const std::string& peer, const std::string& skill_id, const Claim& claim) {
  Json speaks = head(peer, "speaks", claim.client);
  speaks["skill"] = skill_id;
  speaks["since"] = claim.since;
  links_.send(peer, frame(speaks));
}

/// A client of this instance speaks for a skill, which nobody did as far as is known here.
void Cluster::note_speaker(const net::ClientPtr& client, const std::string& skill_id) {
  const auto known = claims_.find(skill_id);
  if (known != claims_.end()) {
    if (known->second.client->id == client->id) return;
    silence(skill_id, client->name);  // its connection was lost, and is to be forgotten
  }
  const auto wall = timers_.clock().wall().time_since_epoch();
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(wall).count();
  const auto claim = claims_.emplace(skill_id, Claim(members_.self(), client, now)).first;
  for (const auto& peer : members_.others()) tell_speaker(peer, skill_id, claim->second);
}

void Cluster::hear_speaker(const std::string& peer, const Frame& frame) {
  const auto client = client_of(peer, frame);
  const std::string skill_id = frame.text("skill");
  if (!client || skill_id.empty()) return;
  const Claim fresh(peer, client, static_cast<std::int64_t>(frame.number("since")));
  const auto known = claims_.find(skill_id);
  if (known != claims_.end() && known->second.client->id != client->id) {
    if (known->second.is_before(fresh)) return;  // it hears so, and takes it back
    silence(skill_id, client->name);
  }
  if (local_.speaks(client, skill_id)) claims_.insert_or_assign(skill_id, fresh);
}

void Cluster::hear_silence(const std::string& peer, const Frame& frame) {
  const std::string skill_id = frame.text("skill");
  const auto known = claims_.find(skill_id);
  if (known == claims_.end() || known->second.instance != peer) return;
  const auto called = called_.find(known->second.client->id);
  if (called != called_.end() && called->second.second == frame.number("c")) silence(skill_id, "nobody");
}

void Cluster::silence(const std::string& skill_id, const std::string& speaker) {
  const auto claim = claims_.extract(skill_id);
  const net::ClientPtr& client = claim.mapped().client;
  if (OwnClients::Own* const own = own_.find(client->id)) {
    own->registered.forget(skill_id);
    const std::string silent = frame({{"k", "silent"}, {"c", client->id}, {"skill", skill_id}});
    for (const auto& peer : members_.others()) links_.send(peer, silent);
  }
  local_.silence(client, skill_id, speaker);
}

}  // namespace parley::cluster
