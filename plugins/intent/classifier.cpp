#include "classifier.hpp"

#include <algorithm>
#include <cmath>

#include "sampling.hpp"

namespace parley::intent {
namespace {

constexpr float kRarityPower = 0.6F;
constexpr float kUnseen = 0.8F;     // how much of what nobody ever said counts
constexpr float kBias = 0.3F;       // how much the bias learns, as if it were a feature
constexpr float kOwnCost = 5.0F;    // of a sentence that is not taken for its class
constexpr float kOtherCost = 2.0F;  // of one taken for another
constexpr float kTolerance = 0.02F;
constexpr std::size_t kLeastRounds = 9, kMostRounds = 60;
constexpr std::size_t kSteps = 40'000;   // about, where so few sentences would take more rounds
constexpr std::size_t kLookAgain = 3;    // rounds after which quiet sentences are asked again
constexpr std::size_t kFew = 24;         // weights a row holds one by one
constexpr double kStartOverShare = 0.3;  // of all sentences
constexpr std::size_t kMostHeldOut = 2000;
constexpr float kNearby = -0.5F;  // a class that scores more could be taken for the right one

float squared(float value) noexcept {
  return value * value;
}

}  // namespace

void Classifier::keep_each_once(std::vector<Part>& parts) {
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.row < b.row; });
  const auto same = [](const Part& a, const Part& b) { return a.row == b.row; };
  parts.erase(std::unique(parts.begin(), parts.end(), same), parts.end());
}

void Classifier::add(ClassId label, std::uint64_t group, std::vector<Example> examples) {
  remove(label);
  Class& made = classes_[label];
  made.group = group;
  made.column = new_column(group);
  labels_[made.column] = label;
  made.examples = std::move(examples);
  sentences_ += made.examples.size();
  changed_ += made.examples.size();
}

Classifier::Column Classifier::new_column(std::uint64_t group) {
  if (free_columns_.empty()) {
    groups_.push_back(group);
    labels_.push_back(0);
    biases_.push_back(-1);
    return static_cast<Column>(groups_.size() - 1);
  }
  const Column column = free_columns_.back();
  free_columns_.pop_back();
  groups_[column] = group;
  biases_[column] = -1;
  return column;
}

void Classifier::remove(ClassId label) {
  const auto found = classes_.find(label);
  if (found == classes_.end()) return;
  Class& gone = found->second;
  for (const Sentence& sentence : gone.sentences) {
    for (const Dual& dual : sentence.duals) {
      change(sentence, dual.column, dual.column == gone.column ? -dual.value : dual.value);
    }
  }
  const auto forget = [&gone](std::vector<Dual>& duals) {
    std::erase_if(duals, [&gone](const Dual& dual) { return dual.column == gone.column; });
  };
  for (Row& row : rows_) {
    forget(row.few);
    if (gone.column < row.all.size()) row.all[gone.column] = 0;
  }
  for (auto& [other, known] : classes_) {
    for (Sentence& sentence : known.sentences) forget(sentence.duals);
  }
  if (!gone.fresh) count_words(label, gone, -1);
  sentences_ -= gone.examples.size();
  changed_ += gone.examples.size();
  groups_[gone.column] = 0;
  free_columns_.push_back(gone.column);
  classes_.erase(found);
}

void Classifier::count_words(ClassId label, const Class& known, int step) {
  const auto count = [step](Vocabulary& words, std::uint64_t word) {
    if (step > 0) {
      ++words[word];
    } else if (const auto found = words.find(word); found != words.end() && --found->second == 0) {
      words.erase(found);
    }
  };
  std::vector<std::uint64_t> seen;
  for (const Example& example : known.examples) {
    seen.clear();
    for (const std::string& word : example.words) {
      if (!word.starts_with(kOpenWord)) seen.push_back(hash_of(word));
    }
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (const std::uint64_t word : seen) {
      count(words_, word);
      if (label != kNobody) count(covering_, word);
    }
  }
}

void Classifier::learn(const Gazetteer& gazetteer, const std::atomic<bool>& abandoned) {
  if (changed_ == 0) return;
  if (static_cast<double>(changed_) > kStartOverShare * static_cast<double>(learnt_examples_)) {
    rounds(start_over(gazetteer), abandoned);
    changed_ = 0;
    hold_out(abandoned);  // a few more sentences would not change what is usual
  } else {
    rounds(learn_new(gazetteer), abandoned);
  }
}

