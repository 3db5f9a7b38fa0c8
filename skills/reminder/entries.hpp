#pragma once

#include <chrono>
#include <optional>
#include <parley/moments.hpp>
#include <parley/phrases.hpp>
#include <parley/schedule.hpp>
#include <parley/text.hpp>
#include <parley/zone.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::reminder {

/// What is to come, as the schedule has it.
using Entries = std::vector<Scheduled>;

/// What a schedule keeps of a reminder, or of an alarm.
Json payload_of(bool alarm, const std::string& what);
bool is_alarm(const Json& payload);
/// What somebody is to be reminded of; of an alarm mostly empty.
std::string what_for(const Json& payload);
/// What repeats may be skipped some times.
bool skips(const Json& payload, std::chrono::system_clock::time_point due);
/// The payload with one more time to be skipped, and without those that are over. Nothing: there are many.
std::optional<Json> skipping(Json payload, std::chrono::system_clock::time_point due,
                             std::chrono::system_clock::time_point now);

/// Where somebody is and what the clock there shows.
struct Here {
  Here(Zone of, std::chrono::system_clock::time_point moment)
      : zone(std::move(of)), now(zone.local(moment)) {}
  Zone zone;
  std::chrono::local_seconds now;
};

/// When it is due on a day, its clock being the zone's; nothing: it is not, or that time is skipped.
std::optional<std::chrono::system_clock::time_point> due_on(const Scheduled& one, std::chrono::local_days day,
                                                            const Zone& zone);

/// When it is to be by what was said about an alarm, or as an answer to "when?": there "seven" and "seven
/// thirty" are times of day. Else as find_moment().
std::optional<SpokenMoment> find_alarm_time(std::string_view text, std::string_view lang,
                                            std::chrono::local_seconds now);

/// Of a repetition with a time of day. @throws as ScheduleRule
ScheduleRule rule_of(const SpokenRepeat& repeat);

/// A time of day as every language reads it: "6:30".
std::string say_clock(std::chrono::minutes time);

/// Whether a day or a repetition was said without a time of day.
bool lacks_time(const SpokenMoment& moment);
/// The time of day that was said, if any.
std::optional<std::chrono::minutes> time_of_day(const std::optional<SpokenMoment>& moment);

/// The moment with the time of day that an answer says: as if both had been said at once, so that "at eight"
/// is of the morning after "tomorrow morning". Nothing: it says none.
/// @param said  where the moment is from, which lacks_time()
std::optional<SpokenMoment> completed(const SpokenMoment& moment, const std::string& said,
                                      const std::string& answer, const std::string& lang,
                                      std::chrono::local_seconds now);

/// The moment in the afternoon, for a reminder of "tomorrow at five": nobody wants one at night who does not
/// say so. As it is where the hour is `behind_last` or later or has a leading zero, and today: there the next
/// one is meant.
SpokenMoment by_day(SpokenMoment moment, const std::string& said, const std::string& lang,
                    std::chrono::local_seconds now, std::chrono::hours behind_last);

/// Those of `all` that a text means: by when ("the one at five", "tomorrow"), else by words of what they are
/// for. Of those at five, in the morning or in the afternoon, the exact ones go first.
Entries meant_by(const Entries& all, const std::string& text, const std::string& lang, const Here& here);

/// Those that have all words of a text in some form, articles apart: "walking Biscuit" of "walk Biscuit".
/// @param articles  what says nothing of what is meant
Entries with_words_of(const Entries& all, const std::string& text, const std::string& lang,
                      const PhraseSet& articles);

/// Whether two words are one in some form: "pill" and "pills", and in German "Tabletten" and
/// "Blutdrucktabletten". Short words are akin to nothing.
bool are_akin(const Word& one, const Word& other, std::string_view lang);

/// Those with the most words of a text, short ones apart: "the milk one". None when there is none.
Entries alike(const Entries& all, const std::string& text, const std::string& lang);

}  // namespace parley::reminder
