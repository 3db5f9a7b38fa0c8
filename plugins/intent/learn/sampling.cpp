#include "learn/sampling.hpp"

#include <algorithm>

#include "learn/features.hpp"

namespace parley::intent {
namespace {

constexpr std::size_t kMostOpenWords = 3;
// Of the values said for a slot, so many percent are on nobody's list: next to none where few are listed,
// since those are all there are.
constexpr std::size_t kMostHidden = 60;
constexpr std::size_t kHalfHidden = 300;  // listed values, where half as many are hidden
constexpr std::size_t kMostWordsBefore = 2;
constexpr std::size_t kMissingOneIn = 3;
constexpr std::size_t kStrangeOneIn = 12;

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
  bool hidden = false;
  if (listed.empty()) {
    sentence.words.insert(sentence.words.end(), 1 + dice.below(kMostOpenWords), kOpenWord);
  } else {
    const auto& value = listed[(hash_of(pattern.text) + turn) % listed.size()];
    hidden = dice.below(100) < kMostHidden * listed.size() / (listed.size() + kHalfHidden);
    for (const std::string& word : value) {
      sentence.words.push_back(hidden && values.is_rare(word) ? kOpenWord + word : word);
    }
  }
  if (sentence.words.size() == begin) return;
  sentence.slots.emplace_back(pattern.text, begin, sentence.words.size()).is_hidden = hidden;
}

void append_varied(Sampled& made, std::span<const std::string> words, Dice& dice) {
  for (const std::string& word : words) {
    if (dice.one_in(kMissingOneIn)) continue;
    made.words.push_back(dice.one_in(kStrangeOneIn) ? std::string(kOpenWord) : word);
  }
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

Sampled varied(const Sampled& sentence, const Sampled& other, Dice& dice) {
  Sampled made;
  const auto append = [&made](const Sampled& from, std::size_t begin, std::size_t end) {
    made.words.insert(made.words.end(), from.words.begin() + static_cast<std::ptrdiff_t>(begin),
                      from.words.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const auto append_slot = [&](const Sampled& from, const SlotSpan& span) {
    const std::size_t begin = made.words.size();
    append(from, span.begin, span.end);
    made.slots.emplace_back(span.slot, begin, made.words.size()).is_hidden = span.is_hidden;
  };
  const auto has = [&sentence](const SlotSpan& span) {
    return std::any_of(sentence.slots.begin(), sentence.slots.end(),
                       [&span](const SlotSpan& own) { return own.slot == span.slot; });
  };
  const std::size_t number = dice.below(other.slots.size());
  const SlotSpan* const guest =
      other.slots.empty() || has(other.slots[number]) ? nullptr : &other.slots[number];
  const std::size_t place = dice.below(sentence.slots.size() + 1);  // behind so many slots
  const auto append_guest = [&] {
    if (guest == nullptr) return;
    const std::size_t free = guest->begin - (number == 0 ? 0 : other.slots[number - 1].end);
    append(other, guest->begin - std::min(free, dice.below(kMostWordsBefore + 1)), guest->begin);
    append_slot(other, *guest);
  };
  std::size_t at = 0;
  for (std::size_t i = 0; i <= sentence.slots.size(); ++i) {
    const std::size_t end = i < sentence.slots.size() ? sentence.slots[i].begin : sentence.words.size();
    if (i == place && i > 0) append_guest();
    append_varied(made, std::span(sentence.words).subspan(at, end - at), dice);
    if (i == place && i == 0) append_guest();
    if (i == sentence.slots.size()) break;
    append_slot(sentence, sentence.slots[i]);
    at = sentence.slots[i].end;
  }
  return made;
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
