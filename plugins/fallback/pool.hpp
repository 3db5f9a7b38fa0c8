#pragma once

#include <limits>
#include <map>
#include <optional>
#include <parley/message.hpp>
#include <parley/session.hpp>
#include <parley/text_set.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace parley::fallback {

/// Which skills a deployment lets take part.
enum class Mode { kAcceptAll, kWhitelist, kBlacklist };

/// The deployer's word on the pool.
struct Policy {
  Policy() = default;
  std::map<std::string, int, std::less<>>
      priorities;  ///< skill_id → priority instead of the one it asks for.
  Mode mode = Mode::kAcceptAll;
  std::set<std::string, std::less<>> whitelist, blacklist;

  bool allows(std::string_view skill_id) const;
};

/// The priorities an entry considers, both ends included (F-1).
struct Range {
  Range() = default;
  Range(int low, int high) : least(low), most(high) {}
  bool holds(int priority) const noexcept { return least <= priority && priority <= most; }
  int least = std::numeric_limits<int>::min();
  int most = std::numeric_limits<int>::max();
};

/// A skill in the order in which it is asked.
struct Member {
  Member(std::string id, int rank) : skill_id(std::move(id)), priority(rank) {}
  std::string skill_id;
  int priority;  ///< After the deployer's override.
  bool operator==(const Member&) const = default;
};

/// Why a skill is not asked: for the trace.
struct Excluded {
  Excluded(std::string id, std::string reason) : skill_id(std::move(id)), why(std::move(reason)) {}
  std::string skill_id;
  std::string why;
};

/// Who registered as a fallback skill, per session (F-1, F-2).
class Pool {
 public:
  /// Both give the reason when the message does not count, else nothing. It counts when it names the skill
  /// that sent it; registering again replaces.
  std::optional<std::string> add(const Message& registration);
  std::optional<std::string> remove(const Message& deregistration);
  /// All that a skill registered in a session.
  void forget(const std::string& session_id, const std::string& skill_id);

  /// Who is asked for this session, in order: preference, range, availability, policy.
  /// @param excluded  may be null
  std::vector<Member> effective(const Session& session, const Range& range, const Policy& policy,
                                std::vector<Excluded>* excluded) const;

  /// Whether anybody is asked for this session.
  bool has_any(const Session& session, const Range& range, const Policy& policy) const;

  /// Whether the session has that skill, be it by a registration for everyone.
  bool holds(const std::string& session_id, std::string_view skill_id) const;

 private:
  using Skills = std::map<std::string, int, std::less<>>;  ///< With the priorities they ask for.

  /// Calls `visit(skill_id, priority that holds there)` for everyone a session has, until one gives false.
  template <class Visit>
  void visit_available(const std::string& session_id, const Policy& policy, Visit&& visit) const;

  std::map<std::string, Skills, std::less<>> sessions_;
};

}  // namespace parley::fallback
