#include "match/alignment.hpp"

#include <algorithm>
#include <unordered_map>

namespace parley::intent {
namespace {

/// The best reading of the words before a position that ends in a state, and its last step.
struct Reading {
  bool possible = false;
  bool listed = false;
  std::uint32_t open = 0;
  std::uint32_t literal = 0;
  StateId from = Grammar::kNoState;  ///< The state before.
  std::uint32_t from_position = 0;
  const std::string* slot = nullptr;  ///< The slot that was filled, if it was one.

  bool beats(const Reading& other) const noexcept {
    if (!possible || !other.possible) return possible;
    return open != other.open ? open < other.open : literal > other.literal;
  }
};

/// Reads backwards from the end, since a state knows where it comes from. As deep as the utterance is long.
class Reader {
 public:
  Reader(const Grammar& grammar, const Route& route, std::span<const WordId> said, const SlotRules& rules)
      : grammar_(grammar), route_(route), said_(said), rules_(rules) {}

  std::optional<Alignment> run() {
    auto position = static_cast<std::uint32_t>(said_.size());
    StateId state = route_.end;
    Reading reading = read(state, position);
    if (!reading.possible) return std::nullopt;
    Alignment alignment;
    alignment.open_words = reading.open;
    alignment.literal_words = reading.literal;
    while (reading.from != Grammar::kNoState) {
      if (reading.slot != nullptr) {
        alignment.bound.emplace_back(*reading.slot, reading.from_position, position, reading.listed);
      }
      state = reading.from;
      position = reading.from_position;
      reading = read(state, position);
    }
    std::reverse(alignment.bound.begin(), alignment.bound.end());
    return alignment;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  Reading read(StateId state, std::uint32_t position) {
    switch (grammar_.kind(state)) {
      case Grammar::Kind::kRoot: {
        Reading start;
        start.possible = position == 0;
        return start;
      }
      case Grammar::Kind::kWord:
        return read_word(state, position);
      case Grammar::Kind::kSlot:
      case Grammar::Kind::kJoin:
        break;
    }
    const std::uint64_t key = (std::uint64_t{state} << 32U) | position;
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const Reading best = grammar_.kind(state) == Grammar::Kind::kSlot ? read_slot(state, position)
                                                                      : read_join(state, position);
    known_.emplace(key, best);
    return best;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Reading read_word(StateId state, std::uint32_t position) {
    if (position == 0 || said_[position - 1] != grammar_.word(state)) return {};
    Reading reading = read(grammar_.parent(state), position - 1);
    reading.literal += 1;
    reading.from = grammar_.parent(state);
    reading.from_position = position - 1;
    reading.slot = nullptr;
    return reading;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Reading read_join(StateId state, std::uint32_t position) {
    Reading best;
    for (const StateId source : grammar_.sources(state)) {
      Reading reading = read(source, position);
      if (!reading.beats(best)) continue;
      best = reading;
      best.from = source;
      best.from_position = position;
      best.slot = nullptr;
    }
    return best;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Reading read_slot(StateId state, std::uint32_t position) {
    Reading best;
    for (std::uint32_t begin = position; begin-- > 0;) {
      Reading reading = read(grammar_.parent(state), begin);
      if (!reading.possible) continue;
      const auto [slot, fit] = filled(state, begin, position);
      if (fit == SlotFit::kForbidden) continue;
      reading.listed = fit == SlotFit::kListed;
      if (!reading.listed) reading.open += position - begin;
      if (!reading.beats(best)) continue;
      best = reading;
      best.from = grammar_.parent(state);
      best.from_position = begin;
      best.slot = slot;
    }
    return best;
  }

  std::pair<const std::string*, SlotFit> filled(StateId state, std::size_t begin, std::size_t end) const {
    std::pair<const std::string*, SlotFit> best{nullptr, SlotFit::kForbidden};
    for (const SlotState& slot : route_.slots) {
      if (slot.state != state) continue;
      if (const SlotFit fit = rules_.fit(slot.name, begin, end); fit > best.second) best = {&slot.name, fit};
    }
    return best;
  }

  const Grammar& grammar_;
  const Route& route_;
  std::span<const WordId> said_;
  const SlotRules& rules_;
  std::unordered_map<std::uint64_t, Reading> known_;  ///< By state and position; of slots and joins.
};

}  // namespace

std::optional<Alignment> align(const Grammar& grammar, const Route& route, std::span<const WordId> said,
                               const SlotRules& rules) {
  if (!route.slots.empty()) return Reader(grammar, route, said, rules).run();
  Alignment literal;  // it takes all of it, or match() would not have found it
  literal.literal_words = said.size();
  return literal;
}

}  // namespace parley::intent