Classifier::Lessons Classifier::start_over(const Gazetteer& gazetteer) {
  rows_.clear();
  rows_by_key_.clear();
  words_.clear();
  covering_.clear();
  std::fill(biases_.begin(), biases_.end(), -1.0F);
  for (const auto& [label, known] : classes_) count_words(label, known, 1);
  for (auto& [label, known] : classes_) read(known, gazetteer);
  for (Row& row : rows_) rate(row);
  Lessons lessons;
  for (auto& [label, known] : classes_) {
    known.fresh = false;
    for (Sentence& sentence : known.sentences) {
      weigh(sentence);
      lessons.emplace_back(&known, &sentence);
    }
  }
  learnt_examples_ = sentences_;
  return lessons;
}

/// Only the new sentences, and the old ones that they could be taken for.
Classifier::Lessons Classifier::learn_new(const Gazetteer& gazetteer) {
  Lessons lessons;
  std::vector<Column> rivals;
  for (auto& [label, known] : classes_) {
    if (!known.fresh) continue;
    known.fresh = false;
    count_words(label, known, 1);
    const std::size_t old_rows = rows_.size();
    read(known, gazetteer);
    std::for_each(rows_.begin() + static_cast<std::ptrdiff_t>(old_rows), rows_.end(),
                  [this](Row& row) { rate(row); });
    for (Sentence& sentence : known.sentences) {
      weigh(sentence);
      add_scores(sentence.parts, 1);
      for (Column column = 0; column < scores_.size(); ++column) {
        if (groups_[column] != 0 && scores_[column] > kNearby) rivals.push_back(column);
      }
      lessons.emplace_back(&known, &sentence);
    }
  }
  std::sort(rivals.begin(), rivals.end());
  rivals.erase(std::unique(rivals.begin(), rivals.end()), rivals.end());
  const std::size_t fresh = lessons.size();
  for (const Column column : rivals) {
    Class& rival = classes_.at(labels_[column]);
    if (std::any_of(lessons.begin(), lessons.begin() + static_cast<std::ptrdiff_t>(fresh),
                    [&rival](const auto& lesson) { return lesson.first == &rival; })) {
      continue;
    }
    for (Sentence& sentence : rival.sentences) lessons.emplace_back(&rival, &sentence);
  }
  return lessons;
}

void Classifier::read(Class& known, const Gazetteer& gazetteer) {
  known.sentences.clear();
  known.sentences.reserve(known.examples.size());
  std::vector<Feature> features;
  for (const Example& example : known.examples) {
    Sentence& sentence = known.sentences.emplace_back();
    sentence.source = example.source;
    find_features(example.words, gazetteer.find(example.words), words_, features);
    for (const Feature& feature : features) {
      const auto [place, is_new] =
          rows_by_key_.try_emplace(feature.key, static_cast<std::uint32_t>(rows_.size()));
      if (is_new) rows_.emplace_back().minor = feature.weight < kMajor;
      sentence.parts.push_back(Part{place->second, feature.weight});
    }
    keep_each_once(sentence.parts);
    for (const Part& part : sentence.parts) ++rows_[part.row].sentences;
  }
}

/// A minor feature that only one sentence has says nothing about others.
void Classifier::rate(Row& row) const {
  if (row.minor && row.sentences < 2) return;
  row.rarity = std::pow(std::log(1.0F + static_cast<float>(sentences_) / static_cast<float>(row.sentences)),
                        kRarityPower);
}

/// Turns amounts into weights of length one.
void Classifier::weigh(Sentence& sentence) const {
  float length = 0;
  for (Part& part : sentence.parts) {
    part.value *= rows_[part.row].rarity;
    length += squared(part.value);
  }
  const float scale = length > 0 ? 1 / std::sqrt(length) : 0;
  for (Part& part : sentence.parts) part.value *= scale;
  std::erase_if(sentence.parts, [](const Part& part) { return part.value == 0; });
  sentence.parts.shrink_to_fit();
}

void Classifier::rounds(Lessons lessons, const std::atomic<bool>& abandoned) {
  Dice dice(lessons.size());
  const std::size_t most =
      std::clamp(kSteps / std::max<std::size_t>(lessons.size(), 1), kLeastRounds, kMostRounds);
  for (std::size_t round = 0; round < most; ++round) {
    for (std::size_t i = lessons.size(); i > 1; --i) std::swap(lessons[i - 1], lessons[dice.below(i)]);
    bool calm = true;
    for (auto& [known, sentence] : lessons) {
      if (abandoned) return;
      if (round > 0 && sentence->quiet && round % kLookAgain != 0) continue;
      sentence->quiet = !teach(*known, *sentence);
      calm = calm && sentence->quiet;
    }
    if (calm) return;
  }
}

