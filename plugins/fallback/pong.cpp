#include "pong.hpp"

#include <nlohmann/json.hpp>

namespace parley::fallback {

Pong read_pong(const Message& pong, const Message& ping, const std::string& skill_id) {
  const std::string& sender = pong.context().skill_id;
  // A reply inherits the id of the skill that put the utterance on the bus: that says nothing of who replies.
  const bool inherited = sender.empty() || sender == ping.context().skill_id;
  if (!inherited && sender != skill_id) return Pong::kStrange;
  if (pong.text("skill_id") != skill_id) return sender == skill_id ? Pong::kMalformed : Pong::kStrange;
  const auto willing = pong.data().find("can_handle");
  if (willing == pong.data().end() || !willing->is_boolean()) return Pong::kMalformed;
  return willing->get<bool>() ? Pong::kYes : Pong::kNo;
}

}  // namespace parley::fallback
