#include "pool.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace parley::fallback {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// The skill a message speaks of, or why it may not.
std::optional<std::string> identity_fault(const Message& message) {
  const std::string named = message.text("skill_id");
  const std::string& sender = message.context().skill_id;
  if (named.empty() || named != sender) {
    return "'" + message.type() + "' names skill '" + named + "' but comes from '" + sender + "': ignored";
  }
  if (!is_identifier(named)) return "'" + named + "' is no skill_id: ignored";
  return std::nullopt;
}

}  // namespace

bool Policy::allows(const std::string& skill_id) const {
  switch (mode) {
    case Mode::kAcceptAll:
      return true;
    case Mode::kWhitelist:
      return contains(whitelist, skill_id);
    case Mode::kBlacklist:
      return !contains(blacklist, skill_id);
  }
  return true;
}

std::optional<std::string> Pool::add(const Message& registration) {
  if (auto fault = identity_fault(registration)) return fault;
  const std::string skill = registration.text("skill_id");
  const auto priority = registration.data().find("priority");
  if (priority == registration.data().end() || !priority->is_number_integer()) {
    return "the fallback priority of skill '" + skill + "' must be a whole number: ignored";
  }
  const auto wide = priority->get<std::int64_t>();
  constexpr std::int64_t kBound = 1'000'000'000;
  sessions_[registration.session_id()][skill] = static_cast<int>(std::clamp(wide, -kBound, kBound));
  return std::nullopt;
}

std::optional<std::string> Pool::remove(const Message& deregistration) {
  if (auto fault = identity_fault(deregistration)) return fault;
  forget(deregistration.session_id(), deregistration.text("skill_id"));
  return std::nullopt;
}

void Pool::forget(const std::string& session_id, const std::string& skill_id) {
  const auto session = sessions_.find(session_id);
  if (session == sessions_.end()) return;
  session->second.erase(skill_id);
  if (session->second.empty()) sessions_.erase(session);
}

std::vector<Member> Pool::effective(const Session& session, const Range& range, const Policy& policy,
                                    std::vector<Excluded>* excluded) const {
  std::map<std::string, int> available;
  for (const std::string& id : {std::string("default"), session.session_id}) {
    const auto registered = sessions_.find(id);
    if (registered == sessions_.end()) continue;
    for (const auto& [skill, priority] : registered->second)
      available[skill] = priority;  // the session's own wins
  }
  for (auto& [skill, priority] : available) {
    const auto override_of = policy.priorities.find(skill);
    if (override_of != policy.priorities.end()) priority = override_of->second;
  }
  std::vector<Member> rest;
  for (const auto& [skill, priority] : available) rest.emplace_back(skill, priority);
  std::stable_sort(rest.begin(), rest.end(),
                   [](const Member& a, const Member& b) { return a.priority < b.priority; });
  std::vector<Member> ordered;
  std::set<std::string> taken;
  if (session.fallback_handlers) {
    for (const auto& skill : *session.fallback_handlers) {
      const auto known = available.find(skill);
      if (known != available.end() && taken.insert(skill).second) ordered.emplace_back(skill, known->second);
    }
  }
  for (auto& member : rest) {
    if (taken.insert(member.skill_id).second) ordered.push_back(std::move(member));
  }
  std::vector<Member> pool;
  for (auto& member : ordered) {
    std::string why;
    if (!range.holds(member.priority)) {
      why = "its priority " + std::to_string(member.priority) + " is outside of this entry's range";
    } else if (session.blacklists_skill(member.skill_id)) {
      why = "blacklisted for this session";
    } else if (!policy.allows(member.skill_id)) {
      why = "not allowed by fallback_mode";
    }
    if (why.empty()) {
      pool.push_back(std::move(member));
    } else if (excluded != nullptr) {
      excluded->emplace_back(std::move(member.skill_id), std::move(why));
    }
  }
  return pool;
}

}  // namespace parley::fallback
