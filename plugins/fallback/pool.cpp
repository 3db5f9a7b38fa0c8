#include "pool.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace parley::fallback {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Wide enough for whoever means a number, narrow enough to compute with.
int clamped(const Json& number) {
  constexpr std::int64_t kBound = 1'000'000'000;
  const bool huge = number.is_number_unsigned() && number.get<std::uint64_t>() > std::uint64_t{kBound};
  return static_cast<int>(huge ? kBound : std::clamp(number.get<std::int64_t>(), -kBound, kBound));
}

/// Why a message may not speak of the skill it names; nothing when it may.
std::optional<std::string> identity_fault(const Message& message) {
  const std::string named = message.text("skill_id");
  const std::string& sender = message.context().skill_id;
  if (named.empty() || named != sender) {
    return "'" + message.type() + "' names skill '" + named + "' but comes from '" + sender + "': ignored";
  }
  if (!is_identifier(named)) return "'" + named + "' is no skill_id: ignored";
  return std::nullopt;
}

/// Why a skill that is registered is not asked; empty when it is.
std::string objection(const Member& member, const Session& session, const Range& range,
                      const Policy& policy) {
  if (!range.holds(member.priority)) {
    return "its priority " + std::to_string(member.priority) + " is outside of this entry's range";
  }
  if (session.blacklists_skill(member.skill_id)) return "blacklisted for this session";
  if (!policy.allows(member.skill_id)) return "not allowed by fallback_mode";
  return {};
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
  sessions_[registration.session_id()][skill] = clamped(*priority);
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

bool Pool::holds(const std::string& session_id, const std::string& skill_id) const {
  const auto in = [&](const std::string& id) {
    const auto session = sessions_.find(id);
    return session != sessions_.end() && session->second.contains(skill_id);
  };
  return in(session_id) || in("default");
}

/// Everyone a session has, with the priority that holds there.
std::map<std::string, int> Pool::available(const std::string& session_id, const Policy& policy) const {
  std::map<std::string, int> skills;
  for (const std::string& id : {std::string("default"), session_id}) {
    const auto registered = sessions_.find(id);
    if (registered == sessions_.end()) continue;
    for (const auto& [skill, priority] : registered->second) skills[skill] = priority;  // its own wins
  }
  for (auto& [skill, priority] : skills) {
    const auto given = policy.priorities.find(skill);
    if (given != policy.priorities.end()) priority = given->second;
  }
  return skills;
}

std::vector<Member> Pool::effective(const Session& session, const Range& range, const Policy& policy,
                                    std::vector<Excluded>* excluded) const {
  std::map<std::string, int> left = available(session.session_id, policy);
  std::set<std::string> unknown;
  std::vector<Member> ordered;
  if (session.fallback_handlers) {
    for (const auto& skill : *session.fallback_handlers) {
      const auto preferred = left.extract(skill);
      if (!preferred.empty()) {
        ordered.emplace_back(skill, preferred.mapped());
      } else if (std::none_of(ordered.begin(), ordered.end(),
                              [&](const Member& one) { return one.skill_id == skill; })) {
        unknown.insert(skill);
      }
    }
  }
  const auto preferred = static_cast<std::ptrdiff_t>(ordered.size());
  for (const auto& [skill, priority] : left) ordered.emplace_back(skill, priority);
  std::stable_sort(ordered.begin() + preferred, ordered.end(),
                   [](const Member& a, const Member& b) { return a.priority < b.priority; });
  std::vector<Member> pool;
  for (auto& member : ordered) {
    std::string why = objection(member, session, range, policy);
    if (why.empty()) {
      pool.push_back(std::move(member));
    } else if (excluded != nullptr) {
      excluded->emplace_back(std::move(member.skill_id), std::move(why));
    }
  }
  if (excluded == nullptr) return pool;
  for (const auto& skill : unknown)
    excluded->emplace_back(skill, "preferred, but not registered as a fallback");
  return pool;
}

}  // namespace parley::fallback
