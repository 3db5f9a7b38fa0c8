#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features.hpp"
#include "key_table.hpp"
#include "sampling.hpp"

namespace parley::intent {

/// Finds the slots of one intent in an utterance that is none of its templates: a conditional random field
/// that labels words from left to right, taught by sentences of the templates. It looks at the words around,
/// at their beginnings and ends, and at listed values that occur; a value nobody listed is found by where it
/// stands (T-7).
class Tagger {
 public:
  Tagger() = default;

  /// Learns from scratch. Costs time in proportion to words times slots.
  /// @param abandoned  once it is true, ends without having learnt
  void learn(std::span<const Sampled> sentences, const Gazetteer& gazetteer, const Vocabulary& known,
             const std::atomic<bool>& abandoned);

  /// The slots in the order of the words, each at most once. Nothing when there are none to look for.
  std::vector<SlotSpan> tag(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                            const Vocabulary& known) const;

 private:
  using Label = std::uint32_t;  ///< 0: no slot; then for each slot its first word, and its other words.
  using Rows = std::vector<std::vector<std::uint32_t>>;

  struct Lesson {
    Rows rows;  ///< By word.
    std::vector<Label> labels;
    bool known = false;  ///< It had next to nothing to teach when it was last asked.
  };

  struct Beliefs {
    std::vector<float> moves;  ///< By label and label behind it.
    std::vector<float> own;    ///< By word, then by label, as the two that follow.
    std::vector<float> before, after;
    std::vector<float> turned, next, likely, pairs;  ///< On the way; kept, since to make room takes longest.
  };

  std::size_t labels() const noexcept { return 1 + 2 * slots_.size(); }
  static bool may_follow(Label before, Label label) noexcept;
  std::vector<std::vector<std::uint64_t>> keys(std::span<const std::string> words,
                                               std::span<const Gazetteer::Hit> listed,
                                               const Vocabulary& known) const;
  Lesson lesson(const Sampled& sentence, const Gazetteer& gazetteer, const Vocabulary& known);
  void rounds(std::vector<Lesson> lessons, const std::atomic<bool>& abandoned);
  void believe(const Rows& rows, Beliefs& made) const;
  void improve_transitions(const Lesson& lesson, Beliefs& made, std::size_t i, float rate);
  float improve(const Lesson& lesson, Beliefs& made, float rate);
  void compact();
  void step(std::vector<float>& weights, std::vector<float>& slopes, std::size_t place, float gradient,
            float rate);
  void emit(const Rows& rows, std::vector<float>& sums) const;
  std::vector<Label> best(const Rows& rows) const;
  std::vector<SlotSpan> spans(const std::vector<Label>& labels) const;

  std::vector<std::string> slots_;
  KeyTable rows_;                             ///< By key; only while learning…
  std::vector<std::uint64_t> keys_;           ///< …then the key of each row, ascending.
  std::vector<float> weights_, transitions_;  ///< By row or label before, then by label.
  std::vector<float> slopes_,
      transition_slopes_;  ///< Squares of past gradients (AdaGrad); only while learning.
};

}  // namespace parley::intent
