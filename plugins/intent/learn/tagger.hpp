#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learn/compact_weights.hpp"
#include "learn/features.hpp"
#include "learn/key_table.hpp"
#include "learn/packed.hpp"
#include "learn/sampling.hpp"

namespace parley::intent {

/// Finds the slots of one intent in an utterance that is none of its templates: a conditional random field
/// that labels words from left to right, taught by sentences of the templates. It looks at the words around,
/// at their beginnings and ends, and at listed values that occur; a value nobody listed is found by where it
/// stands (T-7).
class Tagger {
 public:
  /// Something a word has, of all the words.
  struct Key {
    Key(std::size_t of, std::uint64_t what) noexcept : word(of), hash(what) {}
    std::size_t word;
    std::uint64_t hash;
  };
  /// What taggers look at, the same for all that were taught with `known`.
  static std::vector<Key> keys_of(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                                  const Vocabulary& known);

  Tagger() = default;

  /// Learns from scratch. Costs time in proportion to words times slots.
  /// @param abandoned  once it is true, ends without having learnt
  void learn(std::span<const Sampled> sentences, const Gazetteer& gazetteer, const Vocabulary& known,
             const std::atomic<bool>& abandoned);

  void pack(Packer& into) const;
  /// @return what was packed, as if it had been learnt; nothing when that can't be
  static std::optional<Tagger> unpacked(Unpacker& from);

  /// The slots in the order of the words, each at most once. Nothing when there are none to look for.
  /// @param keys   see keys_of()
  /// @param words  how many there are
  std::vector<SlotSpan> tag(std::span<const Key> keys, std::size_t words) const;

 private:
  using Label = std::uint32_t;  ///< 0: no slot; then for each slot its first word, and its other words.
  /// A Key while learning.
  struct Trait {
    Trait(std::size_t of, std::uint32_t which) noexcept : word(static_cast<std::uint32_t>(of)), row(which) {}
    std::uint32_t word, row;
  };
  using Traits = std::vector<Trait>;

  struct Lesson {
    Traits traits;
    std::vector<Label> labels;  ///< By word.
    bool known = false;         ///< It had next to nothing to teach when it was last asked.
  };

  struct Beliefs {
    std::vector<float> moves, turned;  ///< By label and label behind it; by label and label before it.
    std::vector<std::size_t> moved;    ///< What of `moves` the lesson changed.
    std::vector<float> own;            ///< By word, then by label, as those that follow.
    std::vector<float> before, after, likely, wrong;
    std::vector<float> scales;   ///< By word: what its likelihoods, and those of the steps to it, add up to.
    std::vector<bool> is_wrong;  ///< By word: whether any of its labels is.
    std::vector<float> next;     ///< On the way; kept, since to make room takes longest.
  };

  std::size_t labels() const noexcept { return 1 + 2 * slots_.size(); }
  static bool may_follow(Label before, Label label) noexcept;
  Lesson lesson(const Sampled& sentence, const Gazetteer& gazetteer, const Vocabulary& known);
  void rounds(std::vector<Lesson> lessons, const std::atomic<bool>& abandoned);
  void believe_move(std::size_t place, Beliefs& made) const;
  void believe(const Lesson& lesson, Beliefs& made) const;
  void improve_transitions(const Lesson& lesson, Beliefs& made, std::size_t i, float rate);
  float compare(const Lesson& lesson, Beliefs& made, std::size_t i) const;
  float improve(const Lesson& lesson, Beliefs& made, float rate);
  void step(std::vector<float>& weights, std::vector<float>& slopes, std::size_t place, float gradient,
            float rate);
  void emit(const Traits& traits, std::vector<float>& sums) const;
  std::vector<Label> best(const std::vector<float>& own, std::size_t words) const;
  std::vector<SlotSpan> spans(const std::vector<Label>& labels) const;

  std::vector<std::string> slots_;
  std::vector<float> transitions_;  ///< By label before, then by label.
  CompactWeights learnt_;           ///< Of all keys.
  // Only while learning:
  KeyTable rows_;                                  ///< By key.
  std::vector<float> weights_;                     ///< By row, then by label.
  std::vector<float> slopes_, transition_slopes_;  ///< Squares of past gradients (AdaGrad).
};

}  // namespace parley::intent
