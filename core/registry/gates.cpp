#include <algorithm>
#include <parley/gates.hpp>

namespace parley {
namespace {

std::string private_key(std::string_view skill_id, std::string_view key) {
  std::string whole(skill_id);
  whole += ':';
  whole += key;
  return whole;
}

const ContextEntry* live_entry(const Session& session, const std::string& key, double now) {
  if (!session.intent_context) return nullptr;
  const auto found = session.intent_context->find(key);
  return found != session.intent_context->end() && is_live(found->second, now) ? &found->second : nullptr;
}

const ContextEntry* entry_of(const IntentRegistration& intent, const ContextGate& gate,
                             const Session& session, double now) {
  return live_entry(session, gate.shared ? gate.key : private_key(intent.skill_id, gate.key), now);
}

const std::string* value_of(const ContextEntry* entry) {
  return entry != nullptr && entry->value && !entry->value->empty() ? &*entry->value : nullptr;
}

}  // namespace

bool is_live(const ContextEntry& entry, double now) noexcept {
  if (entry.removed) return false;
  if (entry.turns_remaining && *entry.turns_remaining <= 0) return false;
  return !entry.expires_at || *entry.expires_at > now;
}

bool gates_open(const IntentRegistration& intent, const Session& session, double now) {
  const auto is_set = [&](const ContextGate& gate) {
    return entry_of(intent, gate, session, now) != nullptr;
  };
  return std::all_of(intent.requires_context.begin(), intent.requires_context.end(), is_set) &&
         std::none_of(intent.excludes_context.begin(), intent.excludes_context.end(), is_set);
}

std::int64_t turns_left(const IntentRegistration& intent, const Session& session, double now) {
  std::int64_t most = 0;
  for (const ContextGate& gate : intent.requires_context) {
    const ContextEntry* const entry = entry_of(intent, gate, session, now);
    if (entry != nullptr && entry->turns_remaining)
      most = std::max(most, std::int64_t{*entry->turns_remaining});
  }
  return most;
}

std::optional<std::string> context_value(const Session& session, std::string_view skill_id,
                                         std::string_view slot_name, double now) {
  if (!session.intent_context || session.intent_context->empty()) return std::nullopt;
  const std::string* value = value_of(live_entry(session, private_key(skill_id, slot_name), now));
  if (value == nullptr) value = value_of(live_entry(session, std::string(slot_name), now));
  return value == nullptr ? std::nullopt : std::optional(*value);
}

void prune_intent_context(Session& session, double now) {
  if (!session.intent_context) return;
  std::erase_if(*session.intent_context, [now](const auto& one) { return !is_live(one.second, now); });
}

void age_intent_context(Session& session, const Session& round_began) {
  if (!session.intent_context || !round_began.intent_context) return;
  for (auto& [key, entry] : *session.intent_context) {
    if (!entry.turns_remaining || *entry.turns_remaining <= 0) continue;
    const auto before = round_began.intent_context->find(key);
    if (before != round_began.intent_context->end() && before->second == entry) --*entry.turns_remaining;
  }
}

}  // namespace parley
