#pragma once

#include <map>
#include <memory>
#include <parley/registry.hpp>
#include <string>
#include <vector>

#include "match/matcher.hpp"

namespace parley::intent {

/// What the registry holds, ready to be matched: one index per language, whatever the region ("en" serves
/// en-US and en-GB). Kept up to date change by change; a change costs what changed.
class IntentIndex {
 public:
  /// Takes a registration in, in place of an earlier one of the same key.
  /// @return a sentence for every sample that can't be compiled; the others count
  std::vector<std::string> add(const IntentPtr& intent);
  std::vector<std::string> add(const EntityPtr& entity);
  /// The same with what was compiled before: its pieces are put in by work(), and count from then on.
  void begin_add(const IntentPtr& intent, std::shared_ptr<Compiled> compiled);
  void begin_add(const EntityPtr& entity, std::shared_ptr<Compiled> compiled);
  /// Much of a big one is still to be cleared away by work().
  void remove(const IntentRegistration& intent);
  void remove(const EntityRegistration& entity);

  /// Does some of what is left of begin_add() and remove(): about a millisecond's work. @return whether more
  /// is left
  bool work();
  bool has_work() const;

  /// What makes two registrations the same one.
  static std::string key_of(const IntentRegistration& intent);
  static std::string key_of(const EntityRegistration& entity);

  /// Counts changes.
  std::uint64_t revision() const noexcept { return revision_; }
  /// The registrations held, by skill and name.
  std::vector<IntentPtr> intents() const;

  /// The index of a language (its primary subtag); null when nothing is registered for it.
  LanguageIndex* language_of(const std::string& primary);

  /// See find_candidates(LanguageIndex&, …). Empty when nothing is registered for the language.
  std::vector<Candidate> find(const Said& said, const Policy& policy);

 private:
  struct Place {
    Place(std::string primary, std::uint32_t number) : language(std::move(primary)), id(number) {}
    std::string language;
    std::uint32_t id;
  };

  LanguageIndex& language(const std::string& primary);
  /// Clears away what a removal left, if it is little.
  void clear(const std::string& primary);

  std::map<std::string, std::unique_ptr<LanguageIndex>, std::less<>> languages_;  ///< By primary language.
  std::map<std::string, Place, std::less<>> intents_, entities_;                  ///< By the key of R-1.
  std::uint64_t revision_ = 0;
};

}  // namespace parley::intent
