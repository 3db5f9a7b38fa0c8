#include <algorithm>
#include <cmath>
#include <limits>
#include <parley/give_turn.hpp>

#include "learn/classifier.hpp"
#include "learn/sampling.hpp"

namespace parley::intent {
namespace {

constexpr double kMeantShare = 0.5;  // of a word, when only what is said for it is known…
constexpr double kOpenShare = 0.75;  // …and when it is in a slot, where any could be
constexpr std::size_t kMostHeldOut = 2000;
constexpr double kLead = 0.2, kCoverage = 0.5, kOwnCoverage = 0.5;

std::uint32_t count_in(const Vocabulary& words, std::uint64_t word) {
  const auto found = words.find(word);
  return found == words.end() ? 0 : found->second;
}

}  // namespace

/// @param is_open  whether the word at that place is a slot's
/// @param has      whether a word, or what is said for it, is known
template <class IsOpen, class Has>
double Classifier::known_share(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                               const IsOpen& is_open, const Has& has) const {
  double known = 0, all = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t word = hash_of(words[i]);
    const double rarity = std::log(1 + static_cast<double>(sentences_) / (1.0 + count_in(covering_, word)));
    all += rarity;
    const auto is_meant = [&](const Gazetteer::Hit& hit) {
      return hit.is_synonym && hit.begin <= i && i < hit.end && has(hit.name);
    };
    if (is_open(i)) {
      known += kOpenShare * rarity;
    } else if (has(word)) {
      known += rarity;
    } else if (std::any_of(listed.begin(), listed.end(), is_meant)) {
      known += kMeantShare * rarity;
    }
  }
  return all > 0 ? known / all : 0;
}

double Classifier::coverage(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                            std::uint32_t users) const {
  return known_share(
      words, listed, [](std::size_t) { return false; },
      [&](std::uint64_t word) { return count_in(covering_, word) >= users; });
}

/// Words that nobody listed, as sentences are made with them, are slots' as well.
template <class Has>
double Classifier::known_beside_slots(std::span<const std::string> words,
                                      std::span<const Gazetteer::Hit> listed, std::span<const SlotSpan> slots,
                                      const Has& has) const {
  const auto is_open = [&](std::size_t word) {
    const auto is_there = [word](const auto& part) { return part.begin <= word && word < part.end; };
    const auto is_value = [&](const Gazetteer::Hit& hit) { return !hit.is_synonym && is_there(hit); };
    return words[word].starts_with(kOpenWord) || std::any_of(slots.begin(), slots.end(), is_there) ||
           std::any_of(listed.begin(), listed.end(), is_value);
  };
  return known_share(words, listed, is_open, has);
}

double Classifier::own_coverage(ClassId label, std::span<const std::string> words,
                                std::span<const Gazetteer::Hit> listed,
                                std::span<const SlotSpan> slots) const {
  const Vocabulary& own = classes_.at(label).words;
  return known_beside_slots(words, listed, slots, [&own](std::uint64_t word) { return own.contains(word); });
}

double Classifier::confidence(double best, double second, double coverage, double own) noexcept {
  return best + kLead * (best - second) + kCoverage * coverage + kOwnCoverage * own;
}

void Classifier::hold_out(const std::atomic<bool>& abandoned) {
  held_out_.clear();
  const std::size_t step = 1 + sentences_ / kMostHeldOut;
  std::size_t next = 0;
  for (const auto& [label, known] : classes_) {
    for (std::size_t i = 0; label != kNobody && i < known.sentences.size(); ++i) {
      if (next++ % step != 0) continue;
      if (abandoned) return;
      give_turn();
      const double confidence = held_out_confidence(known, i);
      if (!std::isnan(confidence)) held_out_.push_back(confidence);
    }
  }
  std::sort(held_out_.begin(), held_out_.end());
}

/// Takes back what the sentence and its siblings taught, to first order; NaN when another class wins then.
double Classifier::held_out_confidence(const Class& known, std::size_t number) {
  const Sentence& sentence = known.sentences[number];
  score_all(sentence.features);
  Vocabulary of_siblings;
  for (std::size_t i = 0; i < known.sentences.size(); ++i) {
    const Sentence& sibling = known.sentences[i];
    if (sibling.source != sentence.source) continue;
    for (const std::uint64_t word : said_in(known.examples[i])) ++of_siblings[word];
    const float likeness = kBias + weights_.product(sentence.features, sibling.features);
    for (const Entry& dual : sibling.duals) {
      scores_[dual.column] -= (dual.column == known.column ? dual.value : -dual.value) * likeness;
    }
  }
  float second = -1;
  for (Column column = 0; column < scores_.size(); ++column) {
    if (groups_[column] != 0 && groups_[column] != known.group) second = std::max(second, scores_[column]);
  }
  const float own = scores_[known.column];
  if (second > own) return std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::string> words = known.examples[number].words();
  const auto listed = gazetteer_.find(words);
  const double covered = coverage(words, listed, 2);  // by itself and by others
  const double by_others = known_beside_slots(words, listed, {}, [&](std::uint64_t word) {
    return count_in(known.words, word) > count_in(of_siblings, word);
  });
  return confidence(static_cast<double>(own), static_cast<double>(second), covered, by_others);
}

}  // namespace parley::intent
