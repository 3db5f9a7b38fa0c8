#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <parley/text.hpp>
#include <parley/values.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "reader.hpp"

namespace parley::follow_up {

/// The types whose values are exchanged for one another.
inline constexpr std::array kTypes{SlotType::kNumber, SlotType::kDuration, SlotType::kDate, SlotType::kColor,
                                   SlotType::kLanguage};

/// Words of a sentence: from the first to behind the last.
struct Run {
  Run(std::size_t from, std::size_t to) : begin(from), end(to) {}
  std::size_t begin, end;
};

/// The subject's utterance taken apart. Both it and the reader must outlive this.
class Sentence {
 public:
  Sentence(const Subject& subject, const Reader& reader);

  std::span<const Word> part(const Run& run) const;
  std::string text(const Run& run) const;
  std::size_t size() const { return words_.size(); }
  /// The sentence with other words for those of the run.
  std::string with(const Run& run, std::string_view instead) const;
  /// Where a slot's value stands; the last place where it does.
  std::optional<Run> place_of(const std::string& value) const;
  bool reads_as(SlotType type, std::string_view value) const;
  bool has_type(std::string_view value) const;
  /// The time of day that a text as a whole says.
  /// @param later  as if it were so much later now
  std::optional<std::chrono::minutes> time_of(std::string_view value, std::chrono::minutes later = {}) const;
  /// The longest words within the run that say a value of the type, without what adds nothing to it. Of
  /// several the first, in a sentence that is no slot's the last: "what day is it today".
  std::optional<Run> typed_within(const Run& run, SlotType type, bool is_last) const;
  /// The fewest words within the run that say a time of day and its minutes, with the preposition that goes
  /// with them.
  std::optional<Run> time_within(const Run& run) const;
  /// The most words within the run that say a day and no time of it.
  std::optional<Run> day_within(const Run& run) const;
  /// The time of day within the run in the half of the day that `part` names: "7 in the morning" for "7 PM"
  /// and "in the morning".
  std::optional<std::pair<Run, std::string>> in_half_of_day(const Run& run, const std::string& part) const;
  /// The date within the run, and the one so many days from it: "tomorrow" and "2026-01-05".
  std::optional<std::pair<Run, std::string>> days_from(const Run& run, int days, bool is_last) const;
  /// How well a value with that preposition fits in place of the run: the same stands before it or begins it.
  int fit(const Run& run, std::span<const Word> link) const;
  /// Whether that behind a date is a date with it, and another one alone: "Easter", "next year".
  bool is_completed(const Run& run, const std::string& value) const;
  /// Prepositions that end where the run begins: how many words.
  std::size_t link_before(const Run& run) const;
  /// The run with the article before it, where the value that takes its place has one of its own.
  Run without_article(Run run, std::span<const Word> value) const;
  /// What a question is about, as far as its words tell: what follows the verb it begins with, if that is
  /// followed by a preposition; what follows its last preposition; else the last word, without what may stand
  /// behind a name ("what does frugal mean").
  std::optional<Run> topic() const;

 private:
  /// Adds to a time of day the words around it that say its minutes, and "heures". @return which it is then
  std::optional<std::chrono::minutes> take_minutes(Run& time, const Run& within) const;
  /// Whether a preposition stands before the run, an article or so between them.
  bool is_linked(const Run& run) const;
  bool is_article(const Word& word) const;
  /// "Austria" of "is Austria in the EU".
  std::optional<Run> subject_of_verb() const;

  const Subject& subject_;
  const Reader& reader_;
  std::vector<Word> words_;
};

/// The slots whose values are in the utterance, the last one first: name and place.
std::vector<std::pair<std::string, Run>> slots_of(const Subject& subject, const Sentence& sentence);

}  // namespace parley::follow_up
