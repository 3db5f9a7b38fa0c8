#pragma once

#include <cstdint>
#include <limits>
#include <parley/templates.hpp>
#include <span>
#include <string>
#include <vector>

#include "match/chunks.hpp"
#include "match/lexicon.hpp"

namespace parley::intent {

using StateId = std::uint32_t;
/// What stands at the end of a pattern: whatever number the owner gave it.
using Payload = std::uint32_t;

/// A slot of one pattern: the state that stands for its words.
struct SlotState {
  SlotState(StateId id, std::string slot) : state(id), name(std::move(slot)) {}
  StateId state;
  std::string name;
};

/// Where a pattern ended up in the automaton: what it takes to read a match backwards, and to remove it.
struct Route {
  Route() = default;
  StateId end = 0;
  std::vector<SlotState> slots;
};

/// A pattern found in an utterance: the words [begin, end).
struct Hit {
  Hit(std::uint32_t from, std::uint32_t to, Payload who) : begin(from), end(to), payload(who) {}
  std::uint32_t begin, end;
  Payload payload;
};

/// One automaton for any number of patterns over interned words, never enumerated: patterns share their
/// beginnings, the branches of a choice join behind it, a slot is a state that takes one word or more. So a
/// pattern costs states in proportion to its text, and a match costs time in proportion to the states that
/// are alive at once.
///
/// Every state stands for a set of beginnings that never changes (its parent's beginnings and one more word,
/// or the union of those it joins). That is what lets patterns share it, and what allows adding and removing
/// at any time without touching others.
class Grammar {
 public:
  enum class Kind : std::uint8_t { kRoot, kWord, kSlot, kJoin };

  static constexpr StateId kRootState = 0;
  static constexpr StateId kNoState = std::numeric_limits<StateId>::max();

  /// @param lexicon  shared with the other grammars of the language; must outlive this one
  explicit Grammar(Lexicon& lexicon);

  Route insert(const Pattern& pattern, Payload payload);
  /// @param route  what insert() gave for it; nothing of it may be used afterwards
  void remove(const Route& route, Payload payload);

  /// Appends the payload of every pattern that takes all of `said`, from end to end.
  void match(std::span<const WordId> said, std::vector<Payload>& found);
  /// Appends every pattern that takes a contiguous part of `said`.
  void find(std::span<const WordId> said, std::vector<Hit>& found);

  // For reading a match backwards.
  Kind kind(StateId id) const { return states_[id].kind; }
  StateId parent(StateId id) const { return states_[id].parent; }
  WordId word(StateId id) const { return states_[id].word; }
  std::span<const StateId> sources(StateId id) const { return states_[id].sources; }

  /// States in use, the root included.
  std::size_t size() const noexcept { return states_.size() - free_.size(); }

 private:
  struct Edge {
    WordId word;
    StateId target;
  };

  struct State {
    Kind kind = Kind::kRoot;
    StateId parent = kNoState;
    WordId word = 0;
    StateId slot = kNoState;       ///< The state of a slot that follows.
    std::uint32_t uses = 0;        ///< Children, joins and payloads.
    std::vector<Edge> edges;       ///< By word, ascending.
    std::vector<StateId> joins;    ///< The joins this is a source of.
    std::vector<StateId> sources;  ///< Of a join, ascending.
    std::vector<Payload> payloads;
  };

  StateId follow(const Pattern& pattern, StateId from, Route& route);
  StateId word_after(StateId from, const std::string& text);
  StateId slot_after(StateId from);
  StateId join(std::vector<StateId> sources);
  StateId create(Kind kind, StateId parent);
  void release(StateId id);
  void unlink(StateId id, std::vector<StateId>& released);

  void begin_step();
  void activate(StateId id, std::vector<StateId>& active);
  void close(std::vector<StateId>& active);
  void advance(WordId word);
  /// Where the edge of a word is, or would be.
  static std::vector<Edge>::const_iterator edge_of(const State& state, WordId word);
  StateId target(const State& state, WordId word) const;

  Lexicon& lexicon_;
  Chunks<State> states_;
  std::vector<StateId> free_;

  // Used while matching; kept so that nothing is allocated then.
  std::vector<std::uint32_t> seen_;  ///< The step a state was activated in.
  std::uint32_t step_ = 0;
  std::vector<StateId> active_, next_;
};

}  // namespace parley::intent
