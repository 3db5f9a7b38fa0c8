#pragma once

#include <cstddef>
#include <cstdint>
#include <parley/templates.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace parley::intent {

/// What a word of a sampled sentence begins with that stands for one nobody has listed; its letters may
/// follow.
inline constexpr const char* kOpenWord = "\x01";

/// The words [begin, end) of a sentence, said for a slot.
struct SlotSpan {
  SlotSpan(std::string name, std::size_t from, std::size_t to)
      : slot(std::move(name)), begin(from), end(to) {}
  bool operator==(const SlotSpan&) const = default;
  std::string slot;
  std::size_t begin, end;
  bool is_hidden = false;  ///< Sampled: as if nobody had listed it.
};

/// One sentence that a template stands for, its slots filled.
struct Sampled {
  Sampled() = default;
  std::vector<std::string> words;  ///< In matching form (T-4); unknown ones behind kOpenWord.
  std::vector<SlotSpan> slots;     ///< In the order of the words.
};

/// Where the values of slots come from.
class SlotValues {
 public:
  virtual ~SlotValues() = default;
  /// Values in matching form, as words; empty when nothing is listed for the slot.
  virtual std::span<const std::vector<std::string>> values(const std::string& slot) const = 0;
  /// Whether a word of a value would be unknown if the value were not listed.
  virtual bool is_rare(const std::string& word) const = 0;
};

/// Numbers that look random and are the same in every run.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint64_t next() noexcept;
  /// 0 … bound − 1; 0 when bound is 0.
  std::size_t below(std::size_t bound) noexcept { return bound == 0 ? 0 : next() % bound; }
  bool one_in(std::size_t times) noexcept { return below(times) == 0; }

 private:
  std::uint64_t state_;
};

template <typename Any>
void shuffle(std::vector<Any>& all, Dice& dice) {
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[dice.below(i)]);
}

/// One of the sentences of `pattern`, each branch equally likely. A slot is filled with a listed value; now
/// and then as if nobody had listed it, its rare words marked as unknown, so that whoever learns from it
/// learns from what stands around the slot too (T-7). Where none is listed, one to three unknown words.
Sampled sample(const Pattern& pattern, const SlotValues& values, Dice& dice, std::size_t turn);

/// `sentence` as somebody might say it who heard another one of the same intent: now and then a word of the
/// template's own is missing or unknown, and a slot that it lacks comes from `other`, with the words before
/// it or without.
Sampled varied(const Sampled& sentence, const Sampled& other, Dice& dice);

/// How many different sentences a pattern has, slots unfilled; stops counting at `limit`.
std::size_t count_sentences(const Pattern& pattern, std::size_t limit);

}  // namespace parley::intent
