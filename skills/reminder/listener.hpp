#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <parley/utterance_words.hpp>
#include <string>
#include <utility>

#include "coming.hpp"
#include "request.hpp"

namespace parley::reminder {

/// What takes the place of something else.
struct Replaced {
  Replaced(std::string which, std::chrono::local_seconds when) : id(std::move(which)), due(when) {}
  std::string id;
  std::chrono::local_seconds due;
};

/// Understands when something is to be, and what is wanted where no template has the words.
class Listener : public Coming {
 protected:
  /// What is wanted by the words of the whole, wherever they stand, and by what was spoken of before.
  std::optional<Request> request_in(const std::string& text, const std::string& lang,
                                    std::chrono::local_seconds now, const Talk& talk);
  /// What is wanted by what was spoken of before.
  std::optional<Request> talk_in(const std::string& text, const std::string& lang,
                                 std::chrono::local_seconds now, const Talk& talk);
  /// When it is to be by an answer to the question for that.
  std::optional<Request> answer_in(const std::string& text, const std::string& lang,
                                   std::chrono::local_seconds now, const Talk& talk);
  /// Whether a day is named anywhere in a text.
  bool names_day(const std::string& text, const Turn& turn) const;
  /// Of what and when to remind, by the words of the whole.
  Request reminder_in(const Turn& turn);

  /// With the words of a template in front of the slot that belong to the time: "{at} seven", "{tomorrow at}
  /// six".
  std::string with_words_before(const Turn& turn, const std::string& said) const;
  /// What is said of an alarm may begin with words that are none of the time: "pour sept heures", "for
  /// seven".
  std::optional<SpokenMoment> alarm_time(const Turn& turn, const std::string& said,
                                         const std::optional<Replaced>& replaced) const;
  /// An alarm of another day is in the morning unless something says that it is not: "six thirty tomorrow".
  void prefer_morning(const Turn& turn, const std::string& said, SpokenMoment& moment) const;
  /// A time alone is of the same day in the morning and of the next one at midnight; a day's name is neither.
  bool names_no_day(const std::string& said, const std::string& lang, std::chrono::local_seconds due) const;
  /// When the words are taken to have been said. What takes another's place and has another time of day and
  /// no day ("no, better half past four") means the day, and the half of it, of that.
  std::chrono::local_seconds reading_from(const Turn& turn, const std::string& said,
                                          const std::optional<Replaced>& replaced) const;
  /// The moment in the half of the day that is meant where none was said: "make that seven" after "5 PM", of
  /// the same day.
  SpokenMoment in_half_meant(const Turn& turn, SpokenMoment moment, const std::string& said,
                             const std::optional<Replaced>& replaced) const;
  /// The time of day in the half of it that is all that was said: "no, in the evening".
  std::optional<std::chrono::minutes> in_half_said(const std::string& said, const std::string& lang,
                                                   std::chrono::local_seconds due) const;
  const SpokenForms& heard(const std::string& lang);
  RequestReader reader(const std::string& lang, std::chrono::local_seconds now) const;

 private:
  RequestReader::FindWhen finder(const std::string& lang, std::chrono::local_seconds now) const;
  std::string as_time(const std::string& text, const std::string& lang) const;
  std::optional<std::chrono::local_seconds> read_at(const std::string& said, const std::string& lang,
                                                    std::chrono::local_seconds now) const;

  std::map<std::string, std::unique_ptr<const SpokenForms>, std::less<>> heard_;
};

}  // namespace parley::reminder
