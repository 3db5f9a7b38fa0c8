#include "sampling.hpp"

#include <algorithm>

#include "features.hpp"

namespace parley::intent {
namespace {

constexpr std::size_t kMostOpenWords = 3;
// Of the values said for a slot, so many percent are on nobody's list: next to none where few are listed,
// since those are all there are.
constexpr std::size_t kMostHidden = 60;
constexpr std::size_t kHalfHidden = 300;  // listed values, where half as many are hidden
constexpr std::size_t kSeenOneIn = 3;     // words of a hidden value that occur elsewhere

// NOLINTNEXTLINE(misc-no-recursion)
void extend(Sampled& sentence, const Pattern& pattern, const SlotValues& values, Dice& dice,
            std::size_t turn) {
  switch (pattern.kind) {
    case Pattern::Kind::kWord:
      sentence.words.push_back(pattern.text);
      return;
    case Pattern::Kind::kSequence:
      for (const Pattern& child : pattern.children) extend(sentence, child, values, dice, turn);
      return;
    case Pattern::Kind::kChoice:
      if (pattern.children.empty()) return;
      extend(sentence, pattern.children[dice.below(pattern.children.size())], values, dice, turn);
      return;
    case Pattern::Kind::kSlot:
      break;
  }
  const std::size_t begin = sentence.words.size();
  const auto listed = values.values(pattern.text);
  if (listed.empty()) {
    sentence.words.insert(sentence.words.end(), 1 + dice.below(kMostOpenWords), kOpenWord);
  } else {
    const auto& value = listed[(hash_of(pattern.text) + turn) % listed.size()];
    const bool hidden = dice.below(100) < kMostHidden * listed.size() / (listed.size() + kHalfHidden);
    for (const std::string& word : value) {
      sentence.words.push_back(hidden && !dice.one_in(kSeenOneIn) ? kOpenWord + word : word);
    }
  }
  if (sentence.words.size() > begin) sentence.slots.emplace_back(pattern.text, begin, sentence.words.size());
}

}  // namespace

std::uint64_t Dice::next() noexcept {
  state_ += 0x9e3779b97f4a7c15U;  // splitmix64
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

Sampled sample(const Pattern& pattern, const SlotValues& values, Dice& dice, std::size_t turn) {
  Sampled sentence;
  extend(sentence, pattern, values, dice, turn);
  return sentence;
}

// NOLINTNEXTLINE(misc-no-recursion)
std::size_t count_sentences(const Pattern& pattern, std::size_t limit) {
  std::size_t count = pattern.kind == Pattern::Kind::kChoice && !pattern.children.empty() ? 0 : 1;
  for (const Pattern& child : pattern.children) {
    const std::size_t more = count_sentences(child, limit);
    count = pattern.kind == Pattern::Kind::kChoice ? count + more : count * more;
    if (count >= limit) return limit;
  }
  return std::min(count, limit);
}

}  // namespace parley::intent
