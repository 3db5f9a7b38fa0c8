#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <parley/registry.hpp>
#include <parley/templates.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "learn/learned.hpp"
#include "match/chunks.hpp"
#include "match/grammar.hpp"

namespace parley::intent {

using IntentId = std::uint32_t;
using EntityId = std::uint32_t;

/// Whose what is left of a removed intent is.
inline constexpr IntentId kNoIntent = std::numeric_limits<IntentId>::max();

/// One template of an intent.
struct CompiledTemplate {
  CompiledTemplate() = default;
  IntentId intent = kNoIntent;
  Route route;
  bool exact = false;  ///< It begins with `=`: what is said around it is not skipped.
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
    kGone,  ///< Of what was removed; its routes are not yet.
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

/// The samples of a registration as patterns. Made on any thread.
struct Compiled {
  Compiled() = default;
  /// A sample, and what it belongs to: nothing for a template of the intent, else the place among its `uses`.
  struct Piece {
    Pattern pattern;
    std::optional<std::size_t> use;
    bool exact = false;  ///< Of a template.
  };
  std::vector<PhraseUse> uses;  ///< Without owner and routes.
  std::vector<Piece> pieces;
  std::size_t obligations = 0;        ///< Of a keyword intent.
  std::vector<std::string> problems;  ///< A sentence for every sample that can't be compiled.
};
Compiled compile(const IntentRegistration& intent);
Compiled compile(const EntityRegistration& entity);

/// Everything registered for one language, whatever the region: compiled templates, phrases, and whose they
/// are. Adding and removing cost time in proportion to what is added or removed; with begin_add() and the
/// removals, which only mark what goes, that time is spent in work().
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

  /// The same with what was compiled before; work() puts in its pieces, each of which counts from then on.
  IntentId begin_add(const IntentPtr& intent, std::shared_ptr<Compiled> compiled);
  EntityId begin_add(const EntityPtr& entity, std::shared_ptr<Compiled> compiled);
  /// Puts in and clears away so many states at most, or a single piece. @return whether there is more to do
  bool work(std::size_t states);
  /// The clearing away alone. @return about how many states went
  std::size_t clear_some(std::size_t states);
  bool has_work() const noexcept { return !growing_.empty() || !leaving_.empty(); }

  /// Whether nothing is left.
  bool empty() const noexcept { return by_name_.empty() && entities_by_name_.empty() && !has_work(); }

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
      Payload id = 0;
      if (free.empty()) {
        id = static_cast<Payload>(items.add());
      } else {
        id = free.back();
        free.pop_back();
      }
      items[id] = std::move(item);
      return id;
    }
    void drop(Payload id) {
      items[id] = T();
      free.push_back(id);
    }
    T& operator[](Payload id) { return items[id]; }
    const T& operator[](Payload id) const { return items[id]; }

    Chunks<T> items;
    std::vector<Payload> free;
  };

  struct EntityEntry {
    EntityEntry() = default;
    EntityPtr registration;
    std::vector<Payload> uses;
  };

  /// A registration whose pieces are put in one by one.
  struct Growth {
    std::uint32_t owner;  ///< An IntentId or an EntityId.
    bool entity;
    std::shared_ptr<Compiled> compiled;
    std::vector<Payload> uses;  ///< The numbers of `compiled->uses`.
    std::size_t next = 0;       ///< Piece.
  };
  /// What has to be taken out of a grammar.
  struct Leaving {
    Payload number;
    bool is_use;
  };

  std::vector<Payload> put_uses(const Compiled& compiled, std::uint32_t owner);
  void put_piece(const Growth& growth, const Compiled::Piece& piece);
  void put_all(const Growth& growth);
  /// @return how many states at least it held
  std::size_t clear(const Leaving& leaving);
  void leave(Payload number, bool is_use);
  void stop_growing(std::uint32_t owner, bool entity);

  Lexicon lexicon_;
  Grammar templates_{lexicon_};
  Grammar phrases_{lexicon_};
  Pool<IntentEntry> intents_;
  Pool<EntityEntry> entities_;
  Pool<CompiledTemplate> compiled_;
  Pool<PhraseUse> uses_;
  std::map<std::string, std::vector<IntentId>, std::less<>> by_name_;  ///< By `skill_id:intent_name`.
  std::map<std::string, std::vector<EntityId>, std::less<>> entities_by_name_;  ///< By skill_id and name.
  std::deque<Growth> growing_;
  std::vector<Leaving> leaving_;
  Changes changes_;
  std::shared_ptr<Learned> learned_ = std::make_shared<Learned>();
  std::uint32_t turn_ = 0;
};

}  // namespace parley::intent
