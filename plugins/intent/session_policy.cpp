#include "session_policy.hpp"

#include <parley/gates.hpp>

namespace parley::intent {
namespace {

/// Everything that gates an intent: "needs 'a', 'b', excludes 'c'".
std::string gates_of(const IntentRegistration& intent) {
  std::string text;
  const auto list = [&text](const std::vector<ContextGate>& gates, std::string_view verb) {
    if (gates.empty()) return;
    if (!text.empty()) text += ", ";
    text += verb;
    for (const ContextGate& gate : gates) {
      if (&gate != &gates.front()) text += ',';
      text += " '" + gate.key + '\'';
    }
  };
  list(intent.requires_context, "needs");
  list(intent.excludes_context, "excludes");
  return text;
}

}  // namespace

bool SessionPolicy::sees(const std::string& session_id) const {
  return session_id == "default" || session_id == session_.session_id;
}

Veto SessionPolicy::veto(const IntentRegistration& intent) const {
  if (session_.blacklists_skill(intent.skill_id)) return Veto(Veto::Kind::kSkillBlacklisted);
  if (session_.blacklists_intent(intent.skill_id + ':' + intent.intent_name)) {
    return Veto(Veto::Kind::kIntentBlacklisted);
  }
  if (!registry_.is_enabled(intent, session_.session_id)) return Veto(Veto::Kind::kDisabled);
  if (!gates_open(intent, session_, now_)) return Veto(Veto::Kind::kGateClosed, gates_of(intent));
  return {};
}

std::int64_t SessionPolicy::recency(const IntentRegistration& intent) const {
  return turns_left(intent, session_, now_);
}

std::optional<std::string> SessionPolicy::context_value(const IntentRegistration& intent,
                                                        const std::string& slot) const {
  return parley::context_value(session_, intent.skill_id, slot, now_);
}

}  // namespace parley::intent
