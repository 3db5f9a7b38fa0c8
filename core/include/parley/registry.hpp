#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <parley/bus.hpp>
#include <parley/message.hpp>
#include <parley/result.hpp>
#include <string>
#include <variant>
#include <vector>

namespace parley {

/// `{name, samples}` of a keyword registration: a vocabulary and its phrases. The samples are
/// templates that parse; those that did not were dropped with a warning.
struct KeywordVocabulary {
  KeywordVocabulary(std::string id, std::vector<std::string> phrases)
      : name(std::move(id)), samples(std::move(phrases)) {}
  std::string name;
  std::vector<std::string> samples;
};

/// The constraints of a keyword intent.
struct KeywordIntent {
  KeywordIntent() = default;
  std::vector<KeywordVocabulary> required;
  std::vector<KeywordVocabulary> optional;
  std::vector<KeywordVocabulary> excluded;
  std::vector<std::vector<KeywordVocabulary>> one_of;
};

/// The samples of a template intent and what restricts them.
struct TemplateIntent {
  TemplateIntent() = default;
  std::vector<std::string> samples;   ///< Templates that parse (T-1).
  std::vector<std::string> teaching;  ///< Those with slots side by side: no candidates, but they teach (T-3).
  std::vector<std::string> blacklist;                              ///< Phrases that suppress it (T-6).
  std::map<std::string, std::vector<std::string>> slot_blacklist;  ///< Values that must not fill a slot.
  std::map<std::string, std::string> slot_types;
};

/// A gate on a registration: an `intent_context` key that must or must not be live.
struct ContextGate {
  ContextGate(std::string name, bool is_shared) : key(std::move(name)), shared(is_shared) {}
  std::string key;
  bool shared;  ///< false: the key is `<skill_id>:<key>`.
};

/// One registered intent: the five parts of its key and what it matches.
struct IntentRegistration {
  IntentRegistration() = default;

  std::string session_id;  ///< The session whose pool it is in; "default" is everyone's.
  std::string skill_id;
  std::string intent_name;
  std::string lang;  ///< BCP-47 as registered; compare with same_language().
  std::variant<TemplateIntent, KeywordIntent> pattern;
  std::vector<std::string> required_slots;  ///< The match must bind them (U-3).
  std::vector<std::string> asked_slots;     ///< The skill asks for them where the match does not bind them.
  std::vector<ContextGate> requires_context, excludes_context;
  bool enabled = true;
  std::size_t weight = 0;  ///< How much work its samples are: their bytes, and what is written out of them.

  bool is_template() const noexcept { return pattern.index() == 0; }
};
using IntentPtr = std::shared_ptr<const IntentRegistration>;

/// A registered entity: the values a slot of that name prefers (T-7: prefers, never requires).
struct EntityRegistration {
  EntityRegistration() = default;
  std::string session_id, skill_id, entity_name, lang;
  std::vector<std::string> samples;  ///< Templates that parse.
  std::size_t weight = 0;            ///< As for an intent.
};
using EntityPtr = std::shared_ptr<const EntityRegistration>;

/// What changed in the registry; the new state is already in it.
struct RegistryChange {
  RegistryChange() = default;
  IntentPtr intent;  ///< Added or replaced (also by enabling or disabling it).
  IntentPtr removed_intent;
  EntityPtr entity;
  EntityPtr removed_entity;
};

/// Every valid registration. Those from locale files and those over the bus pass the same checks
/// (section R). Use on the loop's thread.
class Registry {
 public:
  /// All valid intents, in the order of registration.
  virtual std::vector<IntentPtr> intents() const = 0;
  virtual std::vector<EntityPtr> entities() const = 0;
  /// Calls back after every change, in order; not for a registration that is there already.
  [[nodiscard]] virtual Subscription on_change(std::function<void(const RegistryChange&)> callback) = 0;
  /// Whether this registration is disabled in that session.
  virtual bool is_enabled(const IntentRegistration& intent, const std::string& session_id) const = 0;

 protected:
  ~Registry() = default;
};

}  // namespace parley
