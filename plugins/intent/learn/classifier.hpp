#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "learn/features.hpp"
#include "learn/key_table.hpp"
#include "learn/packed.hpp"
#include "learn/sampling.hpp"
#include "learn/weights.hpp"

namespace parley::intent {

/// A class of the classifier: one registration of an intent.
using ClassId = std::uint32_t;
/// The class of what is nobody's: learnt like the others, but its words cover nothing, and none of its
/// sentences are held out.
inline constexpr ClassId kNobody = std::numeric_limits<ClassId>::max();

/// A sentence to learn from. Kept as one text, since there are many.
class Example {
 public:
  /// @param number  see source()
  /// @param words   in matching form (T-4): none has a space in it
  Example(std::uint32_t number, std::span<const std::string> words);
  /// The template it was sampled from, counted per class.
  std::uint32_t source() const noexcept { return source_; }
  std::vector<std::string> words() const;

 private:
  std::uint32_t source_;
  std::string text_;  ///< Every word followed by a space.
};

/// What the classifier thinks of one class.
struct Guess {
  Guess(ClassId of, double how_well) noexcept : label(of), score(how_well) {}
  ClassId label;
  double score;  ///< About 1 for what it was taught, about -1 for what it was taught not to be.
};

/// One linear classifier over the sentences of all intents of a language: per class a support vector machine
/// (squared hinge) against all other classes, solved in its dual, sentence by sentence. The dual variables
/// are kept, so that classes can come and go: a new one starts from what is known, a class that goes takes
/// back what its sentences contributed (see Weights::shrink()).
///
/// Not for use from two threads at once.
class Classifier {
 public:
  /// @param gazetteer  outlives the classifier; what is found in examples is looked at too
  explicit Classifier(const Gazetteer& gazetteer) : gazetteer_(gazetteer) {}

  /// Adds a class, untaught; the vocabulary has its words at once. Classes of one group are never taught
  /// against each other (the same intent registered in several sessions).
  void add(ClassId label, std::uint64_t group, std::vector<Example> examples);
  void remove(ClassId label);
  /// Removes the examples of a class that were sampled from `sources`.
  void remove(ClassId label, const std::set<std::uint32_t>& sources);
  std::uint64_t group(ClassId label) const { return classes_.at(label).group; }

  /// Learns what is new. From scratch when much has changed, since rarity is measured then; else only the new
  /// sentences and those they could be taken for.
  /// @param abandoned  once it is true, ends without having learnt
  void learn(const std::atomic<bool>& abandoned);

  /// What learn() found out when it last began from scratch, with no change since then.
  void pack(Packer& into) const;
  /// Instead of learn(): knows again what was packed after the same classes with the same examples had been
  /// added in the same order. The weights are summed up anew, to the same.
  /// @return whether it could be; if not, learn() is still to come
  bool recall(Unpacker& from);

  /// The classes with the best scores, best first; of equals the one with the lower label.
  /// @param listed  what the gazetteer finds in `words`
  /// @param wanted  how many
  /// @param may     which classes count, kNobody aside; asked only of those that score well
  std::vector<Guess> guess(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                           std::size_t wanted, const std::function<bool(ClassId)>& may);
  /// The share of the words, weighted by their rarity, that at least `users` sentences use, 0 to 1. Half of a
  /// word counts where they use only what is said for it.
  /// @param listed  what the gazetteer finds in `words`
  double coverage(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                  std::uint32_t users = 1) const;

  /// The same by the words of one class's own sentences: much begins with "is it" that has nothing else in
  /// common. Of words in slots, which may be any, the most counts.
  /// @param slots  those that the tagger found
  double own_coverage(ClassId label, std::span<const std::string> words,
                      std::span<const Gazetteer::Hit> listed, std::span<const SlotSpan> slots) const;

  /// How sure one may be of the best guess: its score, its lead, and both coverages. Comparable within one
  /// classifier only; see Learned::certainty().
  static double confidence(double best, double second, double coverage, double own) noexcept;

  /// The confidence of sentences in their own class, each judged without what it and its template's other
  /// sentences taught; those taken for another class left out. Ascending.
  const std::vector<double>& held_out() const noexcept { return held_out_; }

  const Vocabulary& vocabulary() const noexcept { return words_; }

 private:
  static constexpr float kBias = 0.3F;  ///< How much the bias learns, as if it were a feature.

  struct Sentence {
    std::uint32_t source = 0;  ///< As the Example's.
    bool quiet = false;        ///< Taught nothing in the last round.
    Features features;
    std::vector<Entry> duals;  ///< By column, ascending.
  };
  struct Class {
    Column column = 0;
    std::uint64_t group = 0;
    bool fresh = true;
    std::vector<Example> examples;
    std::vector<Sentence> sentences;
    Vocabulary words;  ///< Of its sentences, and what they are said for; none of kNobody's.
  };
  /// A feature that has a row, but no amount yet.
  struct Unrated {
    explicit Unrated(float heavy) noexcept : weight(heavy) {}
    float weight;
    std::uint32_t sentences = 0;  ///< That have it.
  };

  using Lessons = std::vector<std::pair<Class*, Sentence*>>;
  Lessons start_over();
  void sum_up();
  Lessons learn_new();
  void contribute(const Class& known, const Sentence& sentence, float times);
  void count_words(ClassId label, const std::vector<Example>& examples, int step);
  void read(Class& known);
  void rate();
  void leave_out_ignored();
  void weigh(Sentence& sentence) const;
  void rounds(Lessons lessons, const std::atomic<bool>& abandoned);
  bool teach_anew(const Class& known, Sentence& sentence);
  bool teach(const Class& known, Sentence& sentence);
  bool teach_again(const Class& known, Sentence& sentence, std::span<const Column> more);
  void adjust(Sentence& sentence, Column column, bool own);
  bool take_steps(const Sentence& sentence);
  void score_all(const Features& features);
  Features features_of(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed) const;
  void hold_out(const std::atomic<bool>& abandoned);
  double held_out_confidence(const Class& known, std::size_t number);
  std::vector<std::uint64_t> said_in(const Example& example) const;
  template <class IsOpen, class Has>
  double known_share(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                     const IsOpen& is_open, const Has& has) const;
  template <class Has>
  double known_beside_slots(std::span<const std::string> words, std::span<const Gazetteer::Hit> listed,
                            std::span<const SlotSpan> slots, const Has& has) const;
  Column new_column(std::uint64_t group);

  const Gazetteer& gazetteer_;
  std::map<ClassId, Class> classes_;
  std::vector<Column> free_columns_;
  std::vector<std::uint64_t> groups_;  ///< By column; 0: free.
  std::vector<ClassId> labels_;        ///< By column.
  std::vector<float> biases_;          ///< By column.
  std::vector<Column> fresh_;          ///< Of the classes being learnt beside known ones, ascending.
  KeyTable rows_;                      ///< Of features, by key.
  std::vector<Unrated> unrated_;       ///< The last rows.
  Weights weights_;
  Vocabulary words_, covering_;  ///< Of all classes; of all but kNobody.
  std::size_t sentences_ = 0;    ///< Of all classes.
  std::size_t learnt_examples_ = 0, changed_ = 0;
  std::vector<double> held_out_;
  std::vector<float> scores_;    ///< By column; used while scoring.
  std::vector<Column> columns_;  ///< Whose scores are looked at.
  std::vector<Entry> steps_;     ///< What adjust() found, before it goes into weights_.
};

}  // namespace parley::intent
