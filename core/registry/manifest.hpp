#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <parley/message.hpp>
#include <parley/registry.hpp>
#include <parley/session.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "registry/parse.hpp"

namespace parley {

/// A tag as keys compare it: ASCII letters in lower case (L-2).
std::string folded(std::string_view lang);

/// The key of a registered intent; `lang` as it is spelled.
struct IntentKey {
  IntentKey(std::string session, std::string skill, std::string name, std::string tag, Method how)
      : session_id(std::move(session)),
        skill_id(std::move(skill)),
        intent_name(std::move(name)),
        lang(std::move(tag)),
        method(how) {}
  std::string session_id, skill_id, intent_name, lang;
  Method method;
};

/// What a deregistration, enabling or disabling is about: everything of the skill in that session, or
/// one name of it, in all languages or in one.
struct Target {
  Target(std::string session, std::string skill)
      : session_id(std::move(session)), skill_id(std::move(skill)) {}
  bool covers_lang(std::string_view folded_lang) const { return !lang || folded(*lang) == folded_lang; }
  std::string session_id, skill_id;
  std::optional<std::string> name;
  std::optional<std::string> lang;
};

/// An intent as it was last registered, and what stages have of it.
struct ManifestEntry {
  ManifestEntry(IntentKey id, Message registration, std::uint64_t place)
      : key(std::move(id)), message(std::move(registration)), number(place) {}
  IntentKey key;
  Message message;        ///< Its data is the definition, verbatim.
  IntentPtr valid;        ///< The last one that was accepted; null when none was.
  bool accepted = false;  ///< Whether `valid` was made from `message`.
  std::uint64_t number;   ///< Its place in the order of registration.
};

/// Every intent that was registered, valid or not, and which of them are disabled. Finding one costs the same
/// however many there are.
class Manifest {
 public:
  /// The entry of that key, made when there is none.
  ManifestEntry& put(const IntentKey& key, const Message& message);
  /// Gives the stages what they shall have of an entry.
  IntentPtr accept(ManifestEntry& entry, IntentRegistration registration);

  /// Takes away what the target names, with its state.
  /// @return those that were valid
  std::vector<IntentPtr> remove(const Target& target);
  /// Enables or disables what the target names. In a session other than the default one this also decides
  /// what that session sees of the default registrations, and leaves these as they are for others.
  /// @return the registrations of the target's session that changed, as they are now
  std::vector<IntentPtr> set_enabled(const Target& target, bool enabled);
  /// Whether that registration is enabled in the session `session_id`.
  bool is_enabled(const IntentKey& key, const std::string& session_id) const;
  bool is_enabled(const IntentRegistration& intent, const std::string& session_id) const;

  /// All valid ones, in the order of registration.
  std::vector<IntentPtr> valid() const;
  /// What stages may match in that session, its own first: without what the session blacklists or has
  /// disabled.
  std::vector<IntentPtr> pool(const Session& session) const;
  /// The member of the pool that a match names; a template before a keyword one, since only templates require
  /// slots. When no registration is for exactly `lang`, that of the closest language. Null when there is
  /// none.
  IntentPtr find(const Session& session, const std::string& skill_id, const std::string& intent_name,
                 const std::string& lang) const;

  /// All entries, of one skill if so wanted. Valid until the next change.
  std::vector<const ManifestEntry*> entries(const std::optional<std::string>& skill_id) const;

 private:
  /// Session (the default one first), folded language, method.
  struct Place {
    std::string session_id, lang;
    Method method;
  };
  struct PlaceLess {
    bool operator()(const Place& a, const Place& b) const;
  };
  /// All that is registered under one skill and name.
  struct Group {
    std::map<Place, ManifestEntry, PlaceLess> entries;
    std::set<std::pair<std::string, std::string>> disabled;  ///< Session, folded language.
  };
  using Groups = std::map<std::string, Group, std::less<>>;

  const Group* group(std::string_view skill_id, std::string_view name) const;
  void remove_from(Group& group, const Target& target, std::vector<IntentPtr>& removed);
  void set_valid(ManifestEntry& entry, IntentPtr registration);
  void forget_valid(const ManifestEntry& entry);
  void refresh(Group& group, const Target& target, std::vector<IntentPtr>& changed);
  bool enabled(const std::string& skill_id, const std::string& name, const std::string& lang,
               const std::string& registered_in, const std::string& session_id) const;
  static bool is_disabled(const Group& group, const std::string& registered_in, const std::string& lang,
                          const std::string& session_id);
  static IntentPtr enabled_in(const Group& group, const std::string& registered_in, const std::string& lang,
                              const std::string& session_id);
  static std::optional<std::string> closest(const Group& group, const std::string& session_id,
                                            const std::string& lang);

  std::map<std::string, Groups, std::less<>> skills_;
  std::unordered_map<std::string, std::map<std::uint64_t, IntentPtr>> valid_;  ///< By session and number.
  std::uint64_t count_ = 0;
  std::size_t disabled_ = 0;  ///< How many states `disabled` holds in all groups: mostly none.
};

}  // namespace parley
