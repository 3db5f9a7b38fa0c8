#include "pool.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>

namespace parley::fallback {
namespace {

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

/// What leaves skills out, for one session and one entry.
class Filter {
 public:
  Filter(const Session& session, const Range& range, const Policy& policy)
      : denied_(session.blacklisted_skills), range_(range), policy_(policy) {}

  /// Why a skill that is registered is not asked; empty when it is.
  std::string objection(std::string_view skill_id, int priority) const {
    if (!range_.holds(priority)) {
      return "its priority " + std::to_string(priority) + " is outside of this entry's range";
    }
    if (denied_.contains(skill_id)) return "blacklisted for this session";
    if (!policy_.allows(skill_id)) return "not allowed by fallback_mode";
    return {};
  }

 private:
  TextSet denied_;
  const Range& range_;
  const Policy& policy_;
};

}  // namespace

bool Policy::allows(std::string_view skill_id) const {
  switch (mode) {
    case Mode::kAcceptAll:
      return true;
    case Mode::kWhitelist:
      return whitelist.contains(skill_id);
    case Mode::kBlacklist:
      return !blacklist.contains(skill_id);
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

bool Pool::holds(const std::string& session_id, std::string_view skill_id) const {
  const auto in = [&](std::string_view id) {
    const auto session = sessions_.find(id);
    return session != sessions_.end() && session->second.contains(skill_id);
  };
  return in(session_id) || in("default");
}

template <class Visit>
void Pool::visit_available(const std::string& session_id, const Policy& policy, Visit&& visit) const {
  const auto own = sessions_.find(session_id);
  const auto shared = session_id == "default" ? sessions_.end() : sessions_.find(std::string_view("default"));
  const auto visit_one = [&](const std::string& skill, int asked_for) {
    const auto given = policy.priorities.find(skill);
    return visit(skill, given == policy.priorities.end() ? asked_for : given->second);
  };
  if (own != sessions_.end()) {
    for (const auto& [skill, priority] : own->second) {
      if (!visit_one(skill, priority)) return;
    }
  }
  if (shared == sessions_.end()) return;
  for (const auto& [skill, priority] : shared->second) {
    if (own != sessions_.end() && own->second.contains(skill)) continue;  // its own holds
    if (!visit_one(skill, priority)) return;
  }
}

bool Pool::has_any(const Session& session, const Range& range, const Policy& policy) const {
  if (sessions_.empty()) return false;
  const Filter filter(session, range, policy);
  bool any = false;
  visit_available(session.session_id, policy, [&](const std::string& skill, int priority) {
    any = filter.objection(skill, priority).empty();
    return !any;
  });
  return any;
}

std::vector<Member> Pool::effective(const Session& session, const Range& range, const Policy& policy,
                                    std::vector<Excluded>* excluded) const {
  const Filter filter(session, range, policy);
  std::vector<Member> pool;
  visit_available(session.session_id, policy, [&](const std::string& skill, int priority) {
    std::string why = filter.objection(skill, priority);
    if (why.empty()) {
      pool.emplace_back(skill, priority);
    } else if (excluded != nullptr) {
      excluded->emplace_back(skill, std::move(why));
    }
    return true;
  });
  std::sort(pool.begin(), pool.end(), [](const Member& a, const Member& b) {
    return std::tie(a.priority, a.skill_id) < std::tie(b.priority, b.skill_id);
  });
  if (!session.fallback_handlers) return pool;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const auto& skill : *session.fallback_handlers) {
    const bool first = places.emplace(skill, places.size()).second;
    if (first && excluded != nullptr && !holds(session.session_id, skill))
      excluded->emplace_back(skill, "preferred, but not registered as a fallback");
  }
  const auto place = [&](const Member& member) {
    const auto found = places.find(member.skill_id);
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(pool.begin(), pool.end(),
                   [&](const Member& a, const Member& b) { return place(a) < place(b); });
  return pool;
}

}  // namespace parley::fallback
