#include "registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <nlohmann/json.hpp>
#include <string_view>

#include "message/log.hpp"
#include "registry/introspection.hpp"
#include "registry/parse.hpp"
#include "time/guard.hpp"

namespace parley {
namespace {

constexpr std::array<std::string_view, 5> kReserved = {"converse", "response", "stop", "fallback",
                                                       "common_query"};

bool is_reserved(std::string_view intent_name) {
  return std::find(kReserved.begin(), kReserved.end(), intent_name) != kReserved.end();
}

void warn(const Message& message, std::string_view text) {
  log_warning("registry", fmt::format("{}: {}", message.type(), text));
}

/// "intent_name 'brew' of 'coffee.parley' [en-US]", as far as the payload says it.
std::string subject(const Message& message, const char* name_key) {
  return fmt::format("{} '{}' of '{}' [{}]", name_key, message.text(name_key), message.text("skill_id"),
                     message.text("lang"));
}

Complain complainer(const Message& message, const char* name_key) {
  return [&message, name_key](const std::string& text) {
    warn(message, fmt::format("{}: {}", subject(message, name_key), text));
  };
}

/// Whether a skill speaks for itself.
bool is_owner(const Message& message) {
  const std::string claimed = message.text("skill_id");
  const std::string& sender = message.context().skill_id;
  if (!claimed.empty() && claimed == sender) return true;
  warn(message, fmt::format("data.skill_id '{}' is not context.skill_id '{}': ignored", claimed, sender));
  return false;
}

/// The parts of a registration's key; nothing when one is missing, which nobody could be told apart by.
bool has_key(const Message& message, const char* name_key) {
  for (const char* key : {name_key, "lang"}) {
    if (!message.text(key).empty()) continue;
    warn(message,
         fmt::format("{}: '{}' must be a non-empty string: ignored", subject(message, name_key), key));
    return false;
  }
  return true;
}

/// What is to be removed, enabled or disabled.
/// @param name_key  null: everything of the skill
std::optional<Target> read_target(const Message& message, const char* name_key) {
  Target target(message.session_id(), message.text("skill_id"));
  if (target.skill_id.empty()) {
    warn(message, "'skill_id' must be a non-empty string: ignored");
    return std::nullopt;
  }
  if (name_key == nullptr) return target;
  target.name = message.text(name_key);
  if (target.name->empty()) {
    warn(message,
         fmt::format("skill '{}': '{}' must be a non-empty string: ignored", target.skill_id, name_key));
    return std::nullopt;
  }
  if (message.data().contains("lang")) {
    target.lang = message.text("lang");
    if (target.lang->empty()) {
      warn(message, fmt::format("{}: 'lang' must be a language tag, or left out for all: ignored",
                                subject(message, name_key)));
      return std::nullopt;
    }
  }
  return target;
}

}  // namespace

IntentRegistry::IntentRegistry(Bus& bus) : bus_(bus) {
  listen("ovos.intent.register.keyword", &IntentRegistry::register_keyword);
  listen("ovos.intent.register.template", &IntentRegistry::register_template);
  listen("ovos.entity.register", &IntentRegistry::register_entity);
  listen("ovos.intent.deregister", &IntentRegistry::deregister_intent);
  listen("ovos.entity.deregister", &IntentRegistry::deregister_entity);
  listen("ovos.skill.deregister", &IntentRegistry::deregister_skill);
  listen("ovos.intent.enable", &IntentRegistry::enable);
  listen("ovos.intent.disable", &IntentRegistry::disable);
  listen("ovos.intent.list", &IntentRegistry::list);
  listen("ovos.intent.describe", &IntentRegistry::describe);
}

void IntentRegistry::listen(const std::string& topic, void (IntentRegistry::*handle)(const Message&)) {
  subscriptions_.push_back(
      bus_.subscribe(topic, [this, handle](const Message& message) { (this->*handle)(message); }));
}

Subscription IntentRegistry::on_change(std::function<void(const RegistryChange&)> callback) {
  std::erase_if(listeners_, [](const auto& one) { return one.expired(); });
  auto listener = std::make_shared<Listener>(std::move(callback));
  listeners_.push_back(listener);
  return Subscription(listener);
}

void IntentRegistry::notify(const RegistryChange& change) {
  const auto targets = listeners_;  // a listener may subscribe another
  for (const auto& target : targets) {
    const auto listener = target.lock();
    if (!listener) continue;
    if (const auto failure = failure_of([&] { (*listener)(change); }))
      log_error("registry", "who listens to changes threw: " + *failure);
  }
}

void IntentRegistry::register_intent(const Message& message, Method method) {
  if (!is_owner(message) || !has_key(message, "intent_name")) return;
  const std::string name = message.text("intent_name");
  if (is_reserved(name)) {
    warn(message, fmt::format("{}: the name is reserved: ignored", subject(message, "intent_name")));
    return;
  }
  const IntentKey key(message.session_id(), message.text("skill_id"), name, message.text("lang"), method);
  ManifestEntry& entry = manifest_.put(key, message);
  if (entry.accepted) return;  // there already, word for word
  auto parsed = parse_intent(message.data(), method, complainer(message, "intent_name"));
  if (!parsed) {
    warn(message, fmt::format("{}: rejected: {}{}", subject(message, "intent_name"), parsed.error().message,
                              entry.valid ? "; the earlier registration goes on" : ""));
    return;
  }
  RegistryChange change;
  change.intent = manifest_.accept(entry, std::move(parsed).value());
  notify(change);
}

void IntentRegistry::register_entity(const Message& message) {
  if (!is_owner(message) || !has_key(message, "entity_name")) return;
  auto parsed = parse_entity(message.data(), complainer(message, "entity_name"));
  if (!parsed) {
    warn(message, fmt::format("{}: rejected: {}", subject(message, "entity_name"), parsed.error().message));
    return;
  }
  parsed->session_id = message.session_id();
  RegistryChange change;
  change.entity = entities_.put(std::move(parsed).value());
  notify(change);
}

void IntentRegistry::deregister_intent(const Message& message) {
  if (!is_owner(message)) return;
  if (const auto target = read_target(message, "intent_name")) drop_intents(*target);
}

void IntentRegistry::deregister_entity(const Message& message) {
  if (!is_owner(message)) return;
  if (const auto target = read_target(message, "entity_name")) drop_entities(*target);
}

void IntentRegistry::deregister_skill(const Message& message) {
  if (!is_owner(message)) return;
  const auto target = read_target(message, nullptr);
  if (!target) return;
  drop_intents(*target);
  drop_entities(*target);
}

void IntentRegistry::drop_intents(const Target& target) {
  for (auto& intent : manifest_.remove(target)) {
    RegistryChange change;
    change.removed_intent = std::move(intent);
    notify(change);
  }
}

void IntentRegistry::drop_entities(const Target& target) {
  for (auto& entity : entities_.remove(target)) {
    RegistryChange change;
    change.removed_entity = std::move(entity);
    notify(change);
  }
}

void IntentRegistry::set_enabled(const Message& message, bool enabled) {
  const auto target = read_target(message, "intent_name");
  if (!target) return;
  const std::string& sender = message.context().skill_id;
  if (sender != target->skill_id) {
    log_debug("registry", fmt::format("{}: '{}' decides about {}", message.type(), sender,
                                      subject(message, "intent_name")));
  }
  for (auto& intent : manifest_.set_enabled(*target, enabled)) {
    RegistryChange change;
    change.intent = std::move(intent);
    notify(change);
  }
}

void IntentRegistry::list(const Message& query) {
  bus_.publish(query.response(list_intents(manifest_, query)));
}

void IntentRegistry::describe(const Message& query) {
  bus_.publish(query.response(describe_intents(manifest_, query)));
}

}  // namespace parley
