#include <algorithm>
#include <cmath>

#include "classifier.hpp"
#include "sampling.hpp"

namespace parley::intent {
namespace {

constexpr float kOwnCost = 5.0F;    // of a sentence that is not taken for its class
constexpr float kOtherCost = 2.0F;  // of one taken for another
constexpr float kTolerance = 0.02F;
constexpr std::size_t kLeastRounds = 5, kMostRounds = 60;
constexpr std::size_t kSteps = 40'000;  // about, where so few sentences would take more rounds
constexpr std::size_t kLookAgain = 3;   // rounds after which quiet sentences are asked again
constexpr std::size_t kCalm = 20;       // where one in so many sentences still teaches, that will do
constexpr std::size_t kFew = 24;        // weights a row holds one by one

}  // namespace

void Classifier::rounds(Lessons lessons, const std::atomic<bool>& abandoned) {
  Dice dice(lessons.size());
  const std::size_t most =
      std::clamp(kSteps / std::max<std::size_t>(lessons.size(), 1), kLeastRounds, kMostRounds);
  for (std::size_t round = 0; round < most; ++round) {
    for (std::size_t i = lessons.size(); i > 1; --i) std::swap(lessons[i - 1], lessons[dice.below(i)]);
    const bool looks_at_all = round % kLookAgain == 0;
    std::size_t loud = 0;
    for (auto& [known, sentence] : lessons) {
      if (abandoned) return;
      if (sentence->quiet && !looks_at_all) continue;
      const bool is_old = !fresh_.empty() && !std::binary_search(fresh_.begin(), fresh_.end(), known->column);
      sentence->quiet = !(!looks_at_all ? teach_again(*known, *sentence)
                          : is_old      ? teach_against(fresh_, *known, *sentence)
                                        : teach(*known, *sentence));
      loud += sentence->quiet ? 0 : 1;
    }
    if (loud * kCalm < lessons.size() && looks_at_all) return;
  }
}

/// Only for the columns that have been adjusted before: few, where there are many.
bool Classifier::teach_again(const Class& known, Sentence& sentence) {
  bool changed = false;
  for (std::size_t i = 0; i < sentence.duals.size(); ++i) {
    const Column column = sentence.duals[i].column;
    changed |= adjust(sentence, column, column == known.column, score(sentence.parts, column));
  }
  return changed;
}

float Classifier::score(std::span<const Part> parts, Column column) const {
  float sum = biases_[column];
  for (const Part& part : parts) {
    const Row& row = rows_[part.row];
    if (column < row.all.size()) {
      sum += part.value * row.all[column];
      continue;
    }
    const auto place = std::lower_bound(row.few.begin(), row.few.end(), column,
                                        [](const Dual& dual, Column wanted) { return dual.column < wanted; });
    if (place != row.few.end() && place->column == column) sum += part.value * place->value;
  }
  return sum;
}

/// Only against the columns of new classes, and as teach_again().
bool Classifier::teach_against(const std::vector<Column>& fresh, const Class& known, Sentence& sentence) {
  bool changed = false;
  for (const Column column : fresh) {
    if (groups_[column] == known.group) continue;
    const float scored = score(sentence.parts, column);
    if (scored > -1 + kTolerance) changed |= adjust(sentence, column, false, scored);
  }
  return teach_again(known, sentence) || changed;
}

bool Classifier::teach(const Class& known, Sentence& sentence) {
  add_scores(sentence.parts, 1);
  bool changed = adjust(sentence, known.column, true, scores_[known.column]);
  const float edge = -1 + kTolerance;
  for (Column column = 0; column < scores_.size(); ++column) {
    if (scores_[column] <= edge || groups_[column] == 0 || groups_[column] == known.group) continue;
    changed |= adjust(sentence, column, false, scores_[column]);
  }
  for (std::size_t i = sentence.duals.size(); i-- > 0;) {  // those that may be more lenient now
    const Column column = sentence.duals[i].column;
    if (column != known.column && scores_[column] < -1 - kTolerance)
      changed |= adjust(sentence, column, false, scores_[column]);
  }
  return changed;
}

/// One step of dual coordinate descent: the best value of one dual variable, all others as they are.
bool Classifier::adjust(Sentence& sentence, Column column, bool own, float scored) {
  const auto found = std::find_if(sentence.duals.begin(), sentence.duals.end(),
                                  [column](const Dual& dual) { return dual.column == column; });
  const float before = found == sentence.duals.end() ? 0 : found->value;
  const float softness = 1 / (2 * (own ? kOwnCost : kOtherCost));
  const float margin = own ? scored : -scored;
  const float gradient = margin - 1 + softness * before;
  const float after = std::max(0.0F, before - gradient / (1 + kBias + softness));
  const float step = after - before;
  if (std::abs(step) < kTolerance / 4) return false;
  if (found == sentence.duals.end()) {
    sentence.duals.push_back(Dual{column, after});
  } else {
    found->value = after;
  }
  change(sentence, column, own ? step : -step);
  return true;
}

void Classifier::change(const Sentence& sentence, Column column, float amount) {
  for (const Part& part : sentence.parts) {
    Row& row = rows_[part.row];
    const float step = amount * part.value;
    if (!row.all.empty()) {
      if (column >= row.all.size()) row.all.resize(groups_.size(), 0);
      row.all[column] += step;
      continue;
    }
    const auto place = std::lower_bound(row.few.begin(), row.few.end(), column,
                                        [](const Dual& dual, Column wanted) { return dual.column < wanted; });
    if (place != row.few.end() && place->column == column) {
      place->value += step;
      continue;
    }
    row.few.insert(place, Dual{column, step});
    if (row.few.size() < kFew || row.few.size() * 4 < groups_.size()) continue;
    row.all.assign(groups_.size(), 0);
    for (const Dual& weight : row.few) row.all[weight.column] = weight.value;
    row.few = {};
  }
  biases_[column] += kBias * amount;
}

void Classifier::add_scores(std::span<const Part> parts, float scale) {
  scores_ = biases_;
  for (const Part& part : parts) {
    const Row& row = rows_[part.row];
    const float value = part.value * scale;
    for (std::size_t i = 0; i < row.all.size(); ++i) scores_[i] += value * row.all[i];
    for (const Dual& weight : row.few) scores_[weight.column] += value * weight.value;
  }
}

}  // namespace parley::intent