bool Classifier::teach(const Class& known, Sentence& sentence) {
  add_scores(sentence.parts, 1);
  bool changed = adjust(sentence, known.column, true);
  const float edge = -1 + kTolerance;
  for (Column column = 0; column < scores_.size(); ++column) {
    if (scores_[column] <= edge || groups_[column] == 0 || groups_[column] == known.group) continue;
    changed |= adjust(sentence, column, false);
  }
  for (std::size_t i = sentence.duals.size(); i-- > 0;) {  // those that may be more lenient now
    const Column column = sentence.duals[i].column;
    if (column != known.column && scores_[column] < -1 - kTolerance)
      changed |= adjust(sentence, column, false);
  }
  return changed;
}

/// One step of dual coordinate descent: the best value of one dual variable, all others as they are.
bool Classifier::adjust(Sentence& sentence, Column column, bool own) {
  const auto found = std::find_if(sentence.duals.begin(), sentence.duals.end(),
                                  [column](const Dual& dual) { return dual.column == column; });
  const float before = found == sentence.duals.end() ? 0 : found->value;
  const float softness = 1 / (2 * (own ? kOwnCost : kOtherCost));
  const float margin = own ? scores_[column] : -scores_[column];
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

std::vector<Guess> Classifier::guess(std::span<const std::string> words,
                                     std::span<const Gazetteer::Hit> listed) {
  std::vector<Feature> features;
  find_features(words, listed, words_, features);
  std::vector<Part> parts;
  parts.reserve(features.size());
  const float unseen = std::pow(std::log(1.0F + static_cast<float>(sentences_)), kRarityPower);
  float unknown = 0;
  for (const Feature& feature : features) {
    const auto found = rows_by_key_.find(feature.key);
    if (found == rows_by_key_.end() || rows_[found->second].rarity == 0) {
      unknown += squared(feature.weight * unseen);
    } else {
      parts.push_back(Part{found->second, feature.weight * rows_[found->second].rarity});
    }
  }
  keep_each_once(parts);
  float known = 0;
  for (const Part& part : parts) known += squared(part.value);
  const float length = known + unknown * kUnseen;
  add_scores(parts, length > 0 ? 1 / std::sqrt(length) : 0);
  std::vector<Guess> guesses;
  guesses.reserve(classes_.size());
  for (Column column = 0; column < scores_.size(); ++column) {
    if (groups_[column] != 0) guesses.emplace_back(labels_[column], scores_[column]);
  }
  return guesses;
}

double Classifier::coverage(std::span<const std::string> words, std::uint32_t users) const {
  double known = 0, all = 0;
  for (const std::string& word : words) {
    const auto found = covering_.find(hash_of(word));
    const std::uint32_t count = found == covering_.end() ? 0 : found->second;
    const double rarity = std::log(1 + static_cast<double>(sentences_) / (1.0 + count));
    all += rarity;
    if (count >= users) known += rarity;
  }
  return all > 0 ? known / all : 0;
}

double Classifier::confidence(double best, double second, double coverage) noexcept {
  return best + 0.3 * (best - second) + 0.5 * coverage;
}

void Classifier::hold_out(const std::atomic<bool>& abandoned) {
  held_out_.clear();
  const std::size_t step = 1 + sentences_ / kMostHeldOut;
  std::size_t next = 0;
  for (const auto& [label, known] : classes_) {
    for (std::size_t i = 0; label != kNobody && i < known.sentences.size(); ++i) {
      if (next++ % step != 0) continue;
      if (abandoned) return;
      const double confidence = held_out_confidence(known, i);
      if (!std::isnan(confidence)) held_out_.push_back(confidence);
    }
  }
  std::sort(held_out_.begin(), held_out_.end());
}

/// Takes back what the sentence and its siblings taught, to first order; NaN when another class wins then.
double Classifier::held_out_confidence(const Class& known, std::size_t number) {
  const Sentence& sentence = known.sentences[number];
  add_scores(sentence.parts, 1);
  for (const Sentence& sibling : known.sentences) {
    if (sibling.source != sentence.source) continue;
    float likeness = kBias;
    auto other = sibling.parts.begin();
    for (const Part& part : sentence.parts) {
      while (other != sibling.parts.end() && other->row < part.row) ++other;
      if (other != sibling.parts.end() && other->row == part.row) likeness += part.value * other->value;
    }
    for (const Dual& dual : sibling.duals) {
      scores_[dual.column] -= (dual.column == known.column ? dual.value : -dual.value) * likeness;
    }
  }
  float second = -1;
  for (Column column = 0; column < scores_.size(); ++column) {
    if (groups_[column] != 0 && groups_[column] != known.group) second = std::max(second, scores_[column]);
  }
  const float own = scores_[known.column];
  if (second > own) return std::nan("");
  const double covered = coverage(known.examples[number].words, 2);  // by itself and by others
  return confidence(static_cast<double>(own), static_cast<double>(second), covered);
}

}  // namespace parley::intent
