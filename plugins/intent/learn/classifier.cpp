#include "learn/classifier.hpp"

#include <algorithm>
#include <cmath>

#include "learn/sampling.hpp"

namespace parley::intent {
namespace {

constexpr float kRarityPower = 0.7F;
constexpr float kUnseen = 0.8F;          // how much of what nobody ever said counts
constexpr double kStartOverShare = 0.3;  // of all sentences
constexpr float kNearby = -0.5F;         // a class that scores more could be taken for the right one

float squared(float value) noexcept {
  return value * value;
}

template <class Number>
void keep_each_once(std::vector<Number>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

Example::Example(std::uint32_t number, std::span<const std::string> words) : source_(number) {
  std::size_t length = 0;
  for (const std::string& word : words) length += word.size() + 1;
  text_.reserve(length);
  for (const std::string& word : words) text_.append(word).push_back(' ');
}

std::vector<std::string> Example::words() const {
  std::vector<std::string> found;
  for (std::size_t begin = 0; begin < text_.size();) {
    const std::size_t end = text_.find(' ', begin);
    found.push_back(text_.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

void Classifier::add(ClassId label, std::uint64_t group, std::vector<Example> examples) {
  remove(label);
  Class& made = classes_[label];
  made.group = group;
  made.column = new_column(group);
  labels_[made.column] = label;
  made.examples = std::move(examples);
  made.examples.shrink_to_fit();
  count_words(label, made.examples, 1);
  sentences_ += made.examples.size();
  changed_ += made.examples.size();
}

Column Classifier::new_column(std::uint64_t group) {
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
  for (const Sentence& sentence : gone.sentences) contribute(gone, sentence, -1);
  weights_.forget(gone.column);
  for (auto& [other, known] : classes_) {
    for (Sentence& sentence : known.sentences) {
      std::erase_if(sentence.duals, [&gone](const Entry& dual) { return dual.column == gone.column; });
    }
  }
  count_words(label, gone.examples, -1);
  sentences_ -= gone.examples.size();
  changed_ += gone.examples.size();
  groups_[gone.column] = 0;
  free_columns_.push_back(gone.column);
  classes_.erase(found);
}

void Classifier::remove(ClassId label, const std::set<std::uint32_t>& sources) {
  Class& known = classes_.at(label);
  const auto stays = [&sources](const Example& example) { return !sources.contains(example.source()); };
  const auto goes = [&sources](const Sentence& sentence) { return sources.contains(sentence.source); };
  const auto first = std::stable_partition(known.examples.begin(), known.examples.end(), stays);
  const std::vector<Example> gone(first, known.examples.end());
  known.examples.erase(first, known.examples.end());
  sentences_ -= gone.size();
  changed_ += gone.size();
  count_words(label, gone, -1);
  for (const Sentence& sentence : known.sentences) {
    if (goes(sentence)) contribute(known, sentence, -1);
  }
  std::erase_if(known.sentences, goes);
}

/// Adds what the sentence taught to the weights.
/// @param times  1; -1 takes it back
void Classifier::contribute(const Class& known, const Sentence& sentence, float times) {
  steps_.clear();
  for (const Entry& dual : sentence.duals) {
    steps_.emplace_back(dual.column, times * (dual.column == known.column ? dual.value : -dual.value));
  }
  take_steps(sentence);
}

void Classifier::count_words(ClassId label, const std::vector<Example>& examples, int step) {
  const auto count = [step](Vocabulary& words, std::uint64_t word) {
    if (step > 0) {
      ++words[word];
    } else if (const auto found = words.find(word); found != words.end() && --found->second == 0) {
      words.erase(found);
    }
  };
  Vocabulary& own = classes_.at(label).words;
  for (const Example& example : examples) {
    for (const std::uint64_t word : said_in(example)) {
      count(words_, word);
      if (label == kNobody) continue;
      count(covering_, word);
      count(own, word);
    }
  }
}

/// Hashes of its words and of what they are said for, each once.
std::vector<std::uint64_t> Classifier::said_in(const Example& example) const {
  std::vector<std::uint64_t> said;
  const std::vector<std::string> words = example.words();
  for (const std::string& word : words) {
    if (!word.starts_with(kOpenWord)) said.push_back(hash_of(word));
  }
  for (const Gazetteer::Hit& hit : gazetteer_.find(words)) {
    if (hit.is_synonym) said.push_back(hit.name);
  }
  keep_each_once(said);
  return said;
}

void Classifier::learn(const std::atomic<bool>& abandoned) {
  if (changed_ == 0) return;
  if (static_cast<double>(changed_) <= kStartOverShare * static_cast<double>(learnt_examples_)) {
    rounds(learn_new(), abandoned);
    return;
  }
  rounds(start_over(), abandoned);
  if (abandoned) return;
  sum_up();
  hold_out(abandoned);  // a few more sentences would not change what is usual
}

/// The weights, from the duals alone: what is left of them is the same whatever the way there was.
void Classifier::sum_up() {
  weights_.forget_all();
  std::fill(biases_.begin(), biases_.end(), -1.0F);
  for (auto& [label, known] : classes_) {
    for (Sentence& sentence : known.sentences) {
      sentence.duals.shrink_to_fit();
      contribute(known, sentence, 1);
    }
  }
  weights_.shrink();
  changed_ = 0;
}

Classifier::Lessons Classifier::start_over() {
  fresh_.clear();
  weights_.clear();
  rows_ = KeyTable();
  std::fill(biases_.begin(), biases_.end(), -1.0F);
  for (auto& [label, known] : classes_) read(known);
  rate();
  leave_out_ignored();
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
Classifier::Lessons Classifier::learn_new() {
  Lessons lessons;
  fresh_.clear();
  std::vector<Column> rivals;
  for (auto& [label, known] : classes_) {
    if (!known.fresh) continue;
    known.fresh = false;
    fresh_.push_back(known.column);
    read(known);
    rate();
    for (Sentence& sentence : known.sentences) {
      weigh(sentence);
      score_all(sentence.features);
      for (Column column = 0; column < scores_.size(); ++column) {
        if (groups_[column] != 0 && scores_[column] > kNearby) rivals.push_back(column);
      }
      lessons.emplace_back(&known, &sentence);
    }
  }
  std::sort(fresh_.begin(), fresh_.end());
  keep_each_once(rivals);
  for (const Column column : rivals) {
    Class& rival = classes_.at(labels_[column]);
    if (std::binary_search(fresh_.begin(), fresh_.end(), column)) continue;
    for (Sentence& sentence : rival.sentences) lessons.emplace_back(&rival, &sentence);
  }
  return lessons;
}

void Classifier::read(Class& known) {
  known.sentences.clear();
  known.sentences.reserve(known.examples.size());
  std::vector<Feature> features;
  for (const Example& example : known.examples) {
    Sentence& sentence = known.sentences.emplace_back();
    sentence.source = example.source();
    const std::vector<std::string> words = example.words();
    find_features(words, gazetteer_.find(words), words_, features);
    auto& rows = sentence.features.rows;
    rows.reserve(features.size());
    for (const Feature& feature : features) {
      rows.push_back(rows_.add(feature.key));
      if (rows_.size() == weights_.rows()) continue;
      weights_.add_row();
      unrated_.emplace_back(feature.weight);
    }
    keep_each_once(rows);
    const std::size_t rated = weights_.rows() - unrated_.size();
    for (const std::uint32_t row : rows) {
      if (row >= rated) ++unrated_[row - rated].sentences;
    }
  }
}

/// A minor feature that only one sentence has says nothing about others: it keeps the amount 0.
void Classifier::rate() {
  std::size_t row = weights_.rows() - unrated_.size();
  for (const Unrated& feature : unrated_) {
    const float share = static_cast<float>(sentences_) / static_cast<float>(feature.sentences);
    if (feature.weight >= kMajor || feature.sentences > 1)
      weights_.set_amount(static_cast<std::uint32_t>(row),
                          feature.weight * std::pow(std::log(1.0F + share), kRarityPower));
    ++row;
  }
  unrated_.clear();
}

/// Numbers anew the rows that count, before there are weights: there are about as many that don't.
void Classifier::leave_out_ignored() {
  KeyTable kept;
  Weights weights;
  std::vector<std::uint32_t> numbers(rows_.size(), KeyTable::kNone);
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    if (weights_.amount(row) == 0) continue;
    numbers[row] = kept.add(rows_.keys()[row]);
    weights.set_amount(weights.add_row(), weights_.amount(row));
  }
  for (auto& [label, known] : classes_) {
    for (Sentence& sentence : known.sentences) {
      auto& rows = sentence.features.rows;
      std::erase_if(rows, [&numbers](std::uint32_t row) { return numbers[row] == KeyTable::kNone; });
      for (std::uint32_t& row : rows) row = numbers[row];
    }
  }
  rows_ = std::move(kept);
  weights_ = std::move(weights);
}

/// Has the weights of a sentence be of length one.
void Classifier::weigh(Sentence& sentence) const {
  auto& rows = sentence.features.rows;
  std::erase_if(rows, [this](std::uint32_t row) { return weights_.amount(row) == 0; });
  rows.shrink_to_fit();
  float length = 0;
  for (const std::uint32_t row : rows) length += squared(weights_.amount(row));
  sentence.features.scale = length > 0 ? 1 / std::sqrt(length) : 0;
}

/// Of what was said, with words that nobody taught.
Features Classifier::features_of(std::span<const std::string> words,
                                 std::span<const Gazetteer::Hit> listed) const {
  std::vector<Feature> found;
  find_features(words, listed, words_, found);
  Features features;
  features.rows.reserve(found.size());
  const float unseen = std::pow(std::log(1.0F + static_cast<float>(sentences_)), kRarityPower);
  float unknown = 0;
  for (const Feature& feature : found) {
    const std::uint32_t row = rows_.find(feature.key);
    if (row == KeyTable::kNone || weights_.amount(row) == 0) {
      unknown += squared(feature.weight * unseen);
    } else {
      features.rows.push_back(row);
    }
  }
  keep_each_once(features.rows);
  float known = 0;
  for (const std::uint32_t row : features.rows) known += squared(weights_.amount(row));
  const float length = known + unknown * kUnseen;
  features.scale = length > 0 ? 1 / std::sqrt(length) : 0;
  return features;
}

std::vector<Guess> Classifier::guess(std::span<const std::string> words,
                                     std::span<const Gazetteer::Hit> listed, std::size_t wanted,
                                     const std::function<bool(ClassId)>& may) {
  score_all(features_of(words, listed));
  const auto is_better = [](const Guess& a, const Guess& b) {
    return a.score != b.score ? a.score > b.score : a.label < b.label;
  };
  std::vector<Guess> best;
  best.reserve(wanted + 1);
  for (Column column = 0; column < scores_.size(); ++column) {
    const Guess guess(labels_[column], static_cast<double>(scores_[column]));
    if (best.size() == wanted && (best.empty() || guess.score < best.back().score)) continue;
    if (groups_[column] == 0 || (guess.label != kNobody && !may(guess.label))) continue;
    best.insert(std::upper_bound(best.begin(), best.end(), guess, is_better), guess);
    if (best.size() > wanted) best.pop_back();
  }
  return best;
}

}  // namespace parley::intent
