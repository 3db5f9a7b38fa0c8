#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <parley/locale.hpp>
#include <parley/utterance_words.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "request.hpp"

namespace parley::reminder {

/// The times and days that an utterance names, wherever they stand in it, and the words it has beside them.
class SaidMoments {
 public:
  /// All that it is given must outlive it.
  SaidMoments(std::string_view text, const LocaleResources& locale, const std::string& lang,
              const RequestReader::FindWhen& find_when)
      : text_(text),
        locale_(locale),
        lang_(lang),
        find_when_(find_when),
        said_(text, lang, locale),
        taken_(said_.size(), false) {}

 protected:
  using Found = std::optional<WordRun>;

  /// So that these words are read as nothing else.
  void take(WordRun which);
  void take_all(std::string_view vocabulary);
  std::optional<SpokenMoment> when(std::string_view said) const;
  /// @param of_alarm  a number alone is a time of day
  void start_over(bool of_alarm);
  /// What says a time or a day all by itself, the longest runs first.
  void find_moments();
  /// Whether one of these takes back another: "at seven, no, nine".
  bool is_any_taken_back() const;
  /// All that was said of when, together: "tuesdays" in one clause, "at 8 PM" in another.
  void read_moment(Request& request);
  /// The words of a clause that were not taken, without those in front that only link.
  std::string left_in(WordRun clause) const;

  std::string_view text_;
  const LocaleResources& locale_;
  const std::string& lang_;
  const RequestReader::FindWhen& find_when_;
  UtteranceWords said_;
  std::vector<bool> taken_;
  std::vector<WordRun> moments_;
  bool of_alarm_ = false;

 private:
  /// The words of the longest moment that begins there.
  std::size_t moment_at(std::size_t at) const;
  bool is_time_alone(WordRun which) const;
  /// "A dentro de una" of "a dentro de una hora", which is no day.
  bool is_cut_off(WordRun which) const;
  /// Keeps what was said last where more than one time was: "tomorrow at seven, no, nine".
  void leave_out_taken_back();
  /// Whether all between two moments says that the first is not meant: "ah no it is".
  bool takes_back(WordRun between) const;
  /// The words of a day within a moment, unless it is a whole day itself.
  Found day_in(WordRun moment) const;
  /// What is left of a moment beside the day in it.
  static WordRun time_beside(WordRun moment, WordRun day);
  /// The words of a day with a time of day behind it that were read as a day without one ("sábado às onze").
  std::size_t day_before_time(WordRun which) const;
  bool crosses_cue(WordRun which) const;
  /// The words for the next week where a day of it is named: "Tuesday next week".
  Found week_of_day() const;
  bool names_weekday(WordRun which) const;
  /// The same weekday in that week.
  void put_into_week(WordRun week, Request& request) const;
  /// "Every night … at nine".
  static void repeat_daily(Request& request, bool is_late);
  /// A day and a time of day that can't be read as one; else the first with a time of day.
  void put_together(const std::vector<WordRun>& parts, Request& request) const;
  /// The first with a time of day.
  WordRun surest(const std::vector<WordRun>& parts) const;
  /// "On Tuesday … each week".
  static void repeat_weekly(Request& request);
  /// "Each month at nine", "Thursday at nine" is in the morning where nobody says otherwise, also when it is
  /// later than that now.
  void to_morning(std::chrono::minutes& time) const;
};

}  // namespace parley::reminder
