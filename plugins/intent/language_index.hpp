#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <parley/registry.hpp>
#include <parley/templates.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar.hpp"
#include "learned.hpp"

namespace parley::intent {

using IntentId = std::uint32_t;
using EntityId = std::uint32_t;

/// One template of an intent.
struct CompiledTemplate {
  CompiledTemplate() = default;
  IntentId intent = 0;
  Route route;
};

/// What a set of phrases is for; all phrases of a language are looked for in one pass.
struct PhraseUse {
  enum class Kind : std::uint8_t {
    kEntity,         ///< `owner` is an EntityId.
    kBlacklist,      ///< Suppresses the intent `owner` (T-6).
    kSlotBlacklist,  ///< Must not fill its slot `name`.
    kKeyword,        ///< Required or one_of: meets an obligation (R-4).
    kOptional,
    kExcluded,
  };

  PhraseUse() = default;
  PhraseUse(Kind what, std::uint32_t whose, std::string called)
      : kind(what), owner(whose), name(std::move(called)) {}

  Kind kind = Kind::kEntity;
  std::uint32_t owner = 0;
  std::string name;              ///< Of the vocabulary or slot.
  std::uint32_t obligation = 0;  ///< Of a keyword: which of the intent's obligations it meets.
  std::vector<Route> routes;
};

struct IntentEntry {
  IntentEntry() = default;
  IntentPtr registration;  ///< Null: free.
  std::vector<Payload> templates, uses;

  // Counters of one utterance, valid when `turn` is the utterance's.
  std::uint32_t turn = 0;
  std::uint32_t unmet = 0;            ///< Obligations still to be met.
  std::vector<std::uint32_t> met_in;  ///< By obligation: the turn it was last met in.
};

/// Everything registered for one language, whatever the region: compiled templates, phrases, and whose they
/// are. Adding and removing cost time in proportion to what is added or removed.
class LanguageIndex {
 public:
  LanguageIndex() = default;
  LanguageIndex(const LanguageIndex&) = delete;
  LanguageIndex& operator=(const LanguageIndex&) = delete;

  /// @param problems  gets a sentence for every sample that can't be compiled; the others count
  IntentId add(const IntentPtr& intent, std::vector<std::string>& problems);
  void remove_intent(IntentId id);
  EntityId add(const EntityPtr& entity, std::vector<std::string>& problems);
  void remove_entity(EntityId id);

  bool empty() const noexcept { return by_name_.empty() && entities_by_name_.empty(); }

  const Lexicon& lexicon() const noexcept { return lexicon_; }
  Grammar& templates() noexcept { return templates_; }
  Grammar& phrases() noexcept { return phrases_; }
  IntentEntry& intent(IntentId id) { return intents_[id]; }
  const EntityRegistration& entity(EntityId id) const { return *entities_[id].registration; }
  const CompiledTemplate& compiled(Payload id) const { return compiled_[id]; }
  const PhraseUse& use(Payload id) const { return uses_[id]; }
  /// A number no counter of an earlier utterance holds.
  std::uint32_t next_turn();
  /// Whether values are listed for a slot of that name, as far as `sees` sees the sessions of entities.
  bool lists(const std::string& skill_id, const std::string& slot,
             const std::function<bool(const std::string&)>& sees) const;

  /// What learned() does not know yet; whoever takes it, teaches it.
  Changes take_changes() { return std::exchange(changes_, Changes()); }
  bool has_changes() const noexcept { return !changes_.empty(); }
  /// Shared, since a worker may still be at it when the index goes.
  const std::shared_ptr<Learned>& learned() const noexcept { return learned_; }

  /// All registrations of one intent of one skill.
  const std::vector<IntentId>& registrations(const IntentRegistration& intent) const;

 private:
  /// Numbers that are given out again.
  template <class T>
  struct Pool {
    Payload put(T item) {
      if (free.empty()) {
        items.push_back(std::move(item));
        return static_cast<Payload>(items.size() - 1);
      }
      const Payload id = free.back();
      free.pop_back();
      items[id] = std::move(item);
      return id;
    }
    void drop(Payload id) {
      items[id] = T();
      free.push_back(id);
    }
    T& operator[](Payload id) { return items[id]; }
    const T& operator[](Payload id) const { return items[id]; }

    std::vector<T> items;
    std::vector<Payload> free;
  };

  struct EntityEntry {
    EntityEntry() = default;
    EntityPtr registration;
    Payload use = 0;
  };

  void add_templates(IntentId id, const IntentRegistration& intent, std::vector<std::string>& problems);
  void add_keywords(IntentId id, const IntentRegistration& intent, std::vector<std::string>& problems);
  Payload add_use(PhraseUse use, const std::vector<std::string>& samples, const std::string& lang,
                  std::vector<std::string>& problems);
  void add_intent_use(IntentId id, PhraseUse use, const std::vector<std::string>& samples,
                      std::vector<std::string>& problems);
  void drop_use(Payload id);

  Lexicon lexicon_;
  Grammar templates_{lexicon_};
  Grammar phrases_{lexicon_};
  Pool<IntentEntry> intents_;
  Pool<EntityEntry> entities_;
  Pool<CompiledTemplate> compiled_;
  Pool<PhraseUse> uses_;
  std::map<std::string, std::vector<IntentId>, std::less<>> by_name_;  ///< By `skill_id:intent_name`.
  std::map<std::string, std::vector<EntityId>, std::less<>> entities_by_name_;  ///< By skill_id and name.
  Changes changes_;
  std::shared_ptr<Learned> learned_ = std::make_shared<Learned>();
  std::uint32_t turn_ = 0;
};

}  // namespace parley::intent
