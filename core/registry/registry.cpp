#include "registry/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "message/log.hpp"
#include "message/topics.hpp"
#include "registry/introspection.hpp"
#include "registry/parse.hpp"
#include "runtime/guard.hpp"
#include "runtime/nth_call.hpp"

namespace parley {
namespace {

void warn(const Message& message, std::string_view text) {
  log_warning("registry", fmt::format("{}: {}", message.type(), text));
}

/// "intent_name 'brew' of 'coffee.parley' [en-US]", as far as the payload says it.
std::string subject(const Message& message, const char* name_key) {
  return fmt::format("{} '{}' of '{}' [{}]", name_key, message.text(name_key), message.text("skill_id"),
                     message.text("lang"));
}

/// What was left out of a registration. One line of the log for each would let one message fill it.
class Complaints {
 public:
  void add(const std::string& text) {
    if (++count_ <= kTold) told_.push_back(text);
  }
  void tell(const Message& message, const char* name_key) const {
    for (const std::string& text : told_)
      warn(message, fmt::format("{}: {}", subject(message, name_key), text));
    if (count_ > kTold)
      warn(message, fmt::format("{}: {} more of the kind", subject(message, name_key), count_ - kTold));
  }

 private:
  static constexpr std::size_t kTold = 8;
  std::vector<std::string> told_;
  std::size_t count_ = 0;
};

/// More text than this is read off the loop: it takes about a millisecond.
constexpr std::size_t kSmall = std::size_t{4} << 10U;
/// More text than this may not wait for a skill's earlier registrations to be read.
constexpr std::size_t kMostWaiting = std::size_t{16} << 20U;

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

IntentRegistry::IntentRegistry(Bus& bus, RegistrationLimits limits, Offload offload)
    : bus_(bus), limits_(limits), lines_(std::move(offload)) {
  listen(topic::kRegisterKeyword, &IntentRegistry::register_keyword);
  listen(topic::kRegisterTemplate, &IntentRegistry::register_template);
  listen(topic::kRegisterEntity, &IntentRegistry::register_entity);
  listen(topic::kDeregisterIntent, &IntentRegistry::deregister_intent);
  listen(topic::kDeregisterEntity, &IntentRegistry::deregister_entity);
  listen(topic::kDeregisterSkill, &IntentRegistry::deregister_skill);
  listen(topic::kEnableIntent, &IntentRegistry::enable);
  listen(topic::kDisableIntent, &IntentRegistry::disable);
  listen(topic::kListIntents, &IntentRegistry::list, false);
  listen(topic::kDescribeIntent, &IntentRegistry::describe, false);
}

void IntentRegistry::when_read(const std::vector<std::string>& skill_ids, std::function<void()> done) {
  std::vector<std::string> busy = skill_ids;
  std::erase_if(busy, [this](const auto& id) { return !lines_.busy(id); });
  const auto one_is = at_call(busy.size() + 1, std::move(done));
  for (const auto& id : busy) lines_.queue(id, 0, one_is);
  one_is();
}

void IntentRegistry::listen(const std::string& topic, Handler handle, bool ordered) {
  subscriptions_.push_back(bus_.subscribe(topic, [this, handle, ordered](const Message& message) {
    if (ordered) return handle_in_order(message, handle);
    (this->*handle)(message);
  }));
}

void IntentRegistry::handle_in_order(const Message& message, Handler handle) {
  const std::string skill_id = message.text("skill_id");
  if (!lines_.busy(skill_id)) return (this->*handle)(message);
  const std::size_t bytes = text_in(message.data(), kMostWaiting);
  const bool takes_away = message.type().ends_with("deregister");  // which frees what waits
  if (!takes_away && lines_.waiting(skill_id) + bytes > kMostWaiting) {
    return warn(message, fmt::format("'{}' has {} MiB waiting to be read: ignored; register it again later",
                                     skill_id, kMostWaiting >> 20U));
  }
  lines_.queue(skill_id, bytes, [this, message, handle] { (this->*handle)(message); });
}

template <class Read>
void IntentRegistry::read(const Message& message, const char* name_key, Read read,
                          std::function<void(decltype(read(std::declval<const Complain&>())))> done) {
  using Outcome = decltype(read(std::declval<const Complain&>()));
  struct Reading {
    Complaints complaints;
    std::optional<Outcome> outcome;
  };
  const auto reading = std::make_shared<Reading>();
  auto work = [reading, read = std::move(read)] {
    const auto failure = failure_of([&] {
      reading->outcome.emplace(read([&reading](const std::string& text) { reading->complaints.add(text); }));
    });
    if (failure) reading->outcome.emplace(Error(*failure));
  };
  auto then = [reading, message, name_key, done = std::move(done)] {
    reading->complaints.tell(message, name_key);
    done(std::move(*reading->outcome));
  };
  if (!lines_.can_wait() || text_in(message.data(), kSmall) < kSmall) {
    work();
    return then();
  }
  lines_.off_loop(message.text("skill_id"), std::move(work), std::move(then));
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
  if (manifest_.put(key, message).accepted) return;  // there already, word for word
  const auto parse = [message, method, limits = limits_](const Complain& complain) {
    return parse_intent(message.data(), method, complain, limits);
  };
  read(message, "intent_name", parse, [this, key, message](Result<IntentRegistration> parsed) {
    ManifestEntry& entry = manifest_.put(key, message);
    if (!parsed) {
      warn(message, fmt::format("{}: rejected: {}{}", subject(message, "intent_name"), parsed.error().message,
                                entry.valid ? "; the earlier registration goes on" : ""));
      return;
    }
    RegistryChange change;
    change.intent = manifest_.accept(entry, std::move(parsed).value());
    notify(change);
  });
}

void IntentRegistry::register_entity(const Message& message) {
  if (!is_owner(message) || !has_key(message, "entity_name")) return;
  const auto parse = [message, limits = limits_](const Complain& complain) {
    return parse_entity(message.data(), complain, limits);
  };
  read(message, "entity_name", parse, [this, message](Result<EntityRegistration> parsed) {
    if (!parsed) {
      warn(message, fmt::format("{}: rejected: {}", subject(message, "entity_name"), parsed.error().message));
      return;
    }
    parsed->session_id = message.session_id();
    RegistryChange change;
    change.entity = entities_.put(std::move(parsed).value());
    notify(change);
  });
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
  std::vector<RegistryChange> changes;
  for (auto& intent : manifest_.remove(target)) changes.emplace_back().removed_intent = std::move(intent);
  notify_all(target.skill_id, std::move(changes));
}

void IntentRegistry::drop_entities(const Target& target) {
  std::vector<RegistryChange> changes;
  for (auto& entity : entities_.remove(target)) changes.emplace_back().removed_entity = std::move(entity);
  notify_all(target.skill_id, std::move(changes));
}

void IntentRegistry::notify_all(const std::string& skill_id, std::vector<RegistryChange> changes) {
  std::vector<SkillLines::Step> steps;
  steps.reserve(changes.size());
  for (auto& change : changes) steps.emplace_back([this, change = std::move(change)] { notify(change); });
  lines_.in_slices(skill_id, std::move(steps));
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
  prepare_([this, query] { bus_.publish(query.response(list_intents(manifest_, query))); });
}

void IntentRegistry::describe(const Message& query) {
  prepare_([this, query] { bus_.publish(query.response(describe_intents(manifest_, query))); });
}

}  // namespace parley
