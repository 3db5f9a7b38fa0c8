#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <parley/templates.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parley {

/// A sentence as numbered words (SentenceWords).
using WordRun = std::vector<std::uint32_t>;

/// Words as numbers. A slot nothing is known of stands in a sentence as a word of its own, `{name}`, which no
/// template has.
class SentenceWords {
 public:
  std::uint32_t number(const std::string& word);
  /// The numbers of a phrase; words are added as they come.
  WordRun numbers(std::string_view phrase, std::string_view lang);
  std::string text(const WordRun& sentence) const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> words_;
};

/// What may stand in a slot by preference, and what must not.
struct SlotWords {
  SlotWords() = default;
  std::vector<WordRun> values;  ///< Of the entity of the slot's name.
  std::set<WordRun> listed;     ///< The same, to be looked up.
  std::set<WordRun> forbidden;
};
using SlotTable = std::map<std::string, std::shared_ptr<const SlotWords>, std::less<>>;

/// How well something takes a sentence: whether values are listed for its slots and are none of those (who
/// takes it so yields to others), then the first two rules of T-0.
struct SentenceFit {
  SentenceFit(std::size_t not_listed, std::size_t in_slots, std::size_t written)
      : unlisted(not_listed), open(in_slots), literal(written) {}
  std::size_t unlisted;  ///< Words in slots that have listed values, and not one of them.
  std::size_t open;      ///< Words in open slots, those included.
  std::size_t literal;   ///< Words the template itself has.
};

/// One template that sentences are drawn from and that says whether it takes one, word for word. Nothing is
/// enumerated. Not for utterances: the intent stage has an automaton for those.
class SentenceModel {
 public:
  /// Sentences of more words match nothing here.
  static constexpr std::size_t kMostWords = 32;

  /// @param slots  what is known of the slots
  SentenceModel(const Pattern& pattern, SentenceWords& words, const SlotTable& slots);

  /// The sentence that choice number `choice` leads to: 0 is the first branch everywhere; counting on goes
  /// through every branch of every group, then through their combinations in a fixed disorder.
  WordRun sentence(std::uint32_t choice) const;
  /// The best way to take the whole sentence.
  std::optional<SentenceFit> take(const WordRun& said) const;

  /// Words one of which is in every sentence, the fewest by how often each is used; empty when there are
  /// none.
  WordRun key(const std::unordered_map<std::uint32_t, std::size_t>& uses) const;
  /// Counts every word once.
  void count(std::unordered_map<std::uint32_t, std::size_t>& uses) const;

 private:
  struct Node {
    explicit Node(Pattern::Kind of) : kind(of) {}
    Pattern::Kind kind;
    std::uint32_t word = 0;                 ///< Of a word; of a slot the word that stands for it.
    std::shared_ptr<const SlotWords> slot;  ///< Null: nothing is known.
    std::vector<Node> children;
  };
  /// By position in the sentence: the cost of having taken what is before it.
  using Front = std::array<std::uint32_t, kMostWords + 1>;
  static constexpr std::uint32_t kDead = std::numeric_limits<std::uint32_t>::max();

  static Node build(const Pattern& pattern, SentenceWords& words, const SlotTable& slots);
  static void draw(const Node& node, std::uint32_t choice, std::uint32_t& group, WordRun& out);
  static void advance(const Node& node, const WordRun& said, const Front& from, Front& to);
  static void take_slot(const Node& node, const WordRun& said, const Front& from, Front& to);
  static void collect(const Node& node, std::set<std::uint32_t>& words);
  static std::optional<std::set<std::uint32_t>> key_of(
      const Node& node, const std::unordered_map<std::uint32_t, std::size_t>& uses);

  Node root_;
};

}  // namespace parley
