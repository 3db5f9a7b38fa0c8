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
#include "registry/lines.hpp"
#include "registry/manifest.hpp"

namespace parley {

/// Listens to everything that is registered (section R), gives stages what is valid, and answers
/// `ovos.intent.list` and `ovos.intent.describe`. On the loop's thread. A registration with much text is read
/// on another thread; what the same skill sends meanwhile waits for it, so that the order stays.
class IntentRegistry final : public Registry {
 public:
  /// The bus must outlive it.
  /// @param offload  empty: everything is read at once, on the loop
  explicit IntentRegistry(Bus& bus, RegistrationLimits limits = RegistrationLimits(), Offload offload = {});
  IntentRegistry(const IntentRegistry&) = delete;
  IntentRegistry& operator=(const IntentRegistry&) = delete;

  std::vector<IntentPtr> intents() const override { return manifest_.valid(); }
  std::vector<EntityPtr> entities() const override { return entities_.all(); }
  [[nodiscard]] Subscription on_change(std::function<void(const RegistryChange&)> callback) override;
  bool is_enabled(const IntentRegistration& intent, const std::string& session_id) const override {
    return manifest_.is_enabled(intent, session_id);
  }
  /// Whether all that was registered so far has been read.
  bool is_settled() const noexcept { return lines_.idle(); }

  /// Calls back when all that these skills have registered so far has been read; at once where it has.
  void when_read(const std::vector<std::string>& skill_ids, std::function<void()> done);

  /// Who asks what is registered is answered when this has called back: more may be there then.
  void before_listing(std::function<void(std::function<void()> then)> prepare) {
    prepare_ = std::move(prepare);
  }

  /// Makes these all that a skill has registered in the default session, at once: who looks sees what was
  /// there before or what is there then. What is the same stays as it is; all of it is enabled. The bus is
  /// told of what goes. Calls back in the same step of the loop.
  /// @param messages  those that register nothing are passed over
  void replace(const std::string& skill_id, std::vector<Message> messages, std::function<void()> then);

  /// See Manifest. The blacklists are the session's own; those of the configuration are the caller's to
  /// apply.
  std::vector<IntentPtr> pool(const Session& session) const { return manifest_.pool(session); }
  IntentPtr find(const Session& session, const std::string& skill_id, const std::string& intent_name,
                 const std::string& lang) const {
    return manifest_.find(session, skill_id, intent_name, lang);
  }

 private:
  using Listener = std::function<void(const RegistryChange&)>;

  using Handler = void (IntentRegistry::*)(const Message&);

  /// @param ordered  waits while the skill's earlier registrations are read
  void listen(const std::string& topic, Handler handle, bool ordered = true);
  void handle_in_order(const Message& message, Handler handle);
  /// Reads a registration, off the loop when it is big, and then gives `done` the result on the loop.
  template <class Read>
  void read(const Message& message, const char* name_key, Read read,
            std::function<void(decltype(read(std::declval<const Complain&>())))> done);
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

  struct Replacement;
  std::shared_ptr<Replacement> plan(const std::string& skill_id, const std::vector<Message>& messages) const;
  void carry_out(const std::string& skill_id, Replacement& plan);
  void drop_intents(const Target& target);
  void drop_entities(const Target& target);
  void notify(const RegistryChange& change);
  /// Tells of changes of one skill, many of them a few at a time.
  void notify_all(const std::string& skill_id, std::vector<RegistryChange> changes);

  Bus& bus_;
  RegistrationLimits limits_;
  SkillLines lines_;
  Manifest manifest_;
  EntityTable entities_;
  std::function<void(std::function<void()> then)> prepare_ = [](const std::function<void()>& then) {
    then();
  };
  std::vector<std::weak_ptr<Listener>> listeners_;
  std::vector<Subscription> subscriptions_;  // last: silenced first
};

}  // namespace parley
