#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "match/grammar.hpp"

namespace parley::intent {

/// How well words suit a slot.
enum class SlotFit : std::uint8_t {
  kForbidden,  ///< They must not fill it.
  kOpen,       ///< They may (T-7).
  kListed,     ///< They are one of its entity's values.
};

/// Judges what may fill the slots of a pattern.
class SlotRules {
 public:
  virtual ~SlotRules() = default;
  virtual SlotFit fit(const std::string& slot, std::size_t begin, std::size_t end) const = 0;
};

/// A slot and the words [begin, end) that fill it.
struct Bound {
  Bound(std::string name, std::size_t from, std::size_t to, bool is_listed)
      : slot(std::move(name)), begin(from), end(to), listed(is_listed) {}
  bool operator==(const Bound&) const = default;

  std::string slot;
  std::size_t begin, end;
  bool listed;
};

/// How an utterance lies on a pattern.
struct Alignment {
  Alignment() = default;
  std::size_t open_words = 0;     ///< In slots, and not a listed value.
  std::size_t literal_words = 0;  ///< Written in the pattern itself.
  std::vector<Bound> bound;       ///< In the order they were said.
};

/// The best way to read `said` as the pattern behind `route`: fewest open words, then most literal ones
/// (T-0), then the later slot as short as possible. Nothing when the rules forbid every way, or there is
/// none. Among several slots that stand for the same words, the first of `route` with the best fit.
std::optional<Alignment> align(const Grammar& grammar, const Route& route, std::span<const WordId> said,
                               const SlotRules& rules);

}  // namespace parley::intent
