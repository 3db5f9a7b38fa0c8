#include <algorithm>
#include <cmath>
#include <parley/give_turn.hpp>

#include "learn/classifier.hpp"
#include "learn/sampling.hpp"

namespace parley::intent {
namespace {

constexpr float kOwnCost = 5.0F;    // of a sentence that is not taken for its class
constexpr float kOtherCost = 0.5F;  // of one taken for another
constexpr float kTolerance = 0.02F;
constexpr std::size_t kLeastRounds = 4, kMostRounds = 60;
constexpr std::size_t kSteps = 50'000;  // about, where so few sentences would take more rounds
constexpr std::size_t kLookAgain = 3;   // rounds after which quiet sentences are asked again
constexpr std::size_t kCalm = 20;       // where one in so many sentences still teaches, that will do

}  // namespace

void Classifier::rounds(Lessons lessons, const std::atomic<bool>& abandoned) {
  Dice dice(lessons.size());
  const std::size_t most =
      std::clamp(kSteps / std::max<std::size_t>(lessons.size(), 1), kLeastRounds, kMostRounds);
  for (std::size_t round = 0; round < most; ++round) {
    shuffle(lessons, dice);
    const bool looks_at_all = round % kLookAgain == 0;
    std::size_t loud = 0;
    for (auto& [known, sentence] : lessons) {
      if (abandoned) return;
      give_turn();
      if (sentence->quiet && !looks_at_all) continue;
      const bool has_taught =
          looks_at_all ? teach_anew(*known, *sentence) : teach_again(*known, *sentence, {});
      sentence->quiet = !has_taught;
      loud += has_taught ? 1 : 0;
    }
    if (loud * kCalm < lessons.size() && looks_at_all) return;
  }
}

/// Against all classes; a sentence that was known before the new ones came, only against these.
bool Classifier::teach_anew(const Class& known, Sentence& sentence) {
  const bool is_old = !fresh_.empty() && !std::binary_search(fresh_.begin(), fresh_.end(), known.column);
  return is_old ? teach_again(known, sentence, fresh_) : teach(known, sentence);
}

/// Only for the columns that have been adjusted before, and `more`: few, where there are many.
bool Classifier::teach_again(const Class& known, Sentence& sentence, std::span<const Column> more) {
  columns_.assign(more.begin(), more.end());
  for (const Entry& dual : sentence.duals) {
    const auto place = std::lower_bound(columns_.begin(), columns_.end(), dual.column);
    if (place == columns_.end() || *place != dual.column) columns_.insert(place, dual.column);
  }
  scores_ = biases_;
  weights_.add_products(sentence.features, columns_, scores_);
  steps_.clear();
  for (const Column column : columns_) {
    if (column == known.column || groups_[column] != known.group)
      adjust(sentence, column, column == known.column);
  }
  return take_steps(sentence);
}

bool Classifier::teach(const Class& known, Sentence& sentence) {
  score_all(sentence.features);
  steps_.clear();
  const float edge = -1 + kTolerance;
  columns_.clear();
  auto dual = sentence.duals.begin();
  for (Column column = 0; column < scores_.size(); ++column) {
    while (dual != sentence.duals.end() && dual->column < column) ++dual;
    const bool is_rival = scores_[column] > edge && groups_[column] != 0 && groups_[column] != known.group;
    const bool was_rival = dual != sentence.duals.end() && dual->column == column;
    if (column == known.column || is_rival || (was_rival && scores_[column] < -1 - kTolerance))
      columns_.push_back(column);
  }
  for (const Column column : columns_) adjust(sentence, column, column == known.column);
  return take_steps(sentence);
}

/// One step of dual coordinate descent: the best value of one dual variable, all others as they are.
void Classifier::adjust(Sentence& sentence, Column column, bool own) {
  const auto found = std::lower_bound(sentence.duals.begin(), sentence.duals.end(), column, is_before);
  const bool is_new = found == sentence.duals.end() || found->column != column;
  const float before = is_new ? 0 : found->value;
  const float softness = 1 / (2 * (own ? kOwnCost : kOtherCost));
  const float margin = own ? scores_[column] : -scores_[column];
  const float gradient = margin - 1 + softness * before;
  const float after = std::max(0.0F, before - gradient / (1 + kBias + softness));
  const float step = after - before;
  if (std::abs(step) < kTolerance / 4) return;
  if (is_new) {
    sentence.duals.emplace(found, column, after);
  } else {
    found->value = after;
  }
  steps_.emplace_back(column, own ? step : -step);
}

/// @return whether there were any
bool Classifier::take_steps(const Sentence& sentence) {
  weights_.change(sentence.features, steps_, groups_.size());
  for (const Entry& step : steps_) biases_[step.column] += kBias * step.value;
  return !steps_.empty();
}

void Classifier::score_all(const Features& features) {
  scores_ = biases_;
  weights_.add_all_products(features, scores_);
}

}  // namespace parley::intent
