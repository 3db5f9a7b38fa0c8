#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <parley/locale.hpp>
#include <parley/sentences.hpp>
#include <parley/session_key.hpp>
#include <parley/text.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "library.hpp"
#include "policy.hpp"

namespace parley::guide {

/// What the policies need, for any language: the sentences of the skill, its vocabularies and its tasks.
class Talk {
 public:
  using Chance = std::function<std::size_t(std::size_t)>;
  using Vocabulary =
      std::function<bool(std::string_view vocabulary, std::string_view text, std::string_view lang)>;

  /// @param says  whether a text is a phrase of a vocabulary, the skill's own or the core's
  Talk(const Library& library, const LocaleResources& locale, Chance chance, Vocabulary says);

  Heard hear(const std::string& text, const std::string& lang);
  World world(const std::string& lang, std::int64_t now) const;

  /// Whether what is said would be understood where a conversation is; nothing is changed.
  bool understands(const State& state, const std::string& said, const std::string& lang, std::int64_t now);
  /// The same for a conversation of which only the phase is known: whether it is something that is said then.
  bool fits(Phase phase, const std::string& said, const std::string& lang);
  /// Whether all of it names a task, or a kind of them.
  bool names_task(const std::string& said, const std::string& lang) const;
  /// Whether it has none of our sentences in it: it may name what is looked for, or be anybody's.
  bool only_names(const std::string& said, const std::string& lang);
  /// A request with the name of a task in it, wherever in a sentence it begins: "I've got bananas. How do I
  /// make banana bread?" Or one for what was named before: "My tap drips. How do I fix it?" Nothing: none.
  std::optional<Heard> asks_for_task(const std::string& said, const std::string& lang);
  /// What is understood where a conversation is, with a story before or behind: "say that again, I was
  /// running the tap". Nothing: nothing is.
  std::optional<Heard> hear_within(const State& state, const std::string& said, const std::string& lang,
                                   std::int64_t now);
  /// The same, so surely that it need not wait until nobody else has wanted it: a clause of its own, as in
  /// "the dog barked, once more", or words at the beginning or the end, and nothing beside that is of other
  /// matters. Nothing: neither.
  std::optional<Heard> hear_clause(const State& state, const std::string& said, const std::string& lang,
                                   std::int64_t now);
  /// How much else may be said beside what is meant.
  enum class Beside {
    kNothing,  ///< Only names of what is offered or under way, and words that change nothing.
    kStory
  };
  /// What is meant while something is offered or under way, by the words for it, in whatever order: "okay
  /// then, with the risotto, first step". Nothing: none of them, or it is about other matters.
  std::optional<Heard> hear_live(const State& state, const std::string& said, const std::string& lang,
                                 std::int64_t now, Beside beside);
  /// "What did you say?": it means what was answered last, by whomever, as no step is named.
  bool means_last_answer(const State& state, const std::string& said, const std::string& lang,
                         std::int64_t now);
  /// Whether it has words of other matters in it: lists, timers, songs.
  bool is_elsewhere(const std::string& said, const std::string& lang) const;
  /// Whether what has a word for "stop" in it is about that, and about little else.
  bool means_to_end(const State& state, const std::string& said, const std::string& lang, std::int64_t now);
  /// What is meant where a conversation is, by all that was said or else by a clause of it.
  Heard hear_for(const State& state, const std::string& said, const std::string& lang, std::int64_t now);
  /// Whether a search finds something, or nothing was searched for.
  bool finds(const Heard& heard, const std::string& lang) const;

 private:
  /// The stems of all that belongs to what is offered or under way.
  static std::set<std::string> live_names(const State& state, const World& world);
  /// What of all that is said the task has an amount of, or any task where it is lacking; empty: nothing.
  static std::string thing_in(const State& state, const std::string& said, std::span<const Word> all,
                              const World& world, bool is_lacking);
  std::optional<Heard> hear_phrase(const State& state, const std::string& said, std::span<const Word> all,
                                   const World& world) const;
  /// What is said where a conversation is: "and sugar" behind "how much milk" asks for its amount.
  Heard hear_in(const State& state, const std::string& said, const std::string& lang, const World& world);
  static bool has_thing(const State& state, const std::string& thing, const World& world);
  const Sentences* sentences(const std::string& lang);

  const Library& library_;
  const LocaleResources& locale_;
  Chance chance_;
  Vocabulary says_;
  std::map<std::string, Sentences, std::less<>> sentences_;
};

/// The conversations that were going on lately, of everybody. When there are too many, the one that nobody
/// spoke in for longest goes: storage has it.
class Sessions {
 public:
  explicit Sessions(std::size_t most) : most_(most) {}

  /// @returns null: it is not among them
  const State* find(const SessionKey& session) const;
  State* find(const SessionKey& session);
  void keep(State state, const std::string& owner);
  std::size_t size() const noexcept { return states_.size(); }

 private:
  std::size_t most_;
  std::map<SessionKey, State> states_;
};

}  // namespace parley::guide
