#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <parley/registry.hpp>
#include <parley/session.hpp>
#include <string>
#include <vector>

#include "bus/bus.hpp"
#include "registry/entities.hpp"
#include "registry/manifest.hpp"

namespace parley {

/// Listens to everything that is registered (section R), gives stages what is valid, and answers
/// `ovos.intent.list` and `ovos.intent.describe`. On the loop's thread.
class IntentRegistry final : public Registry {
 public:
  /// The bus must outlive it.
  explicit IntentRegistry(Bus& bus);
  IntentRegistry(const IntentRegistry&) = delete;
  IntentRegistry& operator=(const IntentRegistry&) = delete;

  std::vector<IntentPtr> intents() const override { return manifest_.valid(); }
  std::vector<EntityPtr> entities() const override { return entities_.all(); }
  [[nodiscard]] Subscription on_change(std::function<void(const RegistryChange&)> callback) override;
  bool is_enabled(const IntentRegistration& intent, const std::string& session_id) const override {
    return manifest_.is_enabled(intent, session_id);
  }

  /// See Manifest. The blacklists are the session's own; those of the configuration are the caller's to
  /// apply.
  std::vector<IntentPtr> pool(const Session& session) const { return manifest_.pool(session); }
  IntentPtr find(const Session& session, const std::string& skill_id, const std::string& intent_name,
                 const std::string& lang) const {
    return manifest_.find(session, skill_id, intent_name, lang);
  }

 private:
  using Listener = std::function<void(const RegistryChange&)>;

  void listen(const std::string& topic, void (IntentRegistry::*handle)(const Message&));
  void register_keyword(const Message& message) { register_intent(message, Method::kKeyword); }
  void register_template(const Message& message) { register_intent(message, Method::kTemplate); }
  void register_intent(const Message& message, Method method);
  void register_entity(const Message& message);
  void deregister_intent(const Message& message);
  void deregister_entity(const Message& message);
  void deregister_skill(const Message& message);
  void enable(const Message& message) { set_enabled(message, true); }
  void disable(const Message& message) { set_enabled(message, false); }
  void set_enabled(const Message& message, bool enabled);
  void list(const Message& query);
  void describe(const Message& query);

  void drop_intents(const Target& target);
  void drop_entities(const Target& target);
  void notify(const RegistryChange& change);

  Bus& bus_;
  Manifest manifest_;
  EntityTable entities_;
  std::vector<std::weak_ptr<Listener>> listeners_;
  std::vector<Subscription> subscriptions_;  // last: silenced first
};

}  // namespace parley
