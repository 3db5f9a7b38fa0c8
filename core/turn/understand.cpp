// What handlers do inside a conversation: match the skill's own templates, set the intent context.
#include <fmt/format.h>

#include <algorithm>
#include <parley/language.hpp>
#include <parley/turn.hpp>
#include <stdexcept>

#include "turn/turn_state.hpp"

namespace parley {

std::optional<Understood> Turn::understand(const std::string& text,
                                           const std::vector<std::string>& intents) const {
  const TurnEnvironment& around = *state_->environment;
  const auto closest = closest_language(lang(), around.locale.languages());
  if (!closest) return std::nullopt;
  auto& sentences = *around.sentences;
  const auto known = sentences.try_emplace(*closest, around.locale, *closest).first;
  for (auto& match : known->second.match(text)) {
    if (std::find(intents.begin(), intents.end(), match.name) != intents.end())
      return Understood(std::move(match.name), std::move(match.slots));
  }
  return std::nullopt;
}

namespace {

/// How the entry is called in the session: what is not shared has the skill's name in front.
std::string context_key(const std::string& skill_id, const std::string& key, bool shared) {
  if (!is_identifier(key))
    throw std::invalid_argument(fmt::format(
        "'{}' can't be the key of an intent context: it takes letters, digits, '.', '_' and '-'", key));
  return shared ? key : skill_id + ":" + key;
}

}  // namespace

void Turn::set_context(const std::string& key, std::optional<std::string> value, ContextOptions options) {
  const std::string name = context_key(state_->environment->owner, key, options.shared);
  if (options.turns && *options.turns < 1)
    throw std::invalid_argument(fmt::format("the context '{}' must last for 1 turn or more", key));
  if (options.lifetime && *options.lifetime <= Duration::zero())
    throw std::invalid_argument(fmt::format("the context '{}' must last for a time above zero", key));
  ContextEntry entry;
  entry.value = std::move(value);
  entry.turns_remaining = options.turns;
  if (options.lifetime) {
    entry.expires_at = unix_seconds(state_->environment->clock().wall()) +
                       std::chrono::duration<double>(*options.lifetime).count();
  }
  change_session([&](Session& session) {
    if (!session.intent_context) session.intent_context.emplace();
    session.intent_context->insert_or_assign(name, std::move(entry));
  });
}

void Turn::remove_context(const std::string& key, bool shared) {
  const std::string name = context_key(state_->environment->owner, key, shared);
  change_session([&](Session& session) {
    if (session.intent_context) session.intent_context->erase(name);
  });
}

}  // namespace parley
